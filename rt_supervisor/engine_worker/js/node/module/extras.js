'use strict';
// Owns: what node:module offers besides Module: package.json of a file, types stripped, source maps, and the functions
// that register hooks (module/hooks.js). The compile cache is module/compile_cache.js.

const {
  ArrayForEach,
  ArrayIsArray,
  ArrayJoin,
  ArrayMap,
  ArrayPush,
  ArraySlice,
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
const { codes } = require('internal/errors/errors');
const { validateBoolean, validateObject, validateString } = require('internal/validators');

/** The package.json that is in charge of a file, or of the package that `specifier` names from `base`. */
function findPackageJSON(specifier, base = 'data:') {
  if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('specifier');
  const { isURL } = require('node/url/files');
  if (!isURL(base)) validateString(base, 'base');
  if (typeof specifier === 'symbol') validateString(specifier, 'specifier');
  const { fileURLToPath } = require('internal/file_url_host');
  const path = require('node/path/path');
  const asPath = (value) => (StringStartsWith(`${value?.href ?? value}`, 'file:') ? fileURLToPath(value) : `${value}`);
  const isPlace = typeof specifier !== 'string' || RegExpTest(/^(?:file:|\.{0,2}\/|\.{1,2}$)/, specifier);
  const from = asPath(base);
  if (isPlace) return nearest(path.resolve(path.dirname(from), asPath(specifier)));
  const name = ArrayJoin(ArraySlice(StringSplit(specifier, '/'), 0, StringStartsWith(specifier, '@') ? 2 : 1), '/');
  const fs = require('node/fs/fs');
  for (const folder of intact(require('node/module/commonjs').Module._nodeModulePaths(path.dirname(from)))) {
    const file = `${folder}/${name}/package.json`;
    if (fs.existsSync(file)) return file;
  }
  throw ObjectAssign(new Error(`Cannot find package '${name}' imported from ${from}`), { code: 'ERR_MODULE_NOT_FOUND' });
}

function nearest(place) {
  const fs = require('node/fs/fs');
  const path = require('node/path/path');
  for (let folder = place; ; folder = path.dirname(folder)) {
    const file = path.join(folder, 'package.json');
    if (fs.existsSync(file)) return file;
    if (folder === path.dirname(folder)) return undefined;
  }
}

/** TypeScript without its types, everything else where it was. */
function stripTypeScriptTypes(code, options = {}) {
  validateString(code, 'code');
  validateObject(options, 'options');
  const { mode = 'strip', sourceUrl } = options;
  if (mode !== 'strip') throw new codes.ERR_INVALID_ARG_VALUE('options.mode', mode, "must be one of: 'strip'");
  if (sourceUrl !== undefined) validateString(sourceUrl, 'options.sourceUrl');
  const { 0: stripped, 1: problem, 2: isTypeScript } = host.native.transpiler_strip(code);
  if (problem !== undefined) {
    const reason = isTypeScript ? 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX' : 'ERR_INVALID_TYPESCRIPT_SYNTAX';
    throw ObjectAssign(new SyntaxError(problem), { code: reason });
  }
  return sourceUrl === undefined ? stripped : `${stripped}\n\n//# sourceURL=${sourceUrl}`;
}

// --- source maps

let support = { __proto__: null, enabled: true, nodeModules: true, generatedCode: false };

function setSourceMapsSupport(enabled, options = {}) {
  validateBoolean(enabled, 'enabled');
  validateObject(options, 'options');
  const { nodeModules = false, generatedCode = false } = options;
  validateBoolean(nodeModules, 'options.nodeModules');
  validateBoolean(generatedCode, 'options.generatedCode');
  support = { __proto__: null, enabled, nodeModules, generatedCode };
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** The numbers of one segment of `mappings`: base 64, five bits a digit, the sign in the lowest. */
function* numbersOf(segment) {
  let { 0: value, 1: shift } = [0, 0];
  for (const letter of intact(segment)) {
    const digit = StringIndexOf(DIGITS, letter);
    value |= (digit & 31) << shift;
    shift += 5;
    if (digit & 32) continue;
    yield value & 1 ? -(value >>> 1) : value >>> 1;
    [value, shift] = intact([0, 0]);
  }
}

class SourceMap {
  #payload;
  #entries = []; // { generatedLine, generatedColumn, originalSource, originalLine, originalColumn, name }
  #lineLengths;

  constructor(payload, { lineLengths } = {}) {
    validateObject(payload, 'payload');
    this.#payload = host.native.structuredClone(payload);
    this.#lineLengths = lineLengths == null ? undefined : ArraySlice(lineLengths);
    if (ArrayIsArray(payload.sections)) {
      for (const { offset, map } of intact(payload.sections)) this.#read(map, offset.line, offset.column);
    } else this.#read(payload, 0, 0);
  }

  #read({ sources = [], names = [], mappings = '', sourceRoot = '' }, firstLine, firstColumn) {
    let { 0: source, 1: line, 2: column, 3: name } = [0, 0, 0, 0];
    ArrayForEach(StringSplit(mappings, ';'), (row, number) => {
      let generatedColumn = number === 0 ? firstColumn : 0;
      for (const segment of intact(StringSplit(row, ','))) {
        if (segment === '') continue;
        const [move, ...rest] = intact(numbersOf(segment));
        generatedColumn += move;
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

  /** The last mapping at or before a place, counted from zero. */
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

  /** The same counted from one. */
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

/** The map that a text ends with, its sources as URLs. */
function shippedMap(code, fileUrl) {
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
    return undefined; // a map that cannot be read is as none
  }
}

function dataIn(url) {
  const { Buffer } = require('node/buffer/buffer');
  const comma = StringIndexOf(url, ',');
  const data = StringSlice(url, comma + 1);
  const isBase64 = RegExpTest(/;base64$/i, StringSlice(url, 0, comma));
  return isBase64 ? Buffer.from(data, 'base64').toString() : decodeURIComponent(data);
}

/** The map of a file that was loaded: the one that it came with, or rt's own of TypeScript; undefined for all else. */
function findSourceMap(place) {
  if (typeof place !== 'string' || !support.enabled) return undefined;
  const { fileURLToPath, pathToFileURL } = require('node/url/files');
  const path = StringStartsWith(place, 'file:') ? fileURLToPath(place) : require('node/path/path').resolve(place);
  const { 1: code, 2: map, 3: isOurs } = host.native.core_compiledSource(path);
  if (!map) return undefined;
  const url = pathToFileURL(path).href;
  const payload = isOurs ? ObjectAssign(JSONParse(map), { sources: [url] }) : shippedMap(code, url);
  if (payload === undefined) return undefined;
  return new SourceMap(payload, { lineLengths: ArrayMap(RegExpSplit(LINES, code), (line) => line.length) });
}

module.exports = {
  SourceMap,
  ...require('node/module/compile_cache'),
  findPackageJSON,
  getSourceMapsSupport() {
    return { __proto__: null, ...support };
  },
  register(...args) {
    return require('node/module/hooks').register(...intact(args));
  },
  registerHooks(hooks) {
    return require('node/module/hooks').registerHooks(hooks);
  },
  findSourceMap,
  setSourceMapsSupport,
  stripTypeScriptTypes,
};
