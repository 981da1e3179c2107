'use strict';
// Owns: Writable: what can be written, backpressure, end, cork, destroy, and its properties. The internals, from an accepted
// chunk on, are in node/stream/writing.js.

const {
  ArrayBufferIsView,
  ArrayPush,
  FunctionCall,
  FunctionHasInstance,
  ObjectDefineProperties,
  ObjectDefineProperty,
  ObjectKeys,
  ObjectSetPrototypeOf,
  StringToLowerCase,
  intact,
} = require('internal/primordials');
const { isError } = require('internal/brands');
const { Stream, toBuffer } = require('node/stream/legacy');
const { construct, destroy, errorOrDestroy, undestroy, kOnConstructed } = require('node/stream/destroy');
const { WritableState, nothing, writeOrBuffer, clearBuffer, failBuffered, finishMaybe } = require('node/stream/writing');
const { addAbortSignal } = require('node/stream/abort_signals');
const { isEncoding } = require('node/stream/encodings');
const { nextTick } = require('internal/timers');
const { AbortError, codes } = require('internal/errors/errors');
const EventEmitter = require('node/events/events');

function Writable(options) {
  if (!(this instanceof Writable)) return new Writable(options);
  this._events ??= { close: undefined, error: undefined, prefinish: undefined, finish: undefined, drain: undefined };
  this._writableState = new WritableState(options, this, false);
  if (options) {
    if (typeof options.write === 'function') this._write = options.write;
    if (typeof options.writev === 'function') this._writev = options.writev;
    takeCommonOptions(this, options);
  }
  FunctionCall(Stream, this, options);
  if (this._construct != null) construct(this, () => this._writableState[kOnConstructed](this));
}
ObjectSetPrototypeOf(Writable.prototype, Stream.prototype);
ObjectSetPrototypeOf(Writable, Stream);
Writable.WritableState = WritableState;

/** Applies the options that Writable and the writable side of a Duplex share. */
function takeCommonOptions(stream, options) {
  if (typeof options.destroy === 'function') stream._destroy = options.destroy;
  if (typeof options.final === 'function') stream._final = options.final;
  if (typeof options.construct === 'function') stream._construct = options.construct;
  if (options.signal) addAbortSignal(options.signal, stream);
}

// A Duplex inherits from Readable only, but is an instance of Writable nonetheless.
ObjectDefineProperty(Writable, Symbol.hasInstance, {
  __proto__: null,
  value(object) {
    if (FunctionHasInstance(this, object)) return true;
    return this === Writable && object?._writableState instanceof WritableState;
  },
});

// --- writing

Writable.prototype.pipe = function pipe() {
  errorOrDestroy(this, new codes.ERR_STREAM_CANNOT_PIPE());
};

/** Accepts a chunk. Returns true, false (the buffer is full), or the error with which it was rejected. */
function take(stream, chunk, encoding, callback) {
  const state = stream._writableState;
  if (typeof callback !== 'function') callback = nothing;
  if (chunk === null) throw new codes.ERR_STREAM_NULL_VALUES();
  if (!state.objectMode) {
    if (!encoding) encoding = state.defaultEncoding;
    else if (encoding !== 'buffer' && !isEncoding(encoding)) throw new codes.ERR_UNKNOWN_ENCODING(encoding);
    if (typeof chunk === 'string') {
      if (state.decodeStrings) {
        chunk = require('node/buffer/buffer').Buffer.from(chunk, encoding);
        encoding = 'buffer';
      }
    } else if (ArrayBufferIsView(chunk)) {
      if (!(chunk instanceof require('node/buffer/buffer').Buffer)) chunk = toBuffer(chunk);
      encoding = 'buffer';
    } else {
      throw new codes.ERR_INVALID_ARG_TYPE('chunk', ['string', 'Buffer', 'TypedArray', 'DataView'], chunk);
    }
  }
  let error;
  if (state.ending) error = new codes.ERR_STREAM_WRITE_AFTER_END();
  else if (state.destroyed) error = new codes.ERR_STREAM_DESTROYED('write');
  if (error) {
    nextTick(callback, error);
    errorOrDestroy(stream, error, true);
    return error;
  }
  state.pendingcb++;
  return writeOrBuffer(stream, state, chunk, encoding, callback);
}

Writable.prototype.write = function write(chunk, encoding, callback) {
  if (chunk != null && typeof encoding === 'function') {
    callback = encoding;
    encoding = null;
  }
  return take(this, chunk, encoding, callback) === true;
};

Writable.prototype.cork = function cork() {
  this._writableState.corked++;
};

Writable.prototype.uncork = function uncork() {
  const state = this._writableState;
  if (state.corked === 0) return;
  state.corked--;
  if (!state.writing) clearBuffer(this, state);
};

Writable.prototype.setDefaultEncoding = function setDefaultEncoding(encoding) {
  if (typeof encoding === 'string') encoding = StringToLowerCase(encoding);
  if (!isEncoding(encoding)) {
    throw new codes.ERR_UNKNOWN_ENCODING(
      typeof encoding === 'string' ? encoding : require('internal/inspect/inspect').inspect(encoding),
    );
  }
  this._writableState.defaultEncoding = encoding;
  return this;
};

Writable.prototype._write = function _write(chunk, encoding, callback) {
  if (!this._writev) throw new codes.ERR_METHOD_NOT_IMPLEMENTED('_write()');
  this._writev([{ chunk, encoding }], callback);
};
Writable.prototype._writev = null;

// --- the end

Writable.prototype.end = function end(chunk, encoding, callback) {
  const state = this._writableState;
  if (typeof chunk === 'function') [chunk, encoding, callback] = intact([null, null, chunk]);
  else if (typeof encoding === 'function') [encoding, callback] = intact([null, encoding]);
  let error;
  if (chunk !== null && chunk !== undefined) {
    const outcome = take(this, chunk, encoding);
    if (isError(outcome)) error = outcome;
  }
  if (state.corked > 0) {
    state.corked = 1;
    this.uncork();
  }
  if (error === undefined) {
    if (!state.errored && !state.ending) {
      state.ending = true;
      finishMaybe(this, state, true);
      state.ended = true;
    } else if (state.finished) {
      error = new codes.ERR_STREAM_ALREADY_FINISHED('end');
    } else if (state.destroyed) {
      error = new codes.ERR_STREAM_DESTROYED('end');
    }
  }
  if (typeof callback === 'function') {
    if (error) nextTick(callback, error);
    else if (state.errored) nextTick(callback, state.errored);
    else if (state.finished) nextTick(callback, null);
    else ArrayPush(state.onFinished, callback);
  }
  return this;
};

Writable.prototype.destroy = function destroyWritable(error, callback) {
  const state = this._writableState;
  if (!state.destroyed && (state.bufferedIndex < state.buffered.length || state.onFinished.length > 0))
    nextTick(failBuffered, state);
  FunctionCall(destroy, this, error, callback);
  return this;
};
Writable.prototype._undestroy = undestroy;
Writable.prototype._destroy = function _destroy(error, callback) {
  callback(error);
};
Writable.prototype[EventEmitter.captureRejectionSymbol] = function onRejection(error) {
  this.destroy(error);
};

Writable.prototype[Symbol.asyncDispose] = async function asyncDispose() {
  let error = null;
  if (!this.destroyed) {
    error = this.writableFinished ? null : new AbortError();
    this.destroy(error);
  }
  await new Promise((resolve, reject) => {
    require('node/stream/finished').finished(this, (failure) => (failure && failure !== error ? reject(failure) : resolve(null)));
  });
};

// --- properties

const getters = {
  closed() {
    return this._writableState ? this._writableState.closed : false;
  },
  writableFinished() {
    return this._writableState ? this._writableState.finished : false;
  },
  writableObjectMode() {
    return this._writableState ? this._writableState.objectMode : false;
  },
  writableBuffer() {
    return this._writableState?.getBuffer();
  },
  writableEnded() {
    return this._writableState ? this._writableState.ending : false;
  },
  writableNeedDrain() {
    const state = this._writableState;
    return state ? !state.destroyed && !state.ending && state.needDrain : false;
  },
  writableHighWaterMark() {
    return this._writableState?.highWaterMark;
  },
  writableCorked() {
    return this._writableState ? this._writableState.corked : 0;
  },
  writableLength() {
    return this._writableState?.length;
  },
  errored() {
    return this._writableState ? this._writableState.errored : null;
  },
  writableAborted() {
    const state = this._writableState;
    return Boolean(state && state.writable !== false && (state.destroyed || state.errored) && !state.finished);
  },
};
for (const name of intact(ObjectKeys(getters)))
  ObjectDefineProperty(Writable.prototype, name, { __proto__: null, get: getters[name], configurable: true });

ObjectDefineProperties(Writable.prototype, {
  destroyed: {
    __proto__: null,
    configurable: true,
    get() {
      return this._writableState ? this._writableState.destroyed : false;
    },
    set(value) {
      if (this._writableState) this._writableState.destroyed = value;
    },
  },
  writable: {
    __proto__: null,
    configurable: true,
    get() {
      const state = this._writableState;
      return Boolean(state) && state.writable !== false && !state.destroyed && !state.errored && !state.ending && !state.ended;
    },
    set(value) {
      if (this._writableState) this._writableState.writable = Boolean(value);
    },
  },
});

Writable.fromWeb = (stream, options) => require('node/stream/web_bridge').writableFromWeb(stream, options);
Writable.toWeb = (stream) => require('node/stream/web_bridge').writableToWeb(stream);

module.exports = Writable;
