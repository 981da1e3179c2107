// @ts-check
'use strict';
// Owns: CompressionStream and DecompressionStream: a TransformStream around a stream of the host's zlib. Invalid data is a
// TypeError whose cause is the library's error.

const { isArrayBuffer, isSharedArrayBuffer } = require('internal/brands');
const {
  ArrayBufferIsView,
  ObjectAssign,
  ObjectDefineProperties,
  PromiseThen,
  SymbolFor,
  intact,
} = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { open, libraryError } = require('internal/zlib/handle');
const { TransformStream } = require('web/streams/transform');
const { inspectNamed } = require('internal/inspect/named');

const native = host.native;
const STEP_BYTES = 64 * 1024;
const ZLIB = { windowBits: 15, level: -1, memLevel: 8, strategy: 0, isSingle: true };
const FLUSH = { __proto__: null, zlib: [0, 4], brotli: [0, 2], zstd: [0, 2] };
// format -> [family, kind, settings] for each direction
const COMPRESSORS = {
  __proto__: null,
  'gzip': ['zlib', 'deflate', { ...ZLIB, windowBits: 31 }],
  'deflate': ['zlib', 'deflate', ZLIB],
  'deflate-raw': ['zlib', 'deflate', { ...ZLIB, windowBits: -15 }],
  'brotli': ['brotli', 'brotliCompress', { params: [] }],
  'zstd': ['zstd', 'zstdCompress', { params: [] }],
};
const DECOMPRESSORS = {
  __proto__: null,
  'gzip': ['zlib', 'gunzip', ZLIB],
  'deflate': ['zlib', 'inflate', ZLIB],
  'deflate-raw': ['zlib', 'inflateRaw', ZLIB],
  'brotli': ['brotli', 'brotliDecompress', { params: [] }],
  'zstd': ['zstd', 'zstdDecompress', { params: [] }],
};

function bytesOf(chunk) {
  if (chunk === null) throw new codes.ERR_STREAM_NULL_VALUES();
  if (typeof chunk === 'string') return native.encodeUtf8(chunk);
  if (isArrayBuffer(chunk)) return new Uint8Array(chunk);
  const isShared = isSharedArrayBuffer(chunk) || (ArrayBufferIsView(chunk) && isSharedArrayBuffer(chunk.buffer));
  if (isShared) throw new codes.ERR_INVALID_ARG_TYPE('chunk', ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], chunk);
  if (!ArrayBufferIsView(chunk))
    throw new codes.ERR_INVALID_ARG_TYPE('chunk', ['string', 'Buffer', 'TypedArray', 'DataView'], chunk);
  return new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}

function wrongData(message, errno, code) {
  const cause = libraryError(message, errno, code);
  const error = new TypeError('', { cause });
  error.code = cause.code;
  return error;
}

/** Feeds `data` to the host's stream and enqueues its output; rejects if the data is invalid. */
function run(handle, data, flush, controller) {
  return new Promise((resolve, reject) => {
    const handleStep = ({ 0: output, 1: left, 2: hasMore, 3: message, 4: errno, 5: code }) => {
      if (message !== null) {
        handle.close();
        reject(wrongData(message, errno, code));
        return;
      }
      if (output.length > 0) controller.enqueue(output);
      if (hasMore) handle.resumeLater(flush, STEP_BYTES, handleStep);
      else if (left > 0) {
        handle.close();
        reject(new codes.ERR_TRAILING_JUNK_AFTER_STREAM_END());
      } else resolve(undefined);
    };
    handle.runLater(data, flush, STEP_BYTES, handleStep);
  });
}

function pairFor(table, format, className) {
  const row = table[`${format}`];
  if (row === undefined) {
    const error = new TypeError(
      `Failed to construct '${className}': 1st argument '${format}' is not a valid enum value of type CompressionFormat.`,
    );
    throw ObjectAssign(error, { code: 'ERR_INVALID_ARG_VALUE' });
  }
  const [family, kind, settings] = intact(row);
  const [process, finish] = intact(FLUSH[family]);
  const handle = open(kind, settings);
  // Some output is produced before the first read, so that `await writer.write(chunk)` resolves, as in Node.
  const readableStrategy = { highWaterMark: STEP_BYTES, size: (chunk) => chunk.byteLength };
  const transformer = {
    transform: (chunk, controller) => run(handle, bytesOf(chunk), process, controller),
    flush: (controller) => PromiseThen(run(handle, new Uint8Array(0), finish, controller), () => handle.close()),
    cancel() {
      handle.close();
    },
  };
  return new TransformStream(transformer, undefined, readableStrategy);
}

/** Defines the members that both classes share, as Node prints and enumerates them. */
function finishClass(Class) {
  const enumerable = { __proto__: null, enumerable: true };
  ObjectDefineProperties(Class.prototype, {
    readable: enumerable,
    writable: enumerable,
    [Symbol.toStringTag]: { __proto__: null, value: Class.name, configurable: true },
    [SymbolFor('nodejs.util.inspect.custom')]: {
      __proto__: null,
      value(depth, options, inspect) {
        if (depth < 0) return this;
        const shown = { readable: this.readable, writable: this.writable };
        return inspectNamed(Class.name, shown, options, inspect);
      },
    },
  });
}

class CompressionStream {
  #transform;
  constructor(format) {
    this.#transform = pairFor(COMPRESSORS, format, 'CompressionStream');
  }
  get readable() {
    return this.#transform.readable;
  }
  get writable() {
    return this.#transform.writable;
  }
}
finishClass(CompressionStream);

class DecompressionStream {
  #transform;
  constructor(format) {
    this.#transform = pairFor(DECOMPRESSORS, format, 'DecompressionStream');
  }
  get readable() {
    return this.#transform.readable;
  }
  get writable() {
    return this.#transform.writable;
  }
}
finishClass(DecompressionStream);

module.exports = { CompressionStream, DecompressionStream };
