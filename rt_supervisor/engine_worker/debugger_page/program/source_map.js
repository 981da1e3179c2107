// @ts-check
// The source map of one script: from positions of the JavaScript that runs to positions of the source, and back.
// Lines and columns count from zero, as in the protocol. Maps are read from `data:` URLs only: the page loads no other address.
import { LEAST_UPPER_BOUND, TraceMap, allGeneratedPositionsFor, originalPositionFor } from '../vendor/codemirror.js';

/** @typedef {{ line: number, column: number }} Position */
/** @typedef {{ url: string, line: number, column: number }} SourcePosition */

const LINES_AHEAD = 100;
const PREFIX = /^data:application\/json[^,]*?(;base64)?,/;

export class SourceMap {
  /** @type {string[]} the URLs of the sources */
  sources;
  #trace;

  /** @param {TraceMap} trace */
  constructor(trace) {
    this.#trace = trace;
    this.sources = trace.resolvedSources.map(String);
  }

  /**
   * Returns the map in `mapUrl`; null if there is none, or none that can be read.
   * @param {string} scriptUrl
   * @param {string | undefined} mapUrl
   */
  static read(scriptUrl, mapUrl) {
    const found = PREFIX.exec(mapUrl ?? '');
    if (!mapUrl || !found) return null;
    const data = mapUrl.slice(found[0].length);
    try {
      const map = new SourceMap(new TraceMap(found[1] ? decodeBase64(data) : decodeURIComponent(data), scriptUrl));
      return map.sources.length > 0 && map.#trace.sourcesContent ? map : null;
    } catch {
      return null;
    }
  }

  /**
   * Returns the text of a source.
   * @param {string} url
   */
  text(url) {
    return this.#trace.sourcesContent?.[this.sources.indexOf(url)] ?? '';
  }

  /**
   * Returns the position in the source of a position in the script. Code that the compiler has added belongs to what precedes it.
   * @param {number} line
   * @param {number} column
   * @returns {SourcePosition | null}
   */
  toSource(line, column) {
    for (let each = line; each >= 0; each--) {
      const found = originalPositionFor(this.#trace, {
        line: each + 1,
        column: each === line ? column : Number.MAX_SAFE_INTEGER,
      });
      if (found.source !== null) return { url: found.source, line: found.line - 1, column: found.column };
    }
    return null;
  }

  /**
   * Returns the position in the script of the first code at or below a line of a source.
   * @param {string} url
   * @param {number} line
   * @returns {Position | null}
   */
  toScript(url, line) {
    for (let each = line; each < line + LINES_AHEAD; each++) {
      const found = allGeneratedPositionsFor(this.#trace, { source: url, line: each + 1, column: 0, bias: LEAST_UPPER_BOUND });
      const [first] = found.filter((position) => position.line !== null).sort((a, b) => a.line - b.line || a.column - b.column);
      if (first) return { line: first.line - 1, column: first.column };
    }
    return null;
  }
}

/** @param {string} data */
function decodeBase64(data) {
  const binary = atob(data);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
  return new TextDecoder().decode(bytes);
}
