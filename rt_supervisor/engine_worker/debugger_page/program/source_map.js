// @ts-check
// The source map of one script: from positions of the JavaScript that runs to positions of the source, and back.
// Lines and columns count from zero, as in the protocol. The page loads no other address than its own: maps and sources that are
// in files of their own come through the program.
import {
  LEAST_UPPER_BOUND,
  TraceMap,
  allGeneratedPositionsFor,
  eachMapping,
  generatedPositionFor,
  originalPositionFor,
} from '../vendor/codemirror.js';

/** @typedef {{ line: number, column: number }} Position */
/** @typedef {{ url: string, line: number, column: number }} SourcePosition */
/** @typedef {{ line: number, from: number, to: number }} Range columns of a line of the script, both included */
/** @typedef {(url: string) => Promise<string | null>} Load returns a text; null if it cannot be loaded */

const LINES_AHEAD = 100;
const PREFIX = /^data:application\/json[^,]*?(;base64)?,/;
const GUARD = /^\)\]\}'[^\n]*\n/; // before a map that is served to browsers

export class SourceMap {
  /** @type {string[]} the URLs of the sources */
  sources;
  #trace;
  /** @type {Map<string, Range[]> | null} until they are needed */
  #ranges = null;

  /** @param {TraceMap} trace */
  constructor(trace) {
    this.#trace = trace;
    this.sources = trace.resolvedSources.map(String);
  }

  /**
   * Returns the map in `mapUrl`; null if it is not a `data:` URL with a map.
   * @param {string} scriptUrl
   * @param {string | undefined} mapUrl
   */
  static read(scriptUrl, mapUrl) {
    const found = PREFIX.exec(mapUrl ?? '');
    if (!mapUrl || !found) return null;
    const data = mapUrl.slice(found[0].length);
    try {
      return SourceMap.#parse(found[1] ? decodeBase64(data) : decodeURIComponent(data), scriptUrl);
    } catch {
      return null;
    }
  }

  /**
   * As `read`, for a map in a separate file.
   * @param {string} scriptUrl
   * @param {string} mapUrl relative to the script
   * @param {Load} load
   */
  static async load(scriptUrl, mapUrl, load) {
    try {
      const url = new URL(mapUrl, scriptUrl).href;
      const text = await load(url);
      return text === null ? null : SourceMap.#parse(text.replace(GUARD, ''), url);
    } catch {
      return null;
    }
  }

  /** @param {string} text @param {string} url to which the sources are relative */
  static #parse(text, url) {
    const map = new SourceMap(new TraceMap(text, url));
    return map.sources.length > 0 ? map : null;
  }

  /** Whether the map contains the text of every source. */
  get isWhole() {
    return this.sources.every((_, index) => typeof this.#trace.sourcesContent?.[index] === 'string');
  }

  /**
   * Returns the text of a source; null if the map does not contain it.
   * @param {string} url
   */
  text(url) {
    return this.#trace.sourcesContent?.[this.sources.indexOf(url)] ?? null;
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
   * Returns the position in the script of the first code at or below a line of a source, or at or after a column of it.
   * @param {string} url
   * @param {number} line
   * @param {number | null} [column]
   * @returns {Position | null}
   */
  toScript(url, line, column = null) {
    if (column !== null) {
      const found = generatedPositionFor(this.#trace, { source: url, line: line + 1, column, bias: LEAST_UPPER_BOUND });
      if (found.line !== null) return { line: found.line - 1, column: found.column };
    }
    for (let each = line; each < line + LINES_AHEAD; each++) {
      const [first] = this.#positions(url, each);
      if (first) return first;
    }
    return null;
  }

  /**
   * Returns the parts of the script that come from a line of a source: the first and the last position in each line of the script.
   * @param {string} url
   * @param {number} line
   * @returns {Range[]}
   */
  rangesOf(url, line) {
    this.#ranges ??= rangesByLine(this.#trace);
    return this.#ranges.get(`${line} ${url}`) ?? [];
  }

  /** @param {string} url @param {number} line @returns {Position[]} of its first code, in order */
  #positions(url, line) {
    const found = allGeneratedPositionsFor(this.#trace, { source: url, line: line + 1, column: 0, bias: LEAST_UPPER_BOUND });
    return found
      .flatMap(({ line: each, column }) => (each === null ? [] : [{ line: each - 1, column }]))
      .sort((a, b) => a.line - b.line || a.column - b.column);
  }
}

/** @param {TraceMap} trace @returns {Map<string, Range[]>} by line and URL of the source */
function rangesByLine(trace) {
  /** @type {Map<string, Range[]>} */
  const all = new Map();
  eachMapping(trace, ({ generatedLine, generatedColumn, source, originalLine }) => {
    if (source === null) return;
    const key = `${originalLine - 1} ${source}`;
    const ranges = all.get(key);
    const last = ranges?.at(-1);
    if (last?.line === generatedLine - 1) last.to = generatedColumn;
    else {
      const range = { line: generatedLine - 1, from: generatedColumn, to: generatedColumn };
      if (ranges) ranges.push(range);
      else all.set(key, [range]);
    }
  });
  return all;
}

/** @param {string} data */
function decodeBase64(data) {
  const binary = atob(data);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
  return new TextDecoder().decode(bytes);
}
