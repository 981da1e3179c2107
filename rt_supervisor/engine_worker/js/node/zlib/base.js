// @ts-check
'use strict';
// Owns: ZlibBase, the Transform that all classes of node:zlib extend: input goes through a `Handle`, output is pushed in
// chunks of `chunkSize`. The formats and their options are in zlib/kinds.

const {
  ArrayForEach,
  ArrayPush,
  FunctionCall,
  MathMax,
  MathMin,
  ObjectDefineProperty,
  ObjectSetPrototypeOf,
  intact,
} = require('internal/primordials');
const { Transform } = require('node/stream/transform');
const { Buffer } = require('node/buffer/buffer');
const { codes } = require('internal/errors/errors');
const { validateBoolean } = require('internal/validators');
const { constants } = require('node/zlib/constants');
const { checkRange, isFiniteNumber } = require('node/zlib/ranges');
const { libraryError } = require('internal/zlib/handle');
const { nextTick } = require('internal/timers');

const kFlushFlag = Symbol('kFlushFlag');
const kError = Symbol('kError');
const { kMaxLength } = require('node/buffer/buffer');
const { Z_DEFAULT_CHUNK, Z_MIN_CHUNK, Z_SYNC_FLUSH, Z_BLOCK, Z_NO_FLUSH, BROTLI_OPERATION_EMIT_METADATA, ZSTD_e_end } = constants;
// The most output of one step before it is pushed: memory stays bounded whatever the input expands to.
const STEP_BYTES = 256 * 1024;
// The valid range of flush modes per family.
const FLUSH_BOUND = {
  __proto__: null,
  zlib: [Z_NO_FLUSH, Z_BLOCK],
  brotli: [0, BROTLI_OPERATION_EMIT_METADATA],
  zstd: [0, ZSTD_e_end],
};

const flushBuffers = [];
for (let kind = 0; kind <= Z_BLOCK; kind++) flushBuffers[kind] = Buffer.alloc(0);
ArrayForEach(flushBuffers, (buffer, kind) => {
  buffer[kFlushFlag] = kind;
});

// zlib's flush modes by strength; the other families have only the first three numbers.
const FLUSH_ORDER = [Z_NO_FLUSH, Z_BLOCK, constants.Z_PARTIAL_FLUSH, Z_SYNC_FLUSH, constants.Z_FULL_FLUSH, constants.Z_FINISH];
const rank = [];
ArrayForEach(FLUSH_ORDER, (flag, place) => {
  rank[flag] = place;
});
const maxFlush = (a, b) => (rank[a] > rank[b] ? a : b);

/** The handle's output buffer, which packages write to (pngjs); created on first access. */
const OUT_BUFFER = {
  __proto__: null,
  configurable: true,
  get() {
    return (this._outBuffer = Buffer.allocUnsafe(this._chunkSize));
  },
  set(value) {
    ObjectDefineProperty(this, '_outBuffer', { __proto__: null, value, writable: true, enumerable: true, configurable: true });
  },
};

/** The last argument holds the family of the format and its default flush modes. */
function ZlibBase(opts, handle, { family, flush, finishFlush, fullFlush }) {
  let chunkSize = Z_DEFAULT_CHUNK;
  let maxOutputLength = kMaxLength;
  if (opts) {
    chunkSize = opts.chunkSize;
    if (!isFiniteNumber(chunkSize, 'options.chunkSize')) chunkSize = Z_DEFAULT_CHUNK;
    else if (chunkSize < Z_MIN_CHUNK) throw new codes.ERR_OUT_OF_RANGE('options.chunkSize', `>= ${Z_MIN_CHUNK}`, chunkSize);
    const { 0: low, 1: high } = FLUSH_BOUND[family];
    flush = checkRange(opts.flush, 'options.flush', low, high, flush);
    finishFlush = checkRange(opts.finishFlush, 'options.finishFlush', low, high, finishFlush);
    maxOutputLength = checkRange(opts.maxOutputLength, 'options.maxOutputLength', 1, kMaxLength, kMaxLength);
    if (opts.rejectGarbageAfterEnd !== undefined) validateBoolean(opts.rejectGarbageAfterEnd, 'options.rejectGarbageAfterEnd');
    if (opts.encoding || opts.objectMode || opts.writableObjectMode) {
      opts = { ...opts, encoding: null, objectMode: false, writableObjectMode: false };
    }
  }
  FunctionCall(Transform, this, { autoDestroy: true, ...opts });
  this[kError] = null;
  this.bytesWritten = 0;
  this._handle = handle;
  handle.owner = this;
  this._writeState = new Uint32Array(2);
  ObjectDefineProperty(this, '_outBuffer', OUT_BUFFER);
  this._outOffset = 0;
  this._chunkSize = chunkSize;
  this._defaultFlushFlag = flush;
  this._finishFlushFlag = finishFlush;
  this._defaultFullFlushFlag = fullFlush;
  this._flushBounds = FLUSH_BOUND[family];
  this._info = opts?.info;
  this._maxOutputLength = maxOutputLength;
  this._rejectGarbageAfterEnd = opts?.rejectGarbageAfterEnd === true;
}
ObjectSetPrototypeOf(ZlibBase.prototype, Transform.prototype);
ObjectSetPrototypeOf(ZlibBase, Transform);

ObjectDefineProperty(ZlibBase.prototype, '_closed', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get() {
    return !this._handle;
  },
});

ZlibBase.prototype.reset = function () {
  if (!this._handle) throw new codes.ERR_INTERNAL_ASSERTION('zlib binding closed');
  const [message, errno, code] = intact(this._handle.reset());
  if (message !== null) this.destroy(libraryError(message, errno, code));
};

/** At the end of the stream, an empty chunk flushes the rest. */
ZlibBase.prototype._flush = function (callback) {
  this._transform(Buffer.alloc(0), '', callback);
};

// Does nothing: since this is not Transform's own _final, its 'prefinish' listener calls _flush.
ZlibBase.prototype._final = function (callback) {
  callback();
};

ZlibBase.prototype.flush = function (kind, callback) {
  if (typeof kind === 'function' || (kind === undefined && !callback)) {
    callback = kind;
    kind = this._defaultFullFlushFlag;
  }
  kind = checkRange(kind, 'kind', ...intact(this._flushBounds), this._defaultFullFlushFlag);
  if (this.writableFinished) {
    if (callback) nextTick(callback);
  } else if (this.writableEnded) {
    if (callback) this.once('end', callback);
  } else this.write(flushBuffers[kind], '', callback);
};

ZlibBase.prototype.close = function (callback) {
  if (callback) require('node/stream/finished').finished(this, callback);
  this.destroy();
};

ZlibBase.prototype._destroy = function (error, callback) {
  closeHandle(this);
  callback(error);
};

ZlibBase.prototype._transform = function (chunk, encoding, callback) {
  let flush = this._defaultFlushFlag;
  if (typeof chunk[kFlushFlag] === 'number') flush = chunk[kFlushFlag]; // an empty chunk that carries a flush
  if (this.writableEnded && this.writableLength === chunk.byteLength) flush = maxFlush(flush, this._finishFlushFlag);
  processChunk(this, chunk, flush, callback);
};

ZlibBase.prototype._processChunk = function (chunk, flush, callback) {
  if (typeof callback === 'function') processChunk(this, chunk, flush, callback);
  else return processChunkSync(this, chunk, flush);
};

function closeHandle(engine) {
  engine._handle?.close();
  engine._handle = null;
}

/** Processes a chunk and pushes its output, then calls `callback` for the next one. */
function processChunk(engine, chunk, flush, callback) {
  if (!engine._handle) return nextTick(callback);
  const inputLength = chunk.byteLength;
  let before = inputLength; // input bytes left before the last step

  const handleStep = ({ 0: output, 1: left, 2: hasMore, 3: message, 4: errno, 5: code }) => {
    if (engine.destroyed) {
      callback();
      return;
    }
    engine.bytesWritten += before - left;
    before = left;
    if (message !== null) {
      push(engine, output);
      const error = libraryError(message, errno, code);
      engine.destroy(error);
      engine[kError] = error;
      return;
    }
    const hasRoom = push(engine, output);
    if (engine.destroyed) {
      callback();
      return;
    }
    if (hasMore) {
      if (hasRoom) engine._handle.resumeLater(flush, stepBytes(engine), handleStep);
      else continueWhenRead(engine, () => engine._handle?.resumeLater(flush, stepBytes(engine), handleStep));
      return;
    }
    if (left > 0) {
      // the compressed data ended earlier
      if (engine._rejectGarbageAfterEnd) engine.destroy(new codes.ERR_TRAILING_JUNK_AFTER_STREAM_END());
      else engine.push(null);
      if (engine._rejectGarbageAfterEnd) return;
    }
    callback();
  };
  engine._handle.runLater(chunk, flush, stepBytes(engine), handleStep);
}

/** The most output of one step: while the stream does not flow, no more than its buffer has room for, in whole chunks. */
function stepBytes(engine) {
  if (engine.readableFlowing) return MathMax(engine._chunkSize, STEP_BYTES);
  const room = engine.readableHighWaterMark - engine.readableLength;
  return MathMax(engine._chunkSize - engine._outOffset, room - (room % engine._chunkSize));
}

/** Pushes output in chunks of chunkSize, filling up the last one first. Returns whether more is wanted. */
function push(engine, output) {
  let hasRoom = true;
  let place = 0;
  while (place < output.length) {
    const end = MathMin(output.length, place + engine._chunkSize - engine._outOffset);
    engine._outOffset = (engine._outOffset + end - place) % engine._chunkSize;
    hasRoom = engine.push(Buffer.from(output.buffer, output.byteOffset + place, end - place));
    if (engine.destroyed) return false;
    place = end;
  }
  return hasRoom;
}

/** The readable side is full: continues when it is read. */
function continueWhenRead(engine, resume) {
  const usual = engine._read;
  engine._read = function (size) {
    engine._read = usual;
    resume();
    this._read(size);
  };
}

function processChunkSync(engine, chunk, flush) {
  const handle = engine._handle;
  if (!handle) throw new codes.ERR_INTERNAL_ASSERTION('zlib binding closed');
  let total = 0;
  const pieces = [];
  engine.on('error', function onError() {}); // the caller throws it
  const most = engine._maxOutputLength;
  let answer = handle.run(chunk, flush, MathMin(most + 1, 2 ** 30));
  for (;;) {
    const { 0: output, 1: left, 2: hasMore, 3: message, 4: errno, 5: code } = answer;
    engine.bytesWritten = chunk.byteLength - left;
    total += output.length;
    ArrayPush(pieces, output);
    if (message !== null) {
      closeHandle(engine);
      const error = libraryError(message, errno, code);
      engine.destroy(error);
      engine[kError] = error;
      throw error;
    }
    if (total > most) {
      closeHandle(engine);
      throw new codes.ERR_BUFFER_TOO_LARGE(most);
    }
    if (!hasMore) {
      closeHandle(engine);
      if (left > 0 && engine._rejectGarbageAfterEnd) throw new codes.ERR_TRAILING_JUNK_AFTER_STREAM_END();
      break;
    }
    answer = handle.resume(flush, MathMin(most - total + 1, 2 ** 30));
  }
  if (pieces.length > 1) return Buffer.concat(pieces, total);
  return Buffer.from(pieces[0].buffer, pieces[0].byteOffset, pieces[0].byteLength);
}

module.exports = { ZlibBase, closeHandle, processChunkSync, kError };
