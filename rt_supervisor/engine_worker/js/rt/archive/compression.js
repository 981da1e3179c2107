// @ts-check
'use strict';
// Owns: RT.gzipSync, gunzipSync, deflateSync (raw) and inflateSync, which return Uint8Arrays, and synchronous and asynchronous
// zstd, which returns Buffers. Options: level, memLevel, windowBits, strategy; `library` is accepted and ignored, because zlib
// performs all of them.

const { MathMin, MathTrunc, ObjectAssign, intact } = require('internal/primordials');
const native = host.native;
const { bytesOf } = require('internal/bytes');
const { asBuffer } = require('node/buffer/views');

const GZIP = 31;
const RAW = -15;
const EITHER = 47;
const AUTOMATIC = 32; // added to the window bits: zlib then detects the header
const FINISH = 4;
const ZSTD_END = 2;
const ZSTD_LEVEL = 100; // ZSTD_c_compressionLevel
const ALL = Number.MAX_SAFE_INTEGER;
const EMPTY = new Uint8Array(0);

function inputOf(data) {
  const bytes = typeof data === 'string' ? native.encodeUtf8(data) : bytesOf(data);
  if (bytes !== undefined) return bytes;
  throw ObjectAssign(new TypeError('data must be a string, ArrayBuffer or ArrayBufferView'), { code: 'ERR_INVALID_ARG_TYPE' });
}

function number(value, fallback, low, high) {
  if (value === undefined || value === null) return fallback;
  const whole = MathTrunc(Number(value)) || 0;
  if (whole < low || whole > high) throw new Error('Zlib error: Invalid argument');
  return whole;
}

function checkLibrary(options) {
  const library = options?.library;
  if (library !== undefined && library !== 'zlib' && library !== 'libdeflate') {
    throw ObjectAssign(new TypeError("Expected library to be one of 'zlib' or 'libdeflate'"), { code: 'ERR_INVALID_ARG_TYPE' });
  }
}

/** Runs one stream over the whole input. Returns the bytes, or an error with the library's message. */
function runWhole(kind, settings, input, flush) {
  const stream = native.zlib_create(kind, { ...settings, hasDictionary: false }, EMPTY);
  if (typeof stream === 'string') throw new Error(`Zlib error: ${stream}`);
  const [bytes, , , problem] = intact(native.zlib_run(stream, input, flush, ALL));
  native.zlib_close(stream);
  if (problem !== null) throw new Error(problem);
  return bytes;
}

const compressor = (name, usual) =>
  ({
    [name](data, options) {
      const input = inputOf(data);
      checkLibrary(options);
      const level = number(options?.level, 6, -1, 12);
      const window = number(options?.windowBits, usual, -15, 31);
      const settings = {
        windowBits: usual === RAW && window > 0 && window < 16 ? -window : window,
        level: MathMin(level, 9),
        memLevel: number(options?.memLevel, 8, 1, 9),
        strategy: number(options?.strategy, 0, 0, 4),
      };
      return runWhole('deflate', settings, input, FINISH);
    },
  })[name];

/** Returns the stream kind for zlib's window bits, which also encode the header. */
function inflaterOf(window) {
  if (window < 0) return ['inflateRaw', -window];
  if (window >= AUTOMATIC) return ['unzip', window - AUTOMATIC];
  return window > 15 ? ['gunzip', window - 16] : ['inflate', window];
}

const decompressor = (name, usual) =>
  ({
    [name](data, options) {
      const input = inputOf(data);
      checkLibrary(options);
      const [kind, windowBits] = intact(inflaterOf(number(options?.windowBits, usual, -15, 47)));
      return runWhole(kind, { windowBits }, input, FINISH);
    },
  })[name];

const invalidZstd = () => ObjectAssign(new Error('Decompression failed: InvalidZstdData'), { code: 'ERR_ZSTD' });

function zstdLevel(options) {
  const level = options?.level;
  if (level === undefined) return 3;
  if (typeof level !== 'number' || level < 1 || level > 22) {
    throw ObjectAssign(new TypeError('Compression level must be between 1 and 22'), { code: 'ERR_INVALID_ARG_TYPE' });
  }
  return MathTrunc(level);
}

function zstdCompressSync(data, options) {
  const input = inputOf(data);
  return asBuffer(runWhole('zstdCompress', { params: [[ZSTD_LEVEL, zstdLevel(options)]], size: input.length }, input, ZSTD_END));
}

function zstdDecompressSync(data) {
  const input = inputOf(data);
  try {
    return asBuffer(runWhole('zstdDecompress', { params: [] }, input, ZSTD_END));
  } catch {
    throw invalidZstd();
  }
}

/** Runs the stream on another thread. */
function later(kind, settings, input) {
  const stream = native.zlib_create(kind, { ...settings, hasDictionary: false }, EMPTY);
  return new Promise((resolve, reject) => {
    native.zlib_runLater(stream, input, ZSTD_END, ALL, (bytes, left, hasMore, problem) => {
      native.zlib_close(stream);
      if (problem === null) resolve(asBuffer(bytes));
      else reject(invalidZstd());
    });
  });
}

function zstdCompress(data, options) {
  const input = inputOf(data);
  return later('zstdCompress', { params: [[ZSTD_LEVEL, zstdLevel(options)]], size: input.length }, input);
}

function zstdDecompress(data) {
  return later('zstdDecompress', { params: [] }, inputOf(data));
}

module.exports = {
  gzipSync: compressor('gzipSync', GZIP),
  deflateSync: compressor('deflateSync', RAW),
  gunzipSync: decompressor('gunzipSync', EITHER),
  inflateSync: decompressor('inflateSync', RAW),
  zstdCompressSync,
  zstdDecompressSync,
  zstdCompress,
  zstdDecompress,
};
