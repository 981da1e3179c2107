// @ts-check
// One script that a thread has compiled, and where its code comes from.
import { SourceMap } from './source_map.js';

/** @typedef {import('devtools-protocol').Protocol.Debugger.ScriptParsedEvent} ScriptParsed */
/** @typedef {import('../protocol/session.js').Session} Session */
/** @typedef {import('./source_map.js').SourcePosition} SourcePosition */

export class Script {
  /** @type {SourceMap | null | undefined} undefined until it is needed */
  #map;

  /** @param {Session} session @param {ScriptParsed} parsed */
  constructor(session, parsed) {
    this.session = session;
    this.id = parsed.scriptId;
    /** A script without a URL is code that the program made: `eval`, `new Function`. */
    this.url = parsed.url || `eval:///VM${parsed.scriptId}`;
    this.isAnonymous = !parsed.url;
    this.mapUrl = parsed.sourceMapURL;
  }

  get map() {
    if (this.#map === undefined) this.#map = SourceMap.read(this.url, this.mapUrl);
    return this.#map;
  }

  /** Whether the script is part of the runtime, which a user neither edits nor steps through. */
  get isInternal() {
    return this.url.startsWith('node:');
  }

  /** The URLs of the files in which its code was written. */
  get sourceUrls() {
    return this.map?.sources ?? [this.url];
  }

  /**
   * @param {number} line
   * @param {number} [column]
   * @returns {SourcePosition}
   */
  toSource(line, column = 0) {
    return this.map?.toSource(line, column) ?? { url: this.url, line, column };
  }

  /**
   * Returns the text of one of `sourceUrls`.
   * @param {string} url
   * @returns {Promise<string>}
   */
  async text(url) {
    if (this.map) return this.map.text(url);
    return (await this.session.call('Debugger.getScriptSource', { scriptId: this.id })).scriptSource;
  }
}
