'use strict';
// Owns: the internals of a Readable: its state, the path of chunks from push() to the buffer or to 'data', when 'readable' is
// emitted, reading ahead with _read, and the end. The class is in node/stream/readable.js, the buffer in
// node/stream/buffer.js.
//
// Invariants: `flowing` is null until the mode is chosen, true when chunks go to 'data' automatically, false when they
// wait; _read is not called again before push() (`reading`).

const { ArrayBufferIsView, ArrayPush, NumberIsNaN, ObjectDefineProperties, SetClear } = require('internal/primordials');
const { toBuffer } = require('node/stream/legacy');
const { errorOrDestroy, kOnConstructed } = require('node/stream/destroy');
const { highWaterMarkOf } = require('node/stream/marks');
const { checkEncoding } = require('node/stream/encodings');
const buffers = require('node/stream/buffer');
const { nextTick } = require('internal/timers');
const { codes } = require('internal/errors/errors');

const kPaused = Symbol('kPaused');

function ReadableState(options, stream, isDuplex = stream instanceof require('node/stream/duplex')) {
  this.objectMode = Boolean(options?.objectMode || (isDuplex && options?.readableObjectMode));
  this.highWaterMark = highWaterMarkOf(this, options, 'readableHighWaterMark', isDuplex);
  this.buffer = [];
  this.bufferIndex = 0;
  this.length = 0;
  this.pipes = [];
  this.awaitDrainWriters = null; // the destination that is full, or a Set if there are several destinations
  this.multiAwaitDrain = false;
  this.flowing = null;
  this[kPaused] = null; // pause() was called; unlike `flowing` it survives a 'readable' listener
  this.reading = false;
  this.sync = true; // _read has not returned yet
  this.needReadable = false; // emit 'readable' when a chunk or the end arrives
  this.emittedReadable = false;
  this.readableListening = false;
  this.dataListening = false;
  this.endUntold = false; // the end arrived while nothing listened to 'readable'
  this.endScheduled = false;
  this.resumeScheduled = false;
  this.readingMore = false;
  this.dataEmitted = false;
  this.ended = false; // push(null) was called
  this.endEmitted = false;
  this.constructed = true;
  this.destroyed = false;
  this.errored = null;
  this.errorEmitted = false;
  this.closed = false;
  this.closeEmitted = false;
  this.emitClose = options?.emitClose !== false;
  this.autoDestroy = options?.autoDestroy !== false;
  this.defaultEncoding = checkEncoding(options?.defaultEncoding);
  this.decoder = null;
  this.encoding = null;
  if (options?.encoding) {
    const { StringDecoder } = require('node/string_decoder');
    this.decoder = new StringDecoder(options.encoding);
    this.encoding = options.encoding;
  }
}

ReadableState.prototype[kOnConstructed] = function onConstructed(stream) {
  if (this.needReadable) readMoreSoon(stream, this);
};
ObjectDefineProperties(ReadableState.prototype, {
  pipesCount: {
    __proto__: null,
    get() {
      return this.pipes.length;
    },
    configurable: true,
  },
  paused: {
    __proto__: null,
    get() {
      return this[kPaused] === true;
    },
    set(value) {
      this[kPaused] = Boolean(value);
    },
    configurable: true,
  },
});

const sizeOf = (state, chunk) => (state.objectMode ? 1 : chunk.length);

// --- producing

/**
 * A chunk of a byte stream as a Buffer, or as a string in the stream's encoding; undefined for a wrong type, which is an
 * error.
 */
function bytesOf(stream, state, chunk, encoding, isPutBack) {
  if (chunk === null) return null;
  if (typeof chunk === 'string') {
    encoding = encoding || state.defaultEncoding;
    if (state.encoding === encoding) return chunk;
    const bytes = require('node/buffer/buffer').Buffer.from(chunk, encoding);
    return isPutBack && state.encoding ? bytes.toString(state.encoding) : bytes;
  }
  if (chunk instanceof require('node/buffer/buffer').Buffer) return chunk;
  if (ArrayBufferIsView(chunk)) return toBuffer(chunk);
  if (chunk === undefined) return require('node/buffer/buffer').Buffer.alloc(0);
  errorOrDestroy(stream, new codes.ERR_INVALID_ARG_TYPE('chunk', ['string', 'Buffer', 'TypedArray', 'DataView'], chunk));
  return undefined;
}

function endOfChunks(stream, state) {
  state.reading = false;
  onEnd(stream, state);
  return false;
}

function nothingNew(stream, state) {
  state.reading = false;
  readMoreSoon(stream, state);
  return wantsMore(state);
}

function append(stream, state, chunk, isDecoded) {
  if (state.ended) {
    errorOrDestroy(stream, new codes.ERR_STREAM_PUSH_AFTER_EOF());
    return false;
  }
  if (state.destroyed || state.errored) return false;
  state.reading = false;
  if (state.decoder && !isDecoded) {
    chunk = state.decoder.write(chunk);
    if (chunk.length === 0 && !state.objectMode) return nothingNew(stream, state);
  }
  addChunk(stream, state, chunk, false);
  return wantsMore(state);
}

const wantsMore = (state) => !state.ended && (state.length < state.highWaterMark || state.length === 0);

function addChunk(stream, state, chunk, isFirst) {
  if (state.flowing && state.length === 0 && !state.sync && state.dataListening) {
    // Nothing is buffered before it, so it is emitted immediately.
    forgetWriters(state);
    state.dataEmitted = true;
    stream.emit('data', chunk);
  } else {
    state.length += sizeOf(state, chunk);
    if (isFirst) buffers.putFirst(state, chunk);
    else ArrayPush(state.buffer, chunk);
    if (state.needReadable) emitReadable(stream);
  }
  readMoreSoon(stream, state);
}

/** Stops waiting for the 'drain' of pipe destinations. */
function forgetWriters(state) {
  if (state.multiAwaitDrain) SetClear(state.awaitDrainWriters);
  else state.awaitDrainWriters = null;
}

// --- consuming

function countToRead(count, state) {
  if (count <= 0 || (state.length === 0 && state.ended)) return 0;
  if (state.objectMode) return 1;
  if (NumberIsNaN(count)) {
    // read() takes one chunk in flowing mode; from a paused stream with an encoding, everything buffered.
    return state.length > 0 && (state.flowing || !state.decoder) ? state.buffer[state.bufferIndex].length : state.length;
  }
  if (count <= state.length) return count;
  return state.ended ? state.length : 0;
}

function onEnd(stream, state) {
  if (state.ended) return;
  const rest = state.decoder?.end();
  if (rest) {
    ArrayPush(state.buffer, rest);
    state.length += sizeOf(state, rest);
  }
  state.ended = true;
  if (state.sync) {
    // During _read, 'readable' can wait for the next tick, or for a listener.
    if (state.flowing || state.needReadable || stream.listenerCount('readable') > 0) emitReadable(stream);
    else state.endUntold = true;
  } else {
    state.needReadable = false;
    state.emittedReadable = true;
    emitReadableNow(stream);
  }
}

function emitReadable(stream) {
  const state = stream._readableState;
  state.needReadable = false;
  if (state.emittedReadable) return;
  state.emittedReadable = true;
  nextTick(emitReadableNow, stream);
}

function emitReadableNow(stream) {
  const state = stream._readableState;
  if (!state.destroyed && !state.errored && (state.length > 0 || state.ended)) {
    stream.emit('readable');
    state.emittedReadable = false;
  }
  if (!state.flowing && !state.ended && state.length <= state.highWaterMark) state.needReadable = true;
  flow(stream);
}

/** Fills the buffer up to the mark in the next tick, even without a request. */
function readMoreSoon(stream, state) {
  if (state.readingMore || state.reading || !state.constructed) return;
  state.readingMore = true;
  nextTick(readMore, stream, state);
}

function readMore(stream, state) {
  while (!state.reading && !state.ended && (state.length < state.highWaterMark || (state.flowing && state.length === 0))) {
    const before = state.length;
    stream.read(0);
    if (before === state.length) break;
  }
  state.readingMore = false;
}

// --- flowing and paused mode

function updateReadableListening(stream) {
  const state = stream._readableState;
  state.readableListening = stream.listenerCount('readable') > 0;
  if (state.resumeScheduled && state[kPaused] === false) state.flowing = true;
  else if (state.dataListening) stream.resume();
  else if (!state.readableListening) state.flowing = null;
}

function resumeNow(stream, state) {
  if (!state.reading) stream.read(0);
  state.resumeScheduled = false;
  stream.emit('resume');
  flow(stream);
  if (state.flowing && !state.reading) stream.read(0);
}

function flow(stream) {
  const state = stream._readableState;
  while (state.flowing && stream.read() !== null);
}

// --- the end

function endReadable(stream) {
  const state = stream._readableState;
  if (state.endEmitted || state.endScheduled) return;
  state.ended = state.endScheduled = true;
  nextTick(endReadableNow, state, stream);
}

function endReadableNow(state, stream) {
  state.endScheduled = false;
  // The stream may have been unshifted to, or have failed, since.
  if (state.errored || state.closeEmitted || state.endEmitted || state.length > 0) return;
  state.endEmitted = true;
  stream.emit('end');
  if (stream.writable && stream.allowHalfOpen === false) {
    nextTick(() => {
      if (stream.writable && !stream.writableEnded && !stream.destroyed) stream.end();
    });
  } else if (state.autoDestroy) {
    const writing = stream._writableState;
    if (!writing || (writing.autoDestroy && (writing.finished || writing.writable === false))) stream.destroy();
  }
}

module.exports = {
  ReadableState,
  kPaused,
  bytesOf,
  endOfChunks,
  nothingNew,
  append,
  addChunk,
  wantsMore,
  forgetWriters,
  countToRead,
  emitReadable,
  updateReadableListening,
  resumeNow,
  endReadable,
};
