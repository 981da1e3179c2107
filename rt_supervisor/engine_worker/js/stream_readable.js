'use strict';
// Owns: Readable: chunks come by push() from _read, wait in a buffer and leave by read(), 'data' or 'readable'. Piping is in
// stream_pipe.js, iteration in stream_iterate.js and stream_operators.js, the buffer itself in stream_buffer.js.
//
// Always holds: `flowing` is null until somebody decides, true when chunks go to 'data' by themselves, false when they wait;
// _read is not called again before push() (`reading`).

const { Stream, toBuffer } = require('./stream_legacy');
const { construct, destroy, errorOrDestroy, undestroy } = require('./stream_destroy');
const { highWaterMarkOf, raisedMark } = require('./stream_marks');
const { kOnConstructed, addAbortSignal, encodingNamed } = require('./stream_shared');
const buffers = require('./stream_buffer');
const { nextTick } = require('./timers');
const { AbortError, codes } = require('./errors');
const EventEmitter = require('./events');

const kPaused = Symbol('kPaused');

function ReadableState(options, stream, isDuplex = stream instanceof require('./stream_duplex')) {
  this.objectMode = Boolean(options?.objectMode || (isDuplex && options?.readableObjectMode));
  this.highWaterMark = highWaterMarkOf(this, options, 'readableHighWaterMark', isDuplex);
  this.buffer = [];
  this.bufferIndex = 0;
  this.length = 0;
  this.pipes = [];
  this.awaitDrainWriters = null; // the target that is full, or a Set once there are several targets
  this.multiAwaitDrain = false;
  this.flowing = null;
  this[kPaused] = null; // somebody called pause(); unlike `flowing` it survives a 'readable' listener
  this.reading = false;
  this.sync = true; // _read has not returned yet
  this.needReadable = false; // 'readable' is to be emitted when there is something
  this.emittedReadable = false;
  this.readableListening = false;
  this.dataListening = false;
  this.endUntold = false; // the end came while nobody listened to 'readable'
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
  this.defaultEncoding = encodingNamed(options?.defaultEncoding);
  this.decoder = null;
  this.encoding = null;
  if (options?.encoding) {
    const { StringDecoder } = require('./string_decoder');
    this.decoder = new StringDecoder(options.encoding);
    this.encoding = options.encoding;
  }
}

ReadableState.prototype[kOnConstructed] = function onConstructed(stream) {
  if (this.needReadable) readMoreSoon(stream, this);
};
Object.defineProperties(ReadableState.prototype, {
  pipesCount: { get() { return this.pipes.length; }, configurable: true },
  paused: { get() { return this[kPaused] === true; }, set(value) { this[kPaused] = Boolean(value); }, configurable: true },
});

const sizeOf = (state, chunk) => (state.objectMode ? 1 : chunk.length);

function Readable(options) {
  if (!(this instanceof Readable)) return new Readable(options);
  this._readableState = new ReadableState(options, this, false);
  if (options) {
    if (typeof options.read === 'function') this._read = options.read;
    if (typeof options.destroy === 'function') this._destroy = options.destroy;
    if (typeof options.construct === 'function') this._construct = options.construct;
    if (options.signal) addAbortSignal(options.signal, this);
  }
  Stream.call(this, options);
  if (this._construct != null) construct(this, () => this._readableState[kOnConstructed](this));
}
Object.setPrototypeOf(Readable.prototype, Stream.prototype);
Object.setPrototypeOf(Readable, Stream);
Readable.ReadableState = ReadableState;
Readable._fromList = (count, state) => buffers.takeFrom(state, count);

Readable.prototype.destroy = destroy;
Readable.prototype._undestroy = undestroy;
Readable.prototype._destroy = function _destroy(error, callback) { callback(error); };
Readable.prototype[EventEmitter.captureRejectionSymbol] = function onRejection(error) { this.destroy(error); };

Readable.prototype[Symbol.asyncDispose] = async function asyncDispose() {
  let error = null;
  if (!this.destroyed) {
    error = this.readableEnded ? null : new AbortError();
    this.destroy(error);
  }
  await new Promise((resolve, reject) => {
    require('./stream_finished').finished(this, (failure) => (failure && failure !== error ? reject(failure) : resolve(null)));
  });
};

// --- putting in

/** Give a chunk to the reader, null for the end; false when it is better to wait for the next _read. */
Readable.prototype.push = function push(chunk, encoding) {
  const state = this._readableState;
  if (!state.objectMode) {
    const bytes = bytesOf(this, state, chunk, encoding, false);
    if (bytes === undefined) return false;
    if (bytes === null) return endOfChunks(this, state);
    if (bytes.length === 0) return nothingNew(this, state);
    return append(this, state, bytes, typeof bytes === 'string');
  }
  if (chunk === null) return endOfChunks(this, state);
  return append(this, state, chunk, Boolean(encoding));
};

/** Put a chunk back: it is read next. */
Readable.prototype.unshift = function unshift(chunk, encoding) {
  const state = this._readableState;
  if (!state.objectMode) {
    chunk = bytesOf(this, state, chunk, encoding, true);
    if (chunk === undefined) return false;
    if (chunk !== null && chunk.length === 0) return wantsMore(state);
  }
  if (chunk === null) return endOfChunks(this, state);
  if (state.endEmitted) errorOrDestroy(this, new codes.ERR_STREAM_UNSHIFT_AFTER_END_EVENT());
  else if (state.destroyed || state.errored) return false;
  else addChunk(this, state, chunk, true);
  return wantsMore(state);
};

/** A chunk of a stream of bytes as a Buffer, or as text in the stream's own encoding; undefined after telling of a wrong one. */
function bytesOf(stream, state, chunk, encoding, isPutBack) {
  if (chunk === null) return null;
  if (typeof chunk === 'string') {
    encoding = encoding || state.defaultEncoding;
    if (state.encoding === encoding) return chunk;
    const bytes = require('./buffer').Buffer.from(chunk, encoding);
    return isPutBack && state.encoding ? bytes.toString(state.encoding) : bytes;
  }
  if (chunk instanceof require('./buffer').Buffer) return chunk;
  if (ArrayBuffer.isView(chunk)) return toBuffer(chunk);
  if (chunk === undefined) return require('./buffer').Buffer.alloc(0);
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
    // Nothing waits before it, so it goes out at once.
    forgetWriters(state);
    state.dataEmitted = true;
    stream.emit('data', chunk);
  } else {
    state.length += sizeOf(state, chunk);
    if (isFirst) buffers.putFirst(state, chunk);
    else state.buffer.push(chunk);
    if (state.needReadable) emitReadable(stream);
  }
  readMoreSoon(stream, state);
}

/** No target of a pipe is waited for any more. */
function forgetWriters(state) {
  if (state.multiAwaitDrain) state.awaitDrainWriters.clear();
  else state.awaitDrainWriters = null;
}

Readable.prototype.setEncoding = function setEncoding(encoding) {
  const { StringDecoder } = require('./string_decoder');
  const state = this._readableState;
  state.decoder = new StringDecoder(encoding);
  state.encoding = state.decoder.encoding;
  let text = '';
  for (const chunk of buffers.waiting(state)) text += state.decoder.write(chunk);
  if (state.ended) text += state.decoder.end();
  buffers.clear(state);
  if (text !== '') state.buffer.push(text);
  state.length = text.length;
  return this;
};

// --- taking out

function countToRead(count, state) {
  if (count <= 0 || (state.length === 0 && state.ended)) return 0;
  if (state.objectMode) return 1;
  if (Number.isNaN(count)) {
    // One chunk at a time, but for text that is not flowing.
    return state.length > 0 && (state.flowing || !state.decoder) ? state.buffer[state.bufferIndex].length : state.length;
  }
  if (count <= state.length) return count;
  return state.ended ? state.length : 0;
}

Readable.prototype.read = function read(count) {
  if (count === undefined) count = NaN;
  else if (!Number.isInteger(count)) count = Number.parseInt(count, 10);
  const state = this._readableState;
  const asked = count;
  if (count > state.highWaterMark) state.highWaterMark = raisedMark(count);
  if (count !== 0) state.emittedReadable = state.endUntold = false;

  // read(0) only sets things going: where enough waits already, that is to say so.
  if (count === 0 && state.needReadable && ((state.highWaterMark !== 0 ? state.length >= state.highWaterMark : state.length > 0) || state.ended)) {
    if (state.length === 0 && state.ended) endReadable(this);
    else emitReadable(this);
    return null;
  }
  count = countToRead(count, state);
  if (count === 0 && state.ended) {
    if (state.length === 0) endReadable(this);
    return null;
  }

  const isLow = state.needReadable || state.length === 0 || state.length - count < state.highWaterMark;
  if (isLow && !state.ended && !state.reading && !state.destroyed && !state.errored && state.constructed) {
    state.reading = true;
    state.sync = true;
    if (state.length === 0) state.needReadable = true;
    try {
      this._read(state.highWaterMark);
    } catch (error) {
      errorOrDestroy(this, error);
    }
    state.sync = false;
    if (!state.reading) count = countToRead(asked, state); // it pushed at once
  }

  const chunk = count > 0 ? buffers.takeFrom(state, count) : null;
  if (chunk === null) {
    if (state.length <= state.highWaterMark) state.needReadable = true;
    count = 0;
  } else {
    state.length -= count;
    forgetWriters(state);
  }
  if (state.length === 0) {
    if (!state.ended) state.needReadable = true;
    if (asked !== count && state.ended) endReadable(this);
  }
  if (chunk !== null && !state.errorEmitted && !state.closeEmitted) {
    state.dataEmitted = true;
    this.emit('data', chunk);
  }
  return chunk;
};

Readable.prototype._read = function _read() {
  throw new codes.ERR_METHOD_NOT_IMPLEMENTED('_read()');
};

function onEnd(stream, state) {
  if (state.ended) return;
  const rest = state.decoder?.end();
  if (rest) {
    state.buffer.push(rest);
    state.length += sizeOf(state, rest);
  }
  state.ended = true;
  if (state.sync) {
    // Within _read 'readable' can wait for the next tick, or for somebody who listens.
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

/** Fill the buffer up to the mark in the next tick, also when nobody asks. */
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

// --- flowing or not

Readable.prototype.on = function on(name, listener) {
  const result = Stream.prototype.on.call(this, name, listener);
  const state = this._readableState;
  if (name === 'data') {
    state.dataListening = true;
    if (this.listenerCount('readable') > 0) state.readableListening = true;
    if (state.flowing !== false) this.resume();
  } else if (name === 'readable' && !state.endEmitted && !state.readableListening) {
    state.readableListening = state.needReadable = true;
    state.flowing = false;
    state.emittedReadable = false;
    if (state.length > 0) {
      emitReadable(this);
    } else {
      if (state.endUntold) {
        state.endUntold = false;
        emitReadable(this);
      }
      if (!state.reading) nextTick(() => this.read(0));
    }
  }
  return result;
};
Readable.prototype.addListener = Readable.prototype.on;

Readable.prototype.removeListener = function removeListener(name, listener) {
  const result = Stream.prototype.removeListener.call(this, name, listener);
  // In the next tick: whoever replaces the listener does so now.
  if (name === 'readable') nextTick(updateReadableListening, this);
  else if (name === 'data' && this.listenerCount('data') === 0) this._readableState.dataListening = false;
  return result;
};
Readable.prototype.off = Readable.prototype.removeListener;

Readable.prototype.removeAllListeners = function removeAllListeners(...names) {
  const result = Stream.prototype.removeAllListeners.apply(this, names);
  if (names[0] === 'readable' || names[0] === undefined) nextTick(updateReadableListening, this);
  return result;
};

function updateReadableListening(stream) {
  const state = stream._readableState;
  state.readableListening = stream.listenerCount('readable') > 0;
  if (state.resumeScheduled && state[kPaused] === false) state.flowing = true;
  else if (state.dataListening) stream.resume();
  else if (!state.readableListening) state.flowing = null;
}

Readable.prototype.isPaused = function isPaused() {
  const state = this._readableState;
  return state[kPaused] === true || state.flowing === false;
};

Readable.prototype.resume = function resume() {
  const state = this._readableState;
  if (state.destroyed) return this;
  if (!state.flowing) {
    state.flowing = !state.readableListening; // with a 'readable' listener, that one reads
    if (!state.resumeScheduled) {
      state.resumeScheduled = true;
      nextTick(resumeNow, this, state);
    }
  }
  state[kPaused] = false;
  return this;
};

function resumeNow(stream, state) {
  if (!state.reading) stream.read(0);
  state.resumeScheduled = false;
  stream.emit('resume');
  flow(stream);
  if (state.flowing && !state.reading) stream.read(0);
}

Readable.prototype.pause = function pause() {
  const state = this._readableState;
  if (state.destroyed) return this;
  if (state.flowing !== false) {
    state.flowing = false;
    this.emit('pause');
  }
  state[kPaused] = true;
  return this;
};

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
  // The stream may have got something back, or have failed, since.
  if (state.errored || state.closeEmitted || state.endEmitted || state.length > 0) return;
  state.endEmitted = true;
  stream.emit('end');
  if (stream.writable && stream.allowHalfOpen === false) {
    nextTick(() => { if (stream.writable && !stream.writableEnded && !stream.destroyed) stream.end(); });
  } else if (state.autoDestroy) {
    const writing = stream._writableState;
    if (!writing || (writing.autoDestroy && (writing.finished || writing.writable === false))) stream.destroy();
  }
}

// --- what can be asked

const getters = {
  readableDidRead() { return this._readableState.dataEmitted; },
  readableAborted() {
    const state = this._readableState;
    return Boolean(state.readable !== false && (state.destroyed || state.errored) && !state.endEmitted);
  },
  readableHighWaterMark() { return this._readableState.highWaterMark; },
  readableBuffer() { return this._readableState && buffers.waiting(this._readableState); },
  readableLength() { return this._readableState.length; },
  readableObjectMode() { return this._readableState ? this._readableState.objectMode : false; },
  readableEncoding() { return this._readableState ? this._readableState.encoding : null; },
  errored() { return this._readableState ? this._readableState.errored : null; },
  closed() { return this._readableState ? this._readableState.closed : false; },
  readableEnded() { return this._readableState ? this._readableState.endEmitted : false; },
};
for (const name of Object.keys(getters)) Object.defineProperty(Readable.prototype, name, { get: getters[name], configurable: true });

Object.defineProperties(Readable.prototype, {
  readable: {
    configurable: true,
    get() {
      const state = this._readableState;
      return Boolean(state) && state.readable !== false && !state.destroyed && !state.errorEmitted && !state.endEmitted;
    },
    set(value) { if (this._readableState) this._readableState.readable = Boolean(value); },
  },
  readableFlowing: {
    configurable: true,
    get() { return this._readableState.flowing; },
    set(value) { if (this._readableState) this._readableState.flowing = value; },
  },
  destroyed: {
    configurable: true,
    get() { return this._readableState ? this._readableState.destroyed : false; },
    set(value) { if (this._readableState) this._readableState.destroyed = value; },
  },
});

require('./stream_pipe').install(Readable);
require('./stream_iterate').install(Readable);
require('./stream_operators').install(Readable);
Readable.from = (iterable, options) => require('./stream_from').readableFrom(Readable, iterable, options);
Readable.fromWeb = (stream, options) => require('./stream_web_bridge').readableFromWeb(stream, options);
Readable.toWeb = (stream, options) => require('./stream_web_bridge').readableToWeb(stream, options);
Readable.wrap = (source, options) => new Readable({
  objectMode: source.readableObjectMode ?? source.objectMode ?? true,
  ...options,
  destroy(error, callback) {
    require('./stream_destroy').destroyer(source, error);
    callback(error);
  },
}).wrap(source);

module.exports = Readable;
