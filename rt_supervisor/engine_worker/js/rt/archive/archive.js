'use strict';
// Owns: RT.Archive: a tar archive, created from files or read from bytes, optionally gzipped. The format is in `tar`,
// extraction to a folder in `extract`.

const {
  ArrayEvery,
  ArrayFilter,
  ArrayIsArray,
  ArrayMap,
  ArrayPush,
  ArraySome,
  DateNow,
  MapSet,
  MathFloor,
  MathMin,
  MathTrunc,
  ObjectDefineProperty,
  ObjectEntries,
  StringSlice,
  StringStartsWith,
  TypedArraySlice,
  intact,
} = require('internal/primordials');
const { bytesOf } = require('internal/bytes');
const { pack, unpack } = require('rt/archive/tar');

const native = host.native;
const { wrongType } = require('internal/errors/errors');
const isGiven = (value) => value !== undefined && value !== null;
const isBlobLike = (value) => isGiven(value) && typeof value === 'object' && typeof value.arrayBuffer === 'function';

/** Returns a copy of an archive's contents: bytes, a function that reads them later, or a list of [path, content]. */
function sourceOf(data, expected) {
  if (data instanceof Archive) return data;
  if (isBlobLike(data)) return data;
  if (!isGiven(data) || (typeof data !== 'object' && typeof data !== 'function')) throw wrongType(`Expected ${expected}`);
  const bytes = bytesOf(data);
  if (bytes !== undefined) return TypedArraySlice(bytes);
  return ArrayMap(
    ArrayFilter(ObjectEntries(data), ({ 0: path }) => path !== ''),
    ({ 0: path, 1: value }) => {
      if (isBlobLike(value)) return [path, value];
      const own = isGiven(value) && typeof value === 'object' ? bytesOf(value) : undefined;
      if (typeof value === 'symbol') throw new TypeError('Cannot convert a symbol to a string');
      return [path, own === undefined ? native.encodeUtf8(`${value}`) : TypedArraySlice(own)];
    },
  );
}

/** Returns the gzip level, 0 for none. zlib's levels end at 9: higher ones select its maximum. */
function levelOf(options) {
  if (!isGiven(options)) return 0;
  if (typeof options !== 'object') throw wrongType('Archive: options must be an object');
  const { compress, level } = options;
  if (!isGiven(compress)) return 0;
  if (typeof compress !== 'string') throw wrongType('Archive: compress option must be a string');
  if (compress !== 'gzip') throw wrongType('Archive: compress option must be "gzip"');
  if (!isGiven(level)) return 6;
  if (typeof level !== 'number') throw wrongType('Archive: level must be a number');
  const whole = MathTrunc(level);
  if (!(whole >= 1 && whole <= 12)) throw wrongType('Archive: level must be between 1 and 12');
  return MathMin(whole, 9);
}

const onThread = (name, bytes, options) =>
  new Promise((resolve, reject) => {
    require('node/zlib/zlib')[name](bytes, options, (error, result) => (error ? reject(error) : resolve(result)));
  });

const isGzip = (bytes) => bytes[0] === 0x1f && bytes[1] === 0x8b;

async function unzip(bytes) {
  if (!isGzip(bytes)) return bytes;
  try {
    return await onThread('gunzip', bytes, {});
  } catch (cause) {
    // A gzip file has at least 18 bytes: the format of anything shorter cannot be recognised.
    throw new Error(bytes.length < 18 ? 'Unrecognized archive format' : 'truncated gzip input', { cause });
  }
}

/** Returns a predicate for paths: at least one pattern matches, and no pattern that begins with "!" does. */
function filterOf(glob, who) {
  if (!isGiven(glob) || glob === '') return () => true;
  const patterns = ArrayIsArray(glob) ? glob : [glob];
  if (!ArrayIsArray(glob) && typeof glob !== 'string') throw wrongType(`${who}: glob must be a string or array of strings`);
  if (!ArrayEvery(patterns, (pattern) => typeof pattern === 'string'))
    throw wrongType(`${who}: glob array must contain only strings`);
  const isNegative = (pattern) => StringStartsWith(pattern, '!');
  const positive = ArrayFilter(patterns, (pattern) => !isNegative(pattern));
  const negative = ArrayMap(ArrayFilter(patterns, isNegative), (pattern) => StringSlice(pattern, 1));
  const isAny = (list, path) => ArraySome(list, (pattern) => native.rt_globMatches(pattern, [path]).length > 0);
  return (path) => (positive.length === 0 || isAny(positive, path)) && !isAny(negative, path);
}

class Archive {
  #source;
  #level;

  constructor(data = undefined, options = undefined) {
    this.#source = sourceOf(data, 'an object, Blob, TypedArray, or ArrayBuffer');
    this.#level = levelOf(options);
  }

  async #plain() {
    const source = this.#source;
    if (source instanceof Archive) return source.#all();
    if (!ArrayIsArray(source)) return bytesOf(isBlobLike(source) ? await source.arrayBuffer() : source);
    const entries = [];
    for (const { 0: path, 1: content } of intact(source))
      ArrayPush(entries, { path, bytes: isBlobLike(content) ? bytesOf(await content.arrayBuffer()) : content });
    return pack(entries, MathFloor(DateNow() / 1000));
  }

  async #all() {
    const plain = await this.#plain();
    return this.#level === 0 ? plain : onThread('gzip', plain, { level: this.#level });
  }

  /** Returns the archive with its original compression. */
  async bytes() {
    return require('node/buffer/views').asBuffer(await this.#all());
  }

  async blob() {
    const { Blob } = require('web/blob/blob');
    return new Blob([await this.#all()]);
  }

  /** Returns its files by path. */
  files(glob = undefined) {
    const isWanted = filterOf(glob, 'Archive.files');
    return this.#files(isWanted);
  }

  async #files(isWanted) {
    const { File } = require('web/blob/file');
    const files = new Map();
    for (const { path, type, bytes, seconds } of intact(unpack(await unzip(await this.#plain()))))
      if (type === 'file' && isWanted(path)) MapSet(files, path, new File([bytes], path, { lastModified: seconds * 1000 }));
    return files;
  }

  /** Extracts the entries to a folder. Returns the number of entries. */
  extract(path = undefined, options = undefined) {
    if (typeof path !== 'string') throw wrongType('Archive.extract requires a path argument');
    if (isGiven(options) && typeof options !== 'object')
      throw wrongType('Archive.extract: second argument must be an options object');
    return this.#extract(path, filterOf(options?.glob, 'Archive.extract'));
  }

  async #extract(path, isWanted) {
    const bytes = await unzip(await this.#plain());
    return require('rt/archive/extract').extract(unpack(bytes), require('node/path/path').resolve(path), isWanted);
  }

  static write(path, data, options = undefined) {
    if (typeof path !== 'string') throw wrongType('Archive.write: first argument must be a string path');
    const source = sourceOf(data, 'an object, Blob, TypedArray, ArrayBuffer, or Archive');
    const archive = new Archive({}, options);
    archive.#source = source;
    return archive.#write(path);
  }

  async #write(path) {
    await require('node/fs/fs').promises.writeFile(path, await this.#all());
  }
}
ObjectDefineProperty(Archive.prototype, Symbol.toStringTag, { __proto__: null, value: 'Archive', configurable: true });

module.exports = { Archive };
