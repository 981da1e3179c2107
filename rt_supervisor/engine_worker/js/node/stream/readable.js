'use strict';
// Owns: Readable: push and unshift for producers; read, 'data', 'readable', pause and resume for consumers; and its
// properties. The internals are in node/stream/reading.js, piping in node/stream/pipe.js, iteration in node/stream/iterate.js
// and node/stream/operators.js.

const {
  ArrayPush,
  FunctionCall,
  NumberIsInteger,
  NumberParseInt,
  ObjectDefineProperties,
  ObjectDefineProperty,
  ObjectKeys,
  ObjectSetPrototypeOf,
  ReflectApply,
  intact,
} = require('internal/primordials');
const { Stream } = require('node/stream/legacy');
const { construct, destroy, errorOrDestroy, undestroy, kOnConstructed } = require('node/stream/destroy');
const { raisedMark } = require('node/stream/marks');
const { addAbortSignal } = require('node/stream/abort_signals');
const buffers = require('node/stream/buffer');
const { nextTick } = require('internal/timers');
const { AbortError, codes } = require('internal/errors/errors');
const EventEmitter = require('node/events/events');
const {
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
} = require('node/stream/reading');

function Readable(options) {
  if (!(this instanceof Readable)) return new Readable(options);
  this._events ??= { close: undefined, error: undefined, data: undefined, end: undefined, readable: undefined };
  this._readableState = new ReadableState(options, this, false);
  if (options) {
    if (typeof options.read === 'function') this._read = options.read;
    if (typeof options.destroy === 'function') this._destroy = options.destroy;
    if (typeof options.construct === 'function') this._construct = options.construct;
    if (options.signal) addAbortSignal(options.signal, this);
  }
  FunctionCall(Stream, this, options);
  if (this._construct != null) construct(this, () => this._readableState[kOnConstructed](this));
}
ObjectSetPrototypeOf(Readable.prototype, Stream.prototype);
ObjectSetPrototypeOf(Readable, Stream);
Readable.ReadableState = ReadableState;
Readable._fromList = (count, state) => buffers.takeFrom(state, count);

Readable.prototype.destroy = destroy;
Readable.prototype._undestroy = undestroy;
Readable.prototype._destroy = function _destroy(error, callback) {
  callback(error);
};
Readable.prototype[EventEmitter.captureRejectionSymbol] = function onRejection(error) {
  this.destroy(error);
};

Readable.prototype[Symbol.asyncDispose] = async function asyncDispose() {
  let error = null;
  if (!this.destroyed) {
    error = this.readableEnded ? null : new AbortError();
    this.destroy(error);
  }
  await new Promise((resolve, reject) => {
    require('node/stream/finished').finished(this, (failure) => (failure && failure !== error ? reject(failure) : resolve(null)));
  });
};

// --- producing

/** Adds a chunk; null ends the stream. Returns false when the buffer is full: wait for the next _read. */
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

/** Puts a chunk back: it is read next. */
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

Readable.prototype.setEncoding = function setEncoding(encoding) {
  const { StringDecoder } = require('node/string_decoder');
  const state = this._readableState;
  state.decoder = new StringDecoder(encoding);
  state.encoding = state.decoder.encoding;
  let text = '';
  for (let index = 0, list = buffers.waiting(state); index < list.length; index++) {
    const chunk = list[index];
    text += state.decoder.write(chunk);
  }
  if (state.ended) text += state.decoder.end();
  buffers.clear(state);
  if (text !== '') ArrayPush(state.buffer, text);
  state.length = text.length;
  return this;
};

// --- consuming

Readable.prototype.read = function read(count) {
  if (count === undefined) count = NaN;
  else if (!NumberIsInteger(count)) count = NumberParseInt(count, 10);
  const state = this._readableState;
  const requestedCount = count;
  if (count > state.highWaterMark) state.highWaterMark = raisedMark(count);
  if (count !== 0) state.emittedReadable = state.endUntold = false;

  // read(0) consumes nothing; if enough is buffered, or the stream has ended, it only emits 'readable' or 'end'.
  if (
    count === 0 &&
    state.needReadable &&
    ((state.highWaterMark !== 0 ? state.length >= state.highWaterMark : state.length > 0) || state.ended)
  ) {
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
    if (!state.reading) count = countToRead(requestedCount, state); // it pushed synchronously
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
    if (requestedCount !== count && state.ended) endReadable(this);
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

// --- flowing and paused mode

Readable.prototype.on = function on(name, listener) {
  const result = FunctionCall(Stream.prototype.on, this, name, listener);
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
  const result = FunctionCall(Stream.prototype.removeListener, this, name, listener);
  // In the next tick: code that replaces the listener adds the new one first.
  if (name === 'readable') nextTick(updateReadableListening, this);
  else if (name === 'data' && this.listenerCount('data') === 0) this._readableState.dataListening = false;
  return result;
};
Readable.prototype.off = Readable.prototype.removeListener;

Readable.prototype.removeAllListeners = function removeAllListeners(...names) {
  const result = ReflectApply(Stream.prototype.removeAllListeners, this, names);
  if (names[0] === 'readable' || names[0] === undefined) nextTick(updateReadableListening, this);
  return result;
};

Readable.prototype.isPaused = function isPaused() {
  const state = this._readableState;
  return state[kPaused] === true || state.flowing === false;
};

Readable.prototype.resume = function resume() {
  const state = this._readableState;
  if (state.destroyed) return this;
  if (!state.flowing) {
    state.flowing = !state.readableListening; // a 'readable' listener reads on its own
    if (!state.resumeScheduled) {
      state.resumeScheduled = true;
      nextTick(resumeNow, this, state);
    }
  }
  state[kPaused] = false;
  return this;
};

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

// --- properties

const getters = {
  readableDidRead() {
    return this._readableState.dataEmitted;
  },
  readableAborted() {
    const state = this._readableState;
    return Boolean(state.readable !== false && (state.destroyed || state.errored) && !state.endEmitted);
  },
  readableHighWaterMark() {
    return this._readableState.highWaterMark;
  },
  readableBuffer() {
    return this._readableState && buffers.waiting(this._readableState);
  },
  readableLength() {
    return this._readableState.length;
  },
  readableObjectMode() {
    return this._readableState ? this._readableState.objectMode : false;
  },
  readableEncoding() {
    return this._readableState ? this._readableState.encoding : null;
  },
  errored() {
    return this._readableState ? this._readableState.errored : null;
  },
  closed() {
    return this._readableState ? this._readableState.closed : false;
  },
  readableEnded() {
    return this._readableState ? this._readableState.endEmitted : false;
  },
};
for (const name of intact(ObjectKeys(getters)))
  ObjectDefineProperty(Readable.prototype, name, { __proto__: null, get: getters[name], configurable: true });

ObjectDefineProperties(Readable.prototype, {
  readable: {
    __proto__: null,
    configurable: true,
    get() {
      const state = this._readableState;
      return Boolean(state) && state.readable !== false && !state.destroyed && !state.errorEmitted && !state.endEmitted;
    },
    set(value) {
      if (this._readableState) this._readableState.readable = Boolean(value);
    },
  },
  readableFlowing: {
    __proto__: null,
    configurable: true,
    get() {
      return this._readableState.flowing;
    },
    set(value) {
      if (this._readableState) this._readableState.flowing = value;
    },
  },
  destroyed: {
    __proto__: null,
    configurable: true,
    get() {
      return this._readableState ? this._readableState.destroyed : false;
    },
    set(value) {
      if (this._readableState) this._readableState.destroyed = value;
    },
  },
});

require('node/stream/pipe').install(Readable);
require('node/stream/iterate').install(Readable);
require('node/stream/operators').install(Readable);
Readable.from = (iterable, options) => require('node/stream/from').readableFrom(Readable, iterable, options);
Readable.fromWeb = (stream, options) => require('node/stream/web_bridge').readableFromWeb(stream, options);
Readable.toWeb = (stream, options) => require('node/stream/web_bridge').readableToWeb(stream, options);
Readable.wrap = (source, options) =>
  new Readable({
    objectMode: source.readableObjectMode ?? source.objectMode ?? true,
    ...options,
    destroy(error, callback) {
      require('node/stream/destroy').destroyer(source, error);
      callback(error);
    },
  }).wrap(source);

module.exports = Readable;
