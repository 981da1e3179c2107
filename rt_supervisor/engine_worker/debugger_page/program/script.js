// @ts-check
// One script that a thread has compiled, and where its code comes from.
//
//     reading --the map is in a file, or its sources are--> loading --loaded, or not found--> ready
//        `------all is in the script---------------------------------------------------------> ready
import { Resources } from './resources.js';
import { SourceMap } from './source_map.js';

/** @typedef {import('devtools-protocol').Protocol.Debugger.ScriptParsedEvent} ScriptParsed */
/** @typedef {import('../protocol/session.js').Session} Session */
/** @typedef {import('./source_map.js').SourcePosition} SourcePosition */

export class Script {
  /** @type {SourceMap | null} */
  map = null;
  /** @type {Promise<void> | null} while the map is loaded */
  loading = null;
  #resources;
  /** @type {Map<string, Promise<number[]>>} by URL and line */
  #columns = new Map();

  /** @param {Session} session @param {ScriptParsed} parsed */
  constructor(session, parsed) {
    this.session = session;
    this.#resources = new Resources(session);
    this.id = parsed.scriptId;
    /** A script without a URL is code that the program made: `eval`, `new Function`. */
    this.url = parsed.url || `eval:///VM${parsed.scriptId}`;
    this.isAnonymous = !parsed.url;
    if (!parsed.sourceMapURL || this.isInternal) return;
    const map = SourceMap.read(this.url, parsed.sourceMapURL);
    if (map?.isWhole) this.map = map;
    else if (map || !parsed.sourceMapURL.startsWith('data:'))
      this.loading = this.#load(map, parsed.sourceMapURL).finally(() => (this.loading = null));
  }

  /**
   * A map of which no source can be found is of no use: packages contain maps without their sources.
   * @param {SourceMap | null} inline
   * @param {string} mapUrl
   */
  async #load(inline, mapUrl) {
    const map = inline ?? (await SourceMap.load(this.url, mapUrl, (url) => this.#resources.load(url)));
    for (const url of map?.sources ?? []) {
      if (map?.text(url) === null && (await this.#resources.load(url)) === null) continue;
      this.map = map;
      return;
    }
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
   * Returns the position in the script of a position in one of `sourceUrls`.
   * @param {string} url
   * @param {number} line
   * @param {number | null} [column] absent: the first code at or below the line
   */
  toScript(url, line, column = null) {
    return this.map ? this.map.toScript(url, line, column) : { line, column: column ?? 0 };
  }

  /**
   * Returns the columns of a line of a source at which the program can pause, in ascending order.
   * @param {string} url
   * @param {number} line
   * @returns {Promise<number[]>}
   */
  breakableColumns(url, line) {
    const key = `${line} ${url}`;
    const columns = this.#columns.get(key) ?? this.#askColumns(url, line);
    this.#columns.set(key, columns);
    return columns;
  }

  /** @param {string} url @param {number} line */
  async #askColumns(url, line) {
    const ranges = this.map?.rangesOf(url, line) ?? [{ line, from: 0, to: null }];
    /** @type {Set<number>} */
    const columns = new Set();
    for (const { line: lineNumber, from, to } of ranges) {
      const end = to === null ? { lineNumber: lineNumber + 1, columnNumber: 0 } : { lineNumber, columnNumber: to + 1 };
      const reply = await this.session.attempt('Debugger.getPossibleBreakpoints', {
        start: { scriptId: this.id, lineNumber, columnNumber: from },
        end: { scriptId: this.id, ...end },
      });
      for (const location of reply?.locations ?? []) {
        const found = this.toSource(location.lineNumber, location.columnNumber);
        if (found.url === url && found.line === line) columns.add(found.column);
      }
    }
    return [...columns].sort((a, b) => a - b);
  }

  /**
   * Returns the text of one of `sourceUrls`.
   * @param {string} url
   * @returns {Promise<string>}
   */
  async text(url) {
    if (this.map) return this.map.text(url) ?? (await this.#resources.load(url)) ?? '';
    return (await this.session.call('Debugger.getScriptSource', { scriptId: this.id })).scriptSource;
  }
}
