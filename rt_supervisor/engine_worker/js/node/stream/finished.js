'use strict';
// Owns: finished: a single callback when a stream of any implementation has ended, failed or closed prematurely.

const { AnyThen } = require('internal/any_kind');
const { ArrayPush, FunctionApply, FunctionCall, ReflectApply, intact } = require('internal/primordials');
const context = require('internal/async/context');
const { AbortError, codes } = require('internal/errors/errors');
const { validateAbortSignal, validateBoolean, validateFunction, validateObject } = require('internal/validators');
const kinds = require('internal/stream_kinds');
const { nextTick } = require('internal/timers');

const nothing = () => {};

function once(callback) {
  let isCalled = false;
  return function onlyOnce(...args) {
    if (isCalled) return;
    isCalled = true;
    ReflectApply(callback, this, args);
  };
}

/** finished(stream[, { readable, writable, error, signal }], callback) -> function that removes the listeners */
function finished(stream, options, callback) {
  if (arguments.length === 2) {
    callback = options;
    options = {};
  } else if (options === undefined || options === null) {
    options = {};
  } else {
    validateObject(options, 'options');
  }
  validateFunction(callback, 'callback');
  validateAbortSignal(options.signal, 'options.signal');
  if (context.isUsed) callback = require('node/async_hooks/resource').AsyncResource.bind(callback, 'STREAM_END_OF_STREAM');
  if (kinds.isReadableStream(stream) || kinds.isWritableStream(stream)) return finishedWeb(stream, options, once(callback));
  if (!kinds.isNodeStream(stream)) {
    throw new codes.ERR_INVALID_ARG_TYPE('stream', ['ReadableStream', 'WritableStream', 'Stream'], stream);
  }
  return new Watch(stream, options, once(callback)).start();
}

class Watch {
  #listeners = [];
  #stream;
  #callback;
  #readable; // whether to wait for that side
  #writable;
  #willEmitClose;
  #isReadableDone;
  #isWritableDone;

  constructor(stream, options, callback) {
    this.#stream = stream;
    this.options = options;
    this.#callback = callback;
    this.#readable = options.readable ?? kinds.isReadableNodeStream(stream);
    this.#writable = options.writable ?? kinds.isWritableNodeStream(stream);
    this.#willEmitClose =
      kinds.willEmitClose(stream) &&
      kinds.isReadableNodeStream(stream) === this.#readable &&
      kinds.isWritableNodeStream(stream) === this.#writable;
    this.#isWritableDone = kinds.isWritableFinished(stream, false);
    this.#isReadableDone = kinds.isReadableFinished(stream, false);
  }

  #report(...args) {
    ReflectApply(this.#callback, this.#stream, args);
  }

  #on(name, listener, emitter = this.#stream) {
    emitter.on(name, listener);
    ArrayPush(this.#listeners, [emitter, name, listener]);
  }

  #onFinish() {
    const stream = this.#stream;
    this.#isWritableDone = true;
    // A stream that autoDestroy destroyed after 'finish' may never emit 'close'.
    if (stream.destroyed) this.#willEmitClose = false;
    if (this.#willEmitClose && (!stream.readable || this.#readable)) return;
    if (!this.#readable || this.#isReadableDone) this.#report();
  }

  #onEnd() {
    const stream = this.#stream;
    this.#isReadableDone = true;
    if (stream.destroyed) this.#willEmitClose = false;
    if (this.#willEmitClose && (!stream.writable || this.#writable)) return;
    if (!this.#writable || this.#isWritableDone) this.#report();
  }

  #error() {
    const error = kinds.isWritableErrored(this.#stream) || kinds.isReadableErrored(this.#stream);
    return error && typeof error !== 'boolean' ? error : null;
  }

  /** The meaning of a close now: the stream's error or a premature close; null if everything was done. */
  #closeError() {
    const stream = this.#stream;
    const error = this.#error();
    if (error !== null) return error;
    const isCutShort =
      (this.#readable &&
        !this.#isReadableDone &&
        kinds.isReadableNodeStream(stream, true) &&
        !kinds.isReadableFinished(stream, false)) ||
      (this.#writable && !this.#isWritableDone && !kinds.isWritableFinished(stream, false));
    return isCutShort ? new codes.ERR_STREAM_PREMATURE_CLOSE() : null;
  }

  #onClose() {
    const error = this.#closeError();
    if (error === null) this.#report();
    else this.#report(error);
  }

  /** The outcome, an error or null, of a stream that had ended already; otherwise undefined. */
  #outcome() {
    const stream = this.#stream;
    const { _writableState: writing, _readableState: reading } = stream;
    if (kinds.isClosed(stream)) return this.#closeError();
    if (writing?.errorEmitted || reading?.errorEmitted) return this.#willEmitClose ? undefined : this.#error();
    const isWritten =
      !this.#readable &&
      (!this.#willEmitClose || kinds.isReadable(stream)) &&
      (this.#isWritableDone || kinds.isWritable(stream) === false) &&
      !writing?.pendingcb;
    const isRead =
      !this.#writable &&
      (!this.#willEmitClose || kinds.isWritable(stream)) &&
      (this.#isReadableDone || kinds.isReadable(stream) === false);
    return isWritten || isRead || (reading && stream.req && stream.aborted) ? this.#error() : undefined;
  }

  start() {
    const { signal } = this.options;
    let outcome = this.#outcome();
    const isOver = outcome !== undefined;
    if (outcome === undefined && signal?.aborted) outcome = new AbortError(undefined, { cause: signal.reason });
    if (outcome !== undefined) {
      if (isOver && this.options.error !== false) this.#on('error', nothing);
      nextTick(() => this.#report(...intact(outcome === null ? [] : [outcome])));
      return () => this.#stop();
    }
    this.#listen();
    if (signal) this.#attachSignal(signal);
    return () => this.#stop();
  }

  #stop() {
    this.#callback = nothing;
    for (let index = 0, list = this.#listeners; index < list.length; index++) {
      const { 0: emitter, 1: name, 2: listener } = list[index];
      emitter.removeListener(name, listener);
    }
  }

  #listen() {
    const stream = this.#stream;
    const onFinish = () => this.#onFinish();
    const onClose = () => this.#onClose();
    if (kinds.isRequest(stream)) {
      this.#on('complete', onFinish);
      if (!this.#willEmitClose) this.#on('abort', onClose);
      const onRequest = () => this.#on('finish', onFinish, stream.req);
      if (stream.req) onRequest();
      else this.#on('request', onRequest);
    } else if (this.#writable && !stream._writableState) {
      const onLegacyFinish = () => {
        if (!stream.writable) this.#onFinish();
      };
      this.#on('end', onLegacyFinish);
      this.#on('close', onLegacyFinish);
    }
    if (!this.#willEmitClose && typeof stream.aborted === 'boolean') this.#on('aborted', onClose);
    this.#on('end', () => this.#onEnd());
    this.#on('finish', onFinish);
    if (this.options.error !== false) this.#on('error', (error) => this.#report(error));
    this.#on('close', onClose);
  }

  #attachSignal(signal) {
    const callback = this.#callback;
    const listening = require('web/abort').addAbortListener(signal, () => {
      const waiting = this.#callback;
      this.#stop();
      FunctionCall(waiting, this.#stream, new AbortError(undefined, { cause: signal.reason }));
    });
    this.#callback = once((...args) => {
      listening[Symbol.dispose]();
      FunctionApply(callback, this.#stream, args);
    });
  }
}

function finishedWeb(stream, { signal }, callback) {
  let isAborted = false;
  if (signal) {
    const abort = () => {
      isAborted = true;
      FunctionCall(callback, stream, new AbortError(undefined, { cause: signal.reason }));
    };
    if (signal.aborted) {
      nextTick(abort);
    } else {
      const listening = require('web/abort').addAbortListener(signal, abort);
      const original = callback;
      callback = once((...args) => {
        listening[Symbol.dispose]();
        FunctionApply(original, stream, args);
      });
    }
  }
  const settle = (...args) => {
    if (!isAborted) nextTick(() => FunctionApply(callback, stream, args));
  };
  AnyThen(stream[kinds.kIsClosedPromise].promise, settle, settle);
  return nothing;
}

/** The promise form; with `cleanup` the listeners are removed. */
function finishedPromise(stream, options) {
  if (options?.cleanup) validateBoolean(options.cleanup, 'cleanup');
  return new Promise((resolve, reject) => {
    const stop = finished(stream, options, (error) => {
      if (options?.cleanup) stop();
      if (error) reject(error);
      else resolve();
    });
  });
}

module.exports = { finished, finishedPromise, once };
