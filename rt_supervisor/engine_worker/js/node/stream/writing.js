'use strict';
// Owns: the internals of a Writable: its state, one _write or _writev at a time, the buffer, and the sequence from end() to
// 'finish'. The class and its validation are in node/stream/writable.js.
//
// Invariants: `pendingcb` counts outstanding callbacks (writes, _final, a scheduled finish); 'finish' is emitted when it
// is zero, nothing is buffered and end() was called.

const { ArrayPush, ArraySlice, ArraySplice, ObjectDefineProperty, intact } = require('internal/primordials');
const { errorOrDestroy, kOnConstructed } = require('node/stream/destroy');
const { highWaterMarkOf } = require('node/stream/marks');
const { checkEncoding } = require('node/stream/encodings');
const { nextTick } = require('internal/timers');
const { codes } = require('internal/errors/errors');

const nothing = () => {};
const MOST_SPENT = 256; // consumed entries at the front of the buffer before it is compacted

function WritableState(options, stream, isDuplex = stream instanceof require('node/stream/duplex')) {
  this.objectMode = Boolean(options?.objectMode || (isDuplex && options?.writableObjectMode));
  this.highWaterMark = highWaterMarkOf(this, options, 'writableHighWaterMark', isDuplex);
  this.length = 0; // unwritten bytes or objects, including the current write
  this.buffered = [];
  this.bufferedIndex = 0;
  this.allBuffers = true;
  this.allNoop = true; // no buffered write has a callback
  this.pendingcb = 0;
  this.corked = 0;
  this.decodeStrings = options?.decodeStrings !== false;
  this.defaultEncoding = checkEncoding(options?.defaultEncoding);
  this.emitClose = options?.emitClose !== false;
  this.autoDestroy = options?.autoDestroy !== false;
  // the current write
  this.writing = false;
  this.writelen = 0;
  this.writecb = null;
  this.sync = true; // _write has not returned yet
  const onwrite = (error) => onWrite(stream, error);
  this.onwrite = onwrite;
  this.bufferProcessing = false;
  this.afterWriteTickInfo = null;
  this.afterWritePending = false;
  // from end() to 'finish'
  this.needDrain = false;
  this.ending = false;
  this.ended = false;
  this.finalCalled = false;
  this.prefinished = false;
  this.finished = false;
  this.onFinished = []; // callbacks of end()
  this.constructed = true;
  this.destroyed = false;
  this.errored = null;
  this.errorEmitted = false;
  this.closed = false;
  this.closeEmitted = false;
}

WritableState.prototype.getBuffer = function getBuffer() {
  return ArraySlice(this.buffered, this.bufferedIndex);
};
ObjectDefineProperty(WritableState.prototype, 'bufferedRequestCount', {
  __proto__: null,
  get() {
    return this.buffered.length - this.bufferedIndex;
  },
  configurable: true,
});
WritableState.prototype[kOnConstructed] = function onConstructed(stream) {
  if (!this.writing) clearBuffer(stream, this);
  if (this.ending) finishMaybe(stream, this);
};

const sizeOf = (state, chunk) => (state.objectMode ? 1 : chunk.length);

// --- writing

function writeOrBuffer(stream, state, chunk, encoding, callback) {
  const size = sizeOf(state, chunk);
  state.length += size;
  if (state.writing || state.corked > 0 || state.errored || !state.constructed) {
    ArrayPush(state.buffered, { chunk, encoding, callback });
    if (encoding !== 'buffer') state.allBuffers = false;
    if (callback !== nothing) state.allNoop = false;
  } else {
    beginWrite(state, size, callback);
    stream._write(chunk, encoding, state.onwrite);
    state.sync = false;
  }
  // Computed after the write: a chunk written synchronously takes no room.
  const hasRoom = state.length < state.highWaterMark || state.length === 0;
  if (!hasRoom) state.needDrain = true;
  return hasRoom && !state.errored && !state.destroyed;
}

function beginWrite(state, size, callback) {
  state.writelen = size;
  state.writecb = callback;
  state.writing = true;
  state.sync = true;
}

/** The callback of _write: the write has completed or failed. */
function onWrite(stream, error) {
  const state = stream._writableState;
  const { sync, writecb: callback } = state;
  if (typeof callback !== 'function') {
    errorOrDestroy(stream, new codes.ERR_MULTIPLE_CALLBACK());
    return;
  }
  state.writing = false;
  state.writecb = null;
  state.length -= state.writelen;
  state.writelen = 0;
  if (error) {
    void error.stack;
    state.errored ??= error;
    if (stream._readableState) stream._readableState.errored ??= error;
    if (sync) nextTick(failWrite, stream, state, error, callback);
    else failWrite(stream, state, error, callback);
    return;
  }
  if (state.buffered.length > state.bufferedIndex) clearBuffer(stream, state);
  if (!sync) afterWrite(stream, state, 1, callback);
  else if (callback === nothing) afterUnheardWrite(stream, state);
  else if (state.afterWriteTickInfo?.callback === callback) state.afterWriteTickInfo.count++;
  else {
    // Callbacks of synchronous writes are called together, in the next tick.
    state.afterWritePending = true;
    state.afterWriteTickInfo = { count: 1, callback };
    nextTick(afterWriteTick, stream, state, state.afterWriteTickInfo);
  }
}

/**
 * A write without a callback completed synchronously: a tick is needed for 'drain', and in object mode, where Node has one.
 */
function afterUnheardWrite(stream, state) {
  if (!state.afterWritePending && (state.objectMode || (state.needDrain && state.length === 0))) {
    state.afterWritePending = true;
    nextTick(afterWrite, stream, state, 1, nothing);
    return;
  }
  state.pendingcb--;
  if (state.ending) finishMaybe(stream, state, true);
}

function afterWriteTick(stream, state, { count, callback }) {
  state.afterWriteTickInfo = null;
  afterWrite(stream, state, count, callback);
}

function afterWrite(stream, state, count, callback) {
  state.afterWritePending = false;
  if (state.needDrain && !state.ending && !state.destroyed && state.length === 0) {
    state.needDrain = false;
    stream.emit('drain');
  }
  for (; count > 0; count--) {
    state.pendingcb--;
    callback(null);
  }
  if (state.destroyed) failBuffered(state);
  if (state.ending) finishMaybe(stream, state, true);
}

function failWrite(stream, state, error, callback) {
  state.pendingcb--;
  callback(error);
  failBuffered(state);
  errorOrDestroy(stream, error);
}

/** Fails all pending callbacks: nothing more is written. */
function failBuffered(state) {
  if (state.writing) return;
  for (let index = state.bufferedIndex; index < state.buffered.length; index++) {
    const { chunk, callback } = state.buffered[index];
    state.length -= sizeOf(state, chunk);
    callback(state.errored ?? new codes.ERR_STREAM_DESTROYED('write'));
  }
  callFinished(state, state.errored ?? new codes.ERR_STREAM_DESTROYED('end'));
  resetBuffer(state);
}

function callFinished(state, ...args) {
  for (let index = 0, list = ArraySplice(state.onFinished, 0); index < list.length; index++) {
    const callback = list[index];
    callback(...intact(args));
  }
}

function resetBuffer(state) {
  state.buffered = [];
  state.bufferedIndex = 0;
  state.allBuffers = true;
  state.allNoop = true;
}

/** Writes as much of the buffer as possible. */
function clearBuffer(stream, state) {
  if (state.corked > 0 || state.bufferProcessing || state.destroyed || !state.constructed) return;
  const { buffered } = state;
  const count = buffered.length - state.bufferedIndex;
  if (count === 0) return;
  state.bufferProcessing = true;
  if (count > 1 && stream._writev) writeTogether(stream, state, count);
  else writeOneByOne(stream, state);
  state.bufferProcessing = false;
}

function writeTogether(stream, state, count) {
  const chunks = ArraySlice(state.buffered, state.bufferedIndex);
  state.pendingcb -= count - 1;
  const callback = state.allNoop
    ? nothing
    : (error) => {
        for (let index = 0; index < chunks.length; index++) {
          const entry = chunks[index];
          entry.callback(error);
        }
      };
  chunks.allBuffers = state.allBuffers;
  beginWrite(state, state.length, callback);
  if (state.destroyed) state.onwrite(new codes.ERR_STREAM_DESTROYED('write'));
  else stream._writev(chunks, state.onwrite);
  state.sync = false;
  resetBuffer(state);
}

function writeOneByOne(stream, state) {
  const { buffered } = state;
  let index = state.bufferedIndex;
  do {
    const { chunk, encoding, callback } = buffered[index];
    buffered[index++] = null;
    beginWrite(state, sizeOf(state, chunk), callback);
    if (state.destroyed) state.onwrite(new codes.ERR_STREAM_DESTROYED('write'));
    else stream._write(chunk, encoding, state.onwrite);
    state.sync = false;
  } while (index < buffered.length && !state.writing);
  if (index === buffered.length) {
    resetBuffer(state);
  } else if (index > MOST_SPENT && index * 2 >= buffered.length) {
    ArraySplice(buffered, 0, index);
    state.bufferedIndex = 0;
  } else {
    state.bufferedIndex = index;
  }
}

// --- the end

const canFinish = (state) =>
  state.ending &&
  !state.destroyed &&
  state.constructed &&
  state.length === 0 &&
  !state.errored &&
  state.buffered.length === 0 &&
  !state.finished &&
  !state.writing &&
  !state.errorEmitted &&
  !state.closeEmitted;

function callFinal(stream, state) {
  const done = (error) => {
    if (state.prefinished) {
      errorOrDestroy(stream, error ?? new codes.ERR_MULTIPLE_CALLBACK());
      return;
    }
    state.pendingcb--;
    if (error) {
      callFinished(state, error);
      errorOrDestroy(stream, error, state.sync);
    } else if (canFinish(state)) {
      state.prefinished = true;
      stream.emit('prefinish');
      state.pendingcb++; // finish decrements it
      nextTick(finish, stream, state);
    }
  };
  state.sync = true;
  state.pendingcb++;
  try {
    stream._final(done);
  } catch (error) {
    done(error);
  }
  state.sync = false;
}

function prefinish(stream, state) {
  if (state.prefinished || state.finalCalled) return;
  if (typeof stream._final === 'function' && !state.destroyed) {
    state.finalCalled = true;
    callFinal(stream, state);
  } else {
    state.finalCalled = state.prefinished = true;
    stream.emit('prefinish');
  }
}

function finishMaybe(stream, state, isSync) {
  if (!canFinish(state)) return;
  prefinish(stream, state);
  if (state.pendingcb !== 0) return;
  if (isSync) {
    state.pendingcb++;
    nextTick(() => {
      if (canFinish(state)) finish(stream, state);
      else state.pendingcb--;
    });
  } else if (canFinish(state)) {
    state.pendingcb++;
    finish(stream, state);
  }
}

function finish(stream, state) {
  state.pendingcb--;
  state.finished = true;
  callFinished(state, null);
  stream.emit('finish');
  if (!state.autoDestroy) return;
  const reading = stream._readableState;
  if (!reading || (reading.autoDestroy && (reading.endEmitted || reading.readable === false))) stream.destroy();
}

module.exports = { WritableState, nothing, writeOrBuffer, clearBuffer, failBuffered, finishMaybe };
