// @ts-check
'use strict';
// Owns: the start and end of a stream: _construct before the first operation; destroy, with one 'error' and one 'close' in
// later ticks and in this order. Both sides of a duplex are updated together.

const { ObjectAssign } = require('internal/primordials');
const { nextTick } = require('internal/timers');
const { aggregateTwoErrors, AbortError, codes } = require('internal/errors/errors');
const { kIsDestroyed, isDestroyed, isFinished, isRequest, isServerRequest } = require('internal/stream_kinds');

const kConstruct = Symbol('kConstruct');
const kDestroy = Symbol('kDestroy');
const kOnConstructed = Symbol('kOnConstructed'); // a method of each state, called once _construct has completed

/** Sets `name` on the state of each side of the stream. */
function mark(stream, name, value) {
  if (stream._writableState) stream._writableState[name] = value;
  if (stream._readableState) stream._readableState[name] = value;
}
const isMarked = (stream, name) => Boolean(stream._writableState?.[name] || stream._readableState?.[name]);

/** Stores the first error of each side. */
function keepError(stream, error) {
  if (!error) return;
  void error.stack; // formats it now: an unformatted stack retains the closures of its frames
  const { _writableState: writing, _readableState: reading } = stream;
  if (writing && !writing.errored) writing.errored = error;
  if (reading && !reading.errored) reading.errored = error;
}

function destroy(error, callback) {
  if (isMarked(this, 'destroyed')) {
    if (typeof callback === 'function') callback();
    return this;
  }
  keepError(this, error);
  mark(this, 'destroyed', true);
  const state = this._writableState || this._readableState;
  if (state.constructed) runDestroy(this, error, callback);
  else this.once(kDestroy, (another) => runDestroy(this, aggregateTwoErrors(another, error), callback));
  return this;
}

function runDestroy(stream, error, callback) {
  let isDone = false;
  const done = (failure) => {
    if (isDone) return;
    isDone = true;
    keepError(stream, failure);
    mark(stream, 'closed', true);
    if (typeof callback === 'function') callback(failure);
    if (failure) nextTick(emitErrorAndClose, stream, failure);
    else nextTick(emitClose, stream);
  };
  try {
    stream._destroy(error || null, done);
  } catch (thrown) {
    done(thrown);
  }
}

function emitErrorAndClose(stream, error) {
  emitError(stream, error);
  emitClose(stream);
}

function emitClose(stream) {
  mark(stream, 'closeEmitted', true);
  if (isMarked(stream, 'emitClose')) stream.emit('close');
}

function emitError(stream, error) {
  if (isMarked(stream, 'errorEmitted')) return;
  mark(stream, 'errorEmitted', true);
  stream.emit('error', error);
}

/** Makes a destroyed stream usable again, for sockets that reconnect. */
function undestroy() {
  const fresh = { constructed: true, closed: false, closeEmitted: false, destroyed: false, errored: null, errorEmitted: false };
  const reading = this._readableState;
  if (reading)
    ObjectAssign(reading, fresh, { reading: false, ended: reading.readable === false, endEmitted: reading.readable === false });
  const writing = this._writableState;
  if (writing) {
    const isEnded = writing.writable === false;
    ObjectAssign(writing, fresh, { finalCalled: false, prefinished: false, ended: isEnded, ending: isEnded, finished: isEnded });
  }
}

/** Reports an error of the stream: destroys it with autoDestroy, otherwise only emits 'error'. */
function errorOrDestroy(stream, error, isSync) {
  if (isMarked(stream, 'destroyed')) return;
  if (isMarked(stream, 'autoDestroy')) {
    stream.destroy(error);
  } else if (error) {
    keepError(stream, error);
    if (isSync) nextTick(emitError, stream, error);
    else emitError(stream, error);
  }
}

/** Runs _construct in the next tick, once for both sides, then calls `whenReady`. */
function construct(stream, whenReady) {
  if (typeof stream._construct !== 'function') return;
  mark(stream, 'constructed', false);
  stream.once(kConstruct, whenReady);
  if (stream.listenerCount(kConstruct) === 1) nextTick(runConstruct, stream);
}

function runConstruct(stream) {
  let isDone = false;
  const done = (error) => {
    if (isDone) {
      errorOrDestroy(stream, error ?? new codes.ERR_MULTIPLE_CALLBACK());
      return;
    }
    isDone = true;
    mark(stream, 'constructed', true);
    if (isMarked(stream, 'destroyed')) stream.emit(kDestroy, error);
    else if (error) errorOrDestroy(stream, error, true);
    else stream.emit(kConstruct);
  };
  try {
    stream._construct((error) => nextTick(done, error));
  } catch (error) {
    nextTick(done, error);
  }
}

function closeLegacy(stream, error) {
  if (error) stream.emit('error', error);
  stream.emit('close');
}

/** Destroys any kind of stream with whichever method it has. */
function destroyer(stream, error) {
  if (!stream || isDestroyed(stream)) return;
  if (!error && !isFinished(stream)) error = new AbortError();
  if (isServerRequest(stream)) {
    stream.socket = null;
    stream.destroy(error);
  } else if (isRequest(stream)) {
    stream.abort();
  } else if (isRequest(stream.req)) {
    stream.req.abort();
  } else if (typeof stream.destroy === 'function') {
    stream.destroy(error);
  } else if (typeof stream.close === 'function') {
    stream.close();
  } else {
    nextTick(closeLegacy, stream, error);
  }
  if (!stream.destroyed) stream[kIsDestroyed] = true;
}

module.exports = { kConstruct, kDestroy, kOnConstructed, construct, destroy, undestroy, destroyer, errorOrDestroy };
