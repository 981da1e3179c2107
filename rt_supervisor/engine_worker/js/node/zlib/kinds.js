'use strict';
// Owns: the classes of node:zlib and their options, validated in Node's order.

const { isAnyArrayBuffer } = require('internal/brands');
const { setOf } = require('internal/collections');
const {
  ArrayBufferIsView,
  ArrayFilter,
  ArrayMap,
  FunctionCall,
  MathMax,
  NumberIsNaN,
  ObjectDefineProperty,
  ObjectKeys,
  ObjectSetPrototypeOf,
  SetAdd,
  SetHas,
  StringStartsWith,
  intact,
} = require('internal/primordials');
const { Buffer } = require('node/buffer/buffer');
const { codes } = require('internal/errors/errors');
const { constants } = require('node/zlib/constants');
const { ZlibBase } = require('node/zlib/base');
const { hostKindOf } = require('node/zlib/modes');
const { checkRange } = require('node/zlib/ranges');
const { Handle, open } = require('internal/zlib/handle');
const { nextTick } = require('internal/timers');

const { Z_NO_FLUSH, Z_FINISH, Z_FULL_FLUSH, Z_SYNC_FLUSH } = constants;
const ZLIB_USUAL = { family: 'zlib', flush: Z_NO_FLUSH, finishFlush: Z_FINISH, fullFlush: Z_FULL_FLUSH };
const BROTLI_USUAL = {
  family: 'brotli',
  flush: constants.BROTLI_OPERATION_PROCESS,
  finishFlush: constants.BROTLI_OPERATION_FINISH,
  fullFlush: constants.BROTLI_OPERATION_FLUSH,
};
const ZSTD_USUAL = {
  family: 'zstd',
  flush: constants.ZSTD_e_continue,
  finishFlush: constants.ZSTD_e_end,
  fullFlush: constants.ZSTD_e_flush,
};

function dictionaryOf(opts) {
  const dictionary = opts?.dictionary;
  if (dictionary === undefined || ArrayBufferIsView(dictionary)) return dictionary;
  if (isAnyArrayBuffer(dictionary)) return Buffer.from(dictionary);
  throw new codes.ERR_INVALID_ARG_TYPE('options.dictionary', ['Buffer', 'TypedArray', 'DataView', 'ArrayBuffer'], dictionary);
}

// --- zlib

const FINDS_WINDOW = setOf([constants.INFLATE, constants.GUNZIP, constants.UNZIP]);

function Zlib(opts, mode) {
  let windowBits = constants.Z_DEFAULT_WINDOWBITS;
  let level = constants.Z_DEFAULT_COMPRESSION;
  let memLevel = constants.Z_DEFAULT_MEMLEVEL;
  let strategy = constants.Z_DEFAULT_STRATEGY;
  let dictionary;
  if (opts) {
    if ((opts.windowBits == null || opts.windowBits === 0) && SetHas(FINDS_WINDOW, mode))
      windowBits = 0; // taken from the header
    else {
      const least = constants.Z_MIN_WINDOWBITS + (mode === constants.GZIP ? 1 : 0);
      windowBits = checkRange(opts.windowBits, 'options.windowBits', least, constants.Z_MAX_WINDOWBITS, windowBits);
    }
    level = checkRange(opts.level, 'options.level', constants.Z_MIN_LEVEL, constants.Z_MAX_LEVEL, level);
    memLevel = checkRange(opts.memLevel, 'options.memLevel', constants.Z_MIN_MEMLEVEL, constants.Z_MAX_MEMLEVEL, memLevel);
    strategy = checkRange(opts.strategy, 'options.strategy', constants.Z_DEFAULT_STRATEGY, constants.Z_FIXED, strategy);
    dictionary = dictionaryOf(opts);
  }
  const { kind, bits } = hostKindOf(mode, windowBits);
  const isSingle = opts?.rejectGarbageAfterEnd === true;
  const handle = open(kind, { windowBits: bits, level, memLevel, strategy, isSingle }, dictionary);
  FunctionCall(ZlibBase, this, opts, handle, ZLIB_USUAL);
  this._level = level;
  this._strategy = strategy;
  this._mode = mode;
}
ObjectSetPrototypeOf(Zlib.prototype, ZlibBase.prototype);
ObjectSetPrototypeOf(Zlib, ZlibBase);
ObjectDefineProperty(Handle.prototype, 'constructor', {
  __proto__: null,
  configurable: true,
  get: () => require('node/zlib/binding').Zlib,
});
ObjectDefineProperty(Handle.prototype, 'writeSync', {
  __proto__: null,
  configurable: true,
  writable: true,
  value(...args) {
    require('node/zlib/binding').writeOf(this.owner, ...intact(args));
  },
});

/** Changes level and strategy; pending data is compressed with the old ones. */
Zlib.prototype.params = function params(level, strategy, callback) {
  checkRange(level, 'level', constants.Z_MIN_LEVEL, constants.Z_MAX_LEVEL);
  checkRange(strategy, 'strategy', constants.Z_DEFAULT_STRATEGY, constants.Z_FIXED);
  if (this._level === level && this._strategy === strategy) {
    nextTick(callback);
    return;
  }
  this.flush(Z_SYNC_FLUSH, (error) => {
    if (!this._handle) throw new codes.ERR_INTERNAL_ASSERTION('zlib binding closed');
    this._handle.params(level, strategy);
    if (this.destroyed) return;
    this._level = level;
    this._strategy = strategy;
    if (callback) callback(error);
  });
};

// --- brotli and zstd

/** [[key, value], …] of `options.params`, validated. */
function paramsOf(opts, largest, Invalid) {
  const params = new Map();
  if (!opts?.params) return params;
  for (const name of intact(ObjectKeys(opts.params))) {
    const key = +name;
    if (NumberIsNaN(key) || key < 0 || key > largest || params.has(key)) throw new Invalid(name);
    const value = opts.params[name];
    if (typeof value !== 'number' && typeof value !== 'boolean') {
      throw new codes.ERR_INVALID_ARG_TYPE('options.params[key]', 'number', value);
    }
    params.set(key, value >>> 0);
  }
  return params;
}

const largestOf = (prefix) =>
  MathMax(
    ...intact(
      ArrayMap(
        ArrayFilter(ObjectKeys(constants), (name) => StringStartsWith(name, prefix)),
        (name) => constants[name],
      ),
    ),
  );
const LARGEST_BROTLI = largestOf('BROTLI_PARAM_');
const LARGEST_ZSTD_C = largestOf('ZSTD_c_');
const LARGEST_ZSTD_D = largestOf('ZSTD_d_');

function Brotli(opts, mode) {
  const params = [...intact(paramsOf(opts, LARGEST_BROTLI, codes.ERR_BROTLI_INVALID_PARAM))];
  const dictionary = dictionaryOf(opts);
  const kind = mode === constants.BROTLI_ENCODE ? 'brotliCompress' : 'brotliDecompress';
  FunctionCall(ZlibBase, this, opts, open(kind, { params }, dictionary), BROTLI_USUAL);
}
ObjectSetPrototypeOf(Brotli.prototype, Zlib.prototype);
ObjectSetPrototypeOf(Brotli, Zlib);

class Zstd extends ZlibBase {
  constructor(opts, kind, largest) {
    const params = ArrayMap([...intact(paramsOf(opts, largest, codes.ERR_ZSTD_INVALID_PARAM))], ({ 0: key, 1: value }) => [
      key,
      value | 0,
    ]);
    const dictionary = dictionaryOf(opts);
    super(opts, open(kind, { params, size: opts?.pledgedSrcSize }, dictionary), ZSTD_USUAL);
  }
}

class ZstdCompress extends Zstd {
  constructor(opts) {
    super(opts, 'zstdCompress', LARGEST_ZSTD_C);
  }
}

class ZstdDecompress extends Zstd {
  constructor(opts) {
    super(opts, 'zstdDecompress', LARGEST_ZSTD_D);
  }
}

// --- classes callable without `new`

const warnedClasses = new Set();

function withoutNew(Class, opts) {
  if (!SetHas(warnedClasses, Class)) {
    SetAdd(warnedClasses, Class);
    host.emitWarning(
      `Instantiating ${Class.name} without the 'new' keyword has been deprecated.`,
      'DeprecationWarning',
      'DEP0184',
    );
  }
  return new Class(opts);
}

function kind(Base, name, mode, adjust = (opts) => opts) {
  const Class = {
    [name]: function (opts) {
      if (!(this instanceof Class)) return withoutNew(Class, opts);
      FunctionCall(Base, this, adjust(opts), mode);
    },
  }[name];
  ObjectSetPrototypeOf(Class.prototype, Base.prototype);
  ObjectSetPrototypeOf(Class, Base);
  return Class;
}

/**
 * zlib widens a window of 2^8 bytes to 2^9, which a raw stream cannot announce. Like Node, this changes the caller's options.
 */
function widenWindow(opts) {
  if (opts && opts.windowBits === 8) opts.windowBits = 9;
  return opts;
}

module.exports = {
  Deflate: kind(Zlib, 'Deflate', constants.DEFLATE),
  Inflate: kind(Zlib, 'Inflate', constants.INFLATE),
  Gzip: kind(Zlib, 'Gzip', constants.GZIP),
  Gunzip: kind(Zlib, 'Gunzip', constants.GUNZIP),
  DeflateRaw: kind(Zlib, 'DeflateRaw', constants.DEFLATERAW, widenWindow),
  InflateRaw: kind(Zlib, 'InflateRaw', constants.INFLATERAW),
  Unzip: kind(Zlib, 'Unzip', constants.UNZIP),
  BrotliCompress: kind(Brotli, 'BrotliCompress', constants.BROTLI_ENCODE),
  BrotliDecompress: kind(Brotli, 'BrotliDecompress', constants.BROTLI_DECODE),
  ZstdCompress,
  ZstdDecompress,
};
