'use strict';
// Owns: node:module's source maps: SourceMap, findSourceMap, and whether programs want them.

const {
  ArrayForEach,
  ArrayIsArray,
  ArrayMap,
  ArrayPush,
  ArraySlice,
  ArraySort,
  JSONParse,
  ObjectAssign,
  RegExpTest,
  StringIndexOf,
  StringSlice,
  StringSplit,
  StringStartsWith,
  intact,
} = require('internal/primordials');
const { RegExpMatchAll, RegExpSplit } = require('internal/patterns');
const { validateBoolean, validateObject } = require('internal/validators');

let support = { __proto__: null, enabled: true, nodeModules: true, generatedCode: false };

function setSourceMapsSupport(enabled, options = {}) {
  validateBoolean(enabled, 'enabled');
  validateObject(options, 'options');
  const { nodeModules = false, generatedCode = false } = options;
  validateBoolean(nodeModules, 'options.nodeModules');
  validateBoolean(generatedCode, 'options.generatedCode');
  support = { __proto__: null, enabled, nodeModules, generatedCode };
}

const LEAST = -(2 ** 31); // written as a negative zero
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Decodes a segment of `mappings`: base64 VLQ, five bits per digit, the sign in the lowest bit. */
function* numbersOf(segment) {
  let { 0: value, 1: shift } = [0, 0];
  for (const letter of intact(segment)) {
    const digit = StringIndexOf(DIGITS, letter);
    value |= (digit & 31) << shift;
    shift += 5;
    if (digit & 32) continue;
    if (value === 1) yield LEAST;
    else yield value & 1 ? -(value >>> 1) : value >>> 1;
    [value, shift] = intact([0, 0]);
  }
}

class SourceMap {
  #payload;
  #entries = []; // { generatedLine, generatedColumn, originalSource, originalLine, originalColumn, name }
  #lineLengths;
  #isSorted = true;

  constructor(payload, { lineLengths } = {}) {
    validateObject(payload, 'payload');
    this.#payload = host.native.structuredClone(payload);
    this.#lineLengths = lineLengths == null ? undefined : ArraySlice(lineLengths);
    if (ArrayIsArray(payload.sections)) {
      for (const { offset, map } of intact(payload.sections)) this.#read(map, offset.line, offset.column);
    } else this.#read(payload, 0, 0);
    if (!this.#isSorted)
      ArraySort(this.#entries, (a, b) => a.generatedLine - b.generatedLine || a.generatedColumn - b.generatedColumn);
  }

  #read({ sources = [], names = [], mappings = '', sourceRoot = '' }, firstLine, firstColumn) {
    let { 0: source, 1: line, 2: column, 3: name } = [0, 0, 0, 0];
    ArrayForEach(StringSplit(mappings, ';'), (row, number) => {
      let generatedColumn = number === 0 ? firstColumn : 0;
      for (const segment of intact(StringSplit(row, ','))) {
        if (segment === '') continue;
        const [move, ...rest] = intact(numbersOf(segment));
        generatedColumn += move;
        if (move < 0) this.#isSorted = false;
        const entry = {
          generatedLine: firstLine + number,
          generatedColumn,
          originalSource: undefined,
          originalLine: undefined,
          originalColumn: undefined,
          name: undefined,
        };
        if (rest.length >= 3) {
          source += rest[0];
          line += rest[1];
          column += rest[2];
          ObjectAssign(entry, { originalSource: `${sourceRoot}${sources[source]}`, originalLine: line, originalColumn: column });
        }
        if (rest.length >= 4) {
          name += rest[3];
          entry.name = names[name];
        }
        ArrayPush(this.#entries, entry);
      }
    });
  }

  get payload() {
    return host.native.structuredClone(this.#payload);
  }

  get lineLengths() {
    return this.#lineLengths == null ? undefined : ArraySlice(this.#lineLengths);
  }

  /** The last mapping at or before a zero-based location. */
  findEntry(lineOffset, columnOffset) {
    const entries = this.#entries;
    let { 0: low, 1: high } = [0, entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const { generatedLine, generatedColumn } = entries[middle];
      if (generatedLine > lineOffset || (generatedLine === lineOffset && generatedColumn > columnOffset)) high = middle;
      else low = middle + 1;
    }
    return low === 0 ? {} : { ...entries[low - 1] };
  }

  /** The origin of a one-based location. */
  findOrigin(lineNumber, columnNumber) {
    const entry = this.findEntry(lineNumber - 1, columnNumber - 1);
    if (entry.originalSource === undefined) return {};
    const lineOffset = lineNumber - entry.generatedLine;
    const columnOffset = columnNumber - entry.generatedColumn;
    return {
      name: entry.name,
      fileName: entry.originalSource,
      lineNumber: entry.originalLine + lineOffset,
      columnNumber: entry.originalColumn + columnOffset,
    };
  }
}

const LINES = /\n|\u2028|\u2029/;
const ANNOUNCED = /\/[*/][#@] sourceMappingURL=(?<url>[^\s*]+)/g;

/** The source map that a file refers to, with its sources as URLs. */
function readLinkedMap(code, fileUrl) {
  let place;
  for (const { groups } of intact(RegExpMatchAll(ANNOUNCED, code))) place = groups.url;
  if (place === undefined) return undefined;
  const { URL } = require('web/url/class');
  try {
    const isInside = StringStartsWith(place, 'data:');
    const url = new URL(place, fileUrl);
    const map = JSONParse(isInside ? dataIn(place) : require('node/fs/sync').readFileSync(url, 'utf8'));
    const base = isInside ? fileUrl : url;
    const root = map.sourceRoot ?? '';
    map.sources = ArrayMap(map.sources, (source) => new URL(root + source, base).href);
    return ObjectAssign(map, { sourceRoot: '' });
  } catch {
    return undefined; // an unreadable map is ignored
  }
}

function dataIn(url) {
  const { Buffer } = require('node/buffer/buffer');
  const comma = StringIndexOf(url, ',');
  const data = StringSlice(url, comma + 1);
  const isBase64 = RegExpTest(/;base64$/i, StringSlice(url, 0, comma));
  return isBase64 ? Buffer.from(data, 'base64').toString() : decodeURIComponent(data);
}

/** The map of a loaded file: the one it refers to, or rt's own for TypeScript; undefined for any other file. */
function findSourceMap(place) {
  if (typeof place !== 'string' || !support.enabled) return undefined;
  const { fileURLToPath, pathToFileURL } = require('node/url/files');
  const path = StringStartsWith(place, 'file:') ? fileURLToPath(place) : require('node/path/path').resolve(place);
  const { 1: code, 2: map, 3: isOurs } = host.native.core_compiledSource(path);
  if (!map) return undefined;
  const url = pathToFileURL(path).href;
  const payload = isOurs ? ObjectAssign(JSONParse(map), { sources: [url] }) : readLinkedMap(code, url);
  if (payload === undefined) return undefined;
  return new SourceMap(payload, { lineLengths: ArrayMap(RegExpSplit(LINES, code), (line) => line.length) });
}

function getSourceMapsSupport() {
  return { __proto__: null, ...support };
}

module.exports = { SourceMap, findSourceMap, getSourceMapsSupport, setSourceMapsSupport };
