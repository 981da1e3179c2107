// @ts-check
'use strict';
// Owns: WritableStream and the algorithms of its record (Streams standard §5.2, §5.5.2): one write at a time; close and abort
// wait for a write in progress. The writer is in web/streams/writer.js, the controller in web/streams/writable_controller.js.

const { SymbolFor, intact } = require('internal/primordials');
const { PromiseReject, PromiseResolve } = require('internal/promises');
const {
  Deferred,
  EMPTY,
  Fifo,
  dictionary,
  finish,
  markHandled,
  highWaterMarkOf,
  callAsync,
  rangeError,
  sizeAlgorithmOf,
  stateError,
  upon,
  wrongReceiver,
} = require('web/streams/basics');
const { kIsClosedPromise, kIsErrored, kIsWritable, kControllerErrorFunction } = require('internal/stream_kinds');

const KEY = Symbol('record');
let recordOf;

/** The slots of a WritableStream (§5.2.2) and the algorithms on them (§5.5.2). */
class WritableRecord {
  state = 'writable'; // 'erroring', 'errored', 'closed'
  /** @type {any} */
  storedError = undefined;
  /** @type {any} */
  writer = undefined;
  /** @type {any} */
  controller = undefined;
  writeRequests = new Fifo(); // Deferred, or another object with resolve() and reject(reason)
  /** @type {any} */
  inFlightWrite = undefined;
  /** @type {any} */
  closeRequest = undefined;
  /** @type {any} */
  inFlightClose = undefined;
  /** @type {any} */
  pendingAbort = undefined; // { deferred, reason, wasErroring }
  backpressure = false;
  whenClosed = new Deferred();

  constructor() {
    markHandled(this.whenClosed.promise);
  }

  get locked() {
    return this.writer !== undefined;
  }
  get isClosing() {
    return this.closeRequest !== undefined || this.inFlightClose !== undefined;
  }

  // WritableStreamAbort
  abort(reason) {
    if (this.state === 'closed' || this.state === 'errored') return PromiseResolve();
    this.controller.abort(reason);
    if (this.state === 'closed' || this.state === 'errored') return PromiseResolve();
    if (this.pendingAbort !== undefined) return this.pendingAbort.deferred.promise;
    const wasErroring = this.state === 'erroring';
    if (wasErroring) reason = undefined;
    const deferred = new Deferred();
    this.pendingAbort = { deferred, reason, wasErroring };
    if (!wasErroring) this.startErroring(reason);
    return deferred.promise;
  }

  // WritableStreamClose
  close() {
    if (this.state === 'closed' || this.state === 'errored') {
      return PromiseReject(stateError(`Cannot close a ${this.state} WritableStream`));
    }
    this.closeRequest = new Deferred();
    const { promise } = this.closeRequest;
    if (this.writer !== undefined && this.backpressure && this.state === 'writable') this.writer.ready.resolve();
    this.controller.close();
    return promise;
  }

  // WritableStreamStartErroring
  startErroring(reason) {
    this.state = 'erroring';
    this.storedError = reason;
    this.writer?.rejectReady(reason);
    const isBusy = this.inFlightWrite !== undefined || this.inFlightClose !== undefined;
    if (!isBusy && this.controller.isStarted) this.finishErroring();
  }

  // WritableStreamFinishErroring
  finishErroring() {
    this.state = 'errored';
    this.controller.queue.reset();
    const reason = this.storedError;
    for (const request of intact(this.writeRequests.drain())) request.reject(reason);
    const abort = this.pendingAbort;
    if (abort === undefined) {
      this.rejectCloseIfNeeded();
      return;
    }
    this.pendingAbort = undefined;
    if (abort.wasErroring) {
      abort.deferred.reject(reason);
      this.rejectCloseIfNeeded();
      return;
    }
    upon(
      this.controller.abortSteps(abort.reason),
      () => {
        abort.deferred.resolve();
        this.rejectCloseIfNeeded();
      },
      (error) => {
        abort.deferred.reject(error);
        this.rejectCloseIfNeeded();
      },
    );
  }

  // WritableStreamRejectCloseAndClosedPromiseIfNeeded
  rejectCloseIfNeeded() {
    if (this.closeRequest !== undefined) {
      this.closeRequest.reject(this.storedError);
      this.closeRequest = undefined;
    }
    this.whenClosed.reject(this.storedError);
    if (this.writer !== undefined) {
      this.writer.closed.reject(this.storedError);
      markHandled(this.writer.closed.promise);
    }
  }

  // WritableStreamDealWithRejection
  dealWithRejection(error) {
    if (this.state === 'writable') this.startErroring(error);
    else this.finishErroring();
  }

  finishWrite() {
    this.inFlightWrite.resolve();
    this.inFlightWrite = undefined;
  }
  finishWriteWithError(error) {
    this.inFlightWrite.reject(error);
    this.inFlightWrite = undefined;
    this.dealWithRejection(error);
  }

  // WritableStreamFinishInFlightClose
  finishClose() {
    this.inFlightClose.resolve();
    this.inFlightClose = undefined;
    if (this.state === 'erroring') {
      this.storedError = undefined;
      if (this.pendingAbort !== undefined) {
        this.pendingAbort.deferred.resolve();
        this.pendingAbort = undefined;
      }
    }
    this.state = 'closed';
    this.writer?.closed.resolve();
    this.whenClosed.resolve();
  }
  finishCloseWithError(error) {
    this.inFlightClose.reject(error);
    this.inFlightClose = undefined;
    if (this.pendingAbort !== undefined) {
      this.pendingAbort.deferred.reject(error);
      this.pendingAbort = undefined;
    }
    this.dealWithRejection(error);
  }

  // WritableStreamUpdateBackpressure
  updateBackpressure(backpressure) {
    if (this.writer !== undefined && backpressure !== this.backpressure) {
      if (backpressure) this.writer.ready = this.writer.makeReady();
      else this.writer.ready.resolve();
    }
    this.backpressure = backpressure;
  }
}

class WritableStream {
  #record;

  static {
    const pack = (stream) => require('web/streams/transfer').pack('WritableStream', stream);
    require('internal/cloneable').registerTransferable((value) => #record in value, 'WritableStream', pack);
  }

  /** @param {any} [sink] @param {any} [strategy] */
  constructor(sink = undefined, strategy = EMPTY) {
    if (sink === KEY) {
      this.#record = strategy;
      return;
    }
    const underlying = sink === null ? EMPTY : dictionary(sink, 'sink');
    const settings = dictionary(strategy, 'strategy');
    if (underlying.type !== undefined) throw rangeError('type', underlying.type);
    this.#record = new WritableRecord();
    const size = sizeAlgorithmOf(settings);
    require('web/streams/writable_controller').setUpFromSink(this.#record, underlying, highWaterMarkOf(settings, 1), size);
  }

  get locked() {
    return recordOf(this).locked;
  }
  abort(reason = undefined) {
    return callAsync(() => {
      const record = recordOf(this);
      if (record.locked) throw stateError('WritableStream is locked');
      return record.abort(reason);
    });
  }
  close() {
    return callAsync(() => {
      const record = recordOf(this);
      if (record.locked) throw stateError('WritableStream is locked');
      if (record.isClosing) throw stateError('Failure closing WritableStream');
      return record.close();
    });
  }
  getWriter() {
    recordOf(this);
    return new (require('web/streams/writer').WritableStreamDefaultWriter)(this);
  }

  get [kIsErrored]() {
    return this.#record.state === 'errored';
  }
  get [kIsWritable]() {
    return this.#record.state === 'writable';
  }
  get [kIsClosedPromise]() {
    return this.#record.whenClosed;
  }
  get [kControllerErrorFunction]() {
    return (error) => this.#record.controller.error(error);
  }

  [SymbolFor('nodejs.util.inspect.custom')](depth, options) {
    if (depth < 0) return 'WritableStream { … }';
    return `WritableStream ${require('internal/inspect/inspect').inspect({ locked: this.locked, state: this.#record.state }, options)}`;
  }

  static {
    recordOf = (stream) => {
      if (typeof stream !== 'object' || stream === null || !(#record in stream)) throw wrongReceiver('WritableStream');
      return stream.#record;
    };
  }
}
finish(WritableStream, 'WritableStream');

function isWritableStream(value) {
  try {
    recordOf(value);
    return true;
  } catch {
    return false;
  }
}

/**
 * CreateWritableStream: the algorithms return promises; `start(controller)` is optional.
 * @param {{ __proto__?: null, start?: any, write: any, close: any, abort: any, highWaterMark?: number, size?: any }} sink
 */
function createWritableStream({ start, write, close, abort, highWaterMark = 1, size = () => 1 }) {
  const record = new WritableRecord();
  const stream = new WritableStream(KEY, record);
  const { ControllerRecord } = require('web/streams/writable_controller');
  const controller = new ControllerRecord(record, { write, close, abort, highWaterMark, size });
  controller.start(start?.(controller));
  return stream;
}

module.exports = { WritableStream, createWritableStream, isWritableStream, recordOf: (stream) => recordOf(stream) };
