'use strict';
// Owns: WritableStream, its writer and its controller (Streams standard §5). One write at a time; a close and an abort wait
// for the one under way.

const { codes } = require('./errors');
const {
  Deferred, Fifo, SizedQueue, dictionary, finish, handled, highWaterMarkOf, illegalConstructor, invoke, methodOf,
  sizeAlgorithmOf, rangeError, stateError, upon, wrongReceiver,
} = require('./web_streams_basics');
const { kIsClosedPromise, kIsErrored, kIsWritable, kControllerErrorFunction } = require('./stream_kinds');

const KEY = Symbol('record');
const CLOSE = Symbol('close sentinel');
let recordOf;

/** The slots of a WritableStream (§5.2.2) and the algorithms on them (§5.5.2). */
class WritableRecord {
  state = 'writable'; // 'erroring', 'errored', 'closed'
  storedError = undefined;
  writer = undefined;
  controller = undefined;
  writeRequests = new Fifo(); // Deferred
  inFlightWrite = undefined;
  closeRequest = undefined;
  inFlightClose = undefined;
  pendingAbort = undefined; // { deferred, reason, wasErroring }
  backpressure = false;
  whenClosed = new Deferred();

  constructor() { handled(this.whenClosed.promise); }

  get locked() { return this.writer !== undefined; }
  get isClosing() { return this.closeRequest !== undefined || this.inFlightClose !== undefined; }

  // WritableStreamAbort
  abort(reason) {
    if (this.state === 'closed' || this.state === 'errored') return Promise.resolve();
    this.controller.abort(reason);
    if (this.state === 'closed' || this.state === 'errored') return Promise.resolve();
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
      return Promise.reject(stateError(`Cannot close a ${this.state} WritableStream`));
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
    for (const request of this.writeRequests.drain()) request.reject(reason);
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
    upon(this.controller.abortSteps(abort.reason), () => {
      abort.deferred.resolve();
      this.rejectCloseIfNeeded();
    }, (error) => {
      abort.deferred.reject(error);
      this.rejectCloseIfNeeded();
    });
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
      handled(this.writer.closed.promise);
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
      if (backpressure) this.writer.ready = new Deferred();
      else this.writer.ready.resolve();
    }
    this.backpressure = backpressure;
  }
}

class WritableStream {
  #record;

  constructor(sink = undefined, strategy = {}) {
    if (sink === KEY) {
      this.#record = strategy;
      return;
    }
    const underlying = sink === null ? {} : dictionary(sink, 'sink');
    const chosen = dictionary(strategy, 'strategy');
    if (underlying.type !== undefined) throw rangeError('type', underlying.type);
    this.#record = new WritableRecord();
    const size = sizeAlgorithmOf(chosen);
    setUpFromSink(this.#record, underlying, highWaterMarkOf(chosen, 1), size);
  }

  get locked() { return recordOf(this).locked; }
  async abort(reason = undefined) {
    const record = recordOf(this);
    if (record.locked) throw stateError('WritableStream is locked');
    return record.abort(reason);
  }
  async close() {
    const record = recordOf(this);
    if (record.locked) throw stateError('WritableStream is locked');
    if (record.isClosing) throw stateError('Failure closing WritableStream');
    return record.close();
  }
  getWriter() {
    recordOf(this);
    return new WritableStreamDefaultWriter(this);
  }

  get [kIsErrored]() { return this.#record.state === 'errored'; }
  get [kIsWritable]() { return this.#record.state === 'writable'; }
  get [kIsClosedPromise]() { return this.#record.whenClosed; }
  get [kControllerErrorFunction]() { return (error) => this.#record.controller.error(error); }

  [Symbol.for('nodejs.util.inspect.custom')](depth, options) {
    if (depth < 0) return 'WritableStream { … }';
    return `WritableStream ${require('./inspect').inspect({ locked: this.locked, state: this.#record.state }, options)}`;
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

// --- the writer (§5.3, §5.5.3)

/** The slots of a writer. */
class WriterRecord {
  constructor(stream) {
    // SetUpWritableStreamDefaultWriter
    if (stream.locked) throw stateError('WritableStream is locked');
    this.stream = stream;
    stream.writer = this;
    switch (stream.state) {
      case 'writable':
        this.ready = !stream.isClosing && stream.backpressure ? new Deferred() : Deferred.resolved();
        this.closed = new Deferred();
        break;
      case 'erroring':
        this.ready = Deferred.rejected(stream.storedError);
        this.closed = new Deferred();
        break;
      case 'closed':
        this.ready = Deferred.resolved();
        this.closed = Deferred.resolved();
        break;
      default:
        this.ready = Deferred.rejected(stream.storedError);
        this.closed = Deferred.rejected(stream.storedError);
    }
    handled(this.closed.promise);
  }

  // WritableStreamDefaultWriterEnsureReadyPromiseRejected
  rejectReady(reason) {
    if (this.ready.isPending) this.ready.reject(reason);
    else this.ready = Deferred.rejected(reason);
    handled(this.ready.promise);
  }

  #rejectClosed(reason) {
    if (this.closed.isPending) this.closed.reject(reason);
    else this.closed = Deferred.rejected(reason);
    handled(this.closed.promise);
  }

  // WritableStreamDefaultWriterCloseWithErrorPropagation
  closePassingErrors() {
    const { stream } = this;
    if (stream.isClosing || stream.state === 'closed') return Promise.resolve();
    if (stream.state === 'errored') return Promise.reject(stream.storedError);
    return stream.close();
  }

  // WritableStreamDefaultWriterRelease
  release() {
    const reason = stateError('Writer has been released');
    this.rejectReady(reason);
    this.#rejectClosed(reason);
    this.stream.writer = undefined;
    this.stream = undefined;
  }

  // WritableStreamDefaultWriterWrite
  write(chunk) {
    const { stream } = this;
    const { controller } = stream;
    const size = controller.sizeOf(chunk);
    if (stream !== this.stream) return Promise.reject(stateError('Mismatched WritableStreams'));
    if (stream.state === 'errored') return Promise.reject(stream.storedError);
    if (stream.isClosing || stream.state === 'closed') return Promise.reject(stateError('WritableStream is closed'));
    if (stream.state === 'erroring') return Promise.reject(stream.storedError);
    const request = new Deferred();
    stream.writeRequests.push(request);
    controller.write(chunk, size);
    return request.promise;
  }

  // WritableStreamDefaultWriterGetDesiredSize
  desiredSize() {
    const { state, controller } = this.stream;
    if (state === 'errored' || state === 'erroring') return null;
    return state === 'closed' ? 0 : controller.desiredSize();
  }
}

class WritableStreamDefaultWriter {
  #record;
  constructor(stream) {
    if (!isWritableStream(stream)) throw new codes.ERR_INVALID_ARG_TYPE('stream', 'WritableStream', stream);
    this.#record = new WriterRecord(recordOf(stream));
  }
  #attached() {
    if (!(#record in this)) throw wrongReceiver('WritableStreamDefaultWriter');
    if (this.#record.stream === undefined) throw stateError('Writer is not bound to a WritableStream');
    return this.#record;
  }
  get closed() {
    if (!(#record in this)) return Promise.reject(wrongReceiver('WritableStreamDefaultWriter'));
    return this.#record.closed.promise;
  }
  get desiredSize() { return this.#attached().desiredSize(); }
  get ready() {
    if (!(#record in this)) return Promise.reject(wrongReceiver('WritableStreamDefaultWriter'));
    return this.#record.ready.promise;
  }
  async abort(reason = undefined) { return this.#attached().stream.abort(reason); }
  async close() {
    const { stream } = this.#attached();
    if (stream.isClosing) throw stateError('Failure to close WritableStream');
    return stream.close();
  }
  releaseLock() {
    if (!(#record in this)) throw wrongReceiver('WritableStreamDefaultWriter');
    if (this.#record.stream !== undefined) this.#record.release();
  }
  write(chunk = undefined) {
    let record;
    try {
      record = this.#attached();
    } catch (error) {
      return Promise.reject(error);
    }
    return record.write(chunk);
  }
}
finish(WritableStreamDefaultWriter, 'WritableStreamDefaultWriter');

// --- the controller (§5.4, §5.5.4)

class ControllerRecord {
  queue = new SizedQueue();
  isStarted = false;
  abortController = new (require('./abort').AbortController)();

  /** SetUpWritableStreamDefaultController */
  constructor(stream, { write, close, abort, highWaterMark, size }) {
    this.stream = stream;
    stream.controller = this;
    this.writeAlgorithm = write;
    this.closeAlgorithm = close;
    this.abortAlgorithm = abort;
    this.highWaterMark = highWaterMark;
    this.sizeAlgorithm = size;
    this.object = new WritableStreamDefaultController(KEY, this);
    stream.updateBackpressure(this.hasBackpressure());
  }

  start(result) {
    upon(Promise.resolve(result), () => {
      this.isStarted = true;
      this.#advance();
    }, (reason) => {
      this.isStarted = true;
      this.stream.dealWithRejection(reason);
    });
  }

  desiredSize() { return this.highWaterMark - this.queue.total; }
  hasBackpressure() { return this.desiredSize() <= 0; }

  #clear() {
    this.writeAlgorithm = this.closeAlgorithm = this.abortAlgorithm = this.sizeAlgorithm = undefined;
  }

  abort(reason) { this.abortController.abort(reason); }
  abortSteps(reason) {
    const result = this.abortAlgorithm(reason);
    this.#clear();
    return result;
  }

  // WritableStreamDefaultControllerGetChunkSize
  sizeOf(chunk) {
    if (this.sizeAlgorithm === undefined) return 1;
    try {
      return this.sizeAlgorithm(chunk);
    } catch (error) {
      this.errorIfNeeded(error);
      return 1;
    }
  }

  // WritableStreamDefaultControllerWrite
  write(chunk, size) {
    try {
      this.queue.enqueue(chunk, size);
    } catch (error) {
      this.errorIfNeeded(error);
      return;
    }
    const { stream } = this;
    if (!stream.isClosing && stream.state === 'writable') stream.updateBackpressure(this.hasBackpressure());
    this.#advance();
  }

  close() {
    this.queue.enqueue(CLOSE, 0);
    this.#advance();
  }

  // WritableStreamDefaultControllerAdvanceQueueIfNeeded
  #advance() {
    const { stream } = this;
    if (!this.isStarted || stream.inFlightWrite !== undefined) return;
    if (stream.state === 'erroring') {
      stream.finishErroring();
      return;
    }
    if (this.queue.length === 0) return;
    const value = this.queue.peek();
    if (value === CLOSE) this.#processClose();
    else this.#processWrite(value);
  }

  #processClose() {
    const { stream } = this;
    stream.inFlightClose = stream.closeRequest;
    stream.closeRequest = undefined;
    this.queue.dequeue();
    const done = this.closeAlgorithm();
    this.#clear();
    upon(done, () => stream.finishClose(), (reason) => stream.finishCloseWithError(reason));
  }

  #processWrite(chunk) {
    const { stream } = this;
    stream.inFlightWrite = stream.writeRequests.shift();
    upon(this.writeAlgorithm(chunk), () => {
      stream.finishWrite();
      this.queue.dequeue();
      if (!stream.isClosing && stream.state === 'writable') stream.updateBackpressure(this.hasBackpressure());
      this.#advance();
    }, (reason) => {
      if (stream.state === 'writable') this.#clear();
      stream.finishWriteWithError(reason);
    });
  }

  errorIfNeeded(error) {
    if (this.stream.state === 'writable') this.error(error);
  }

  // WritableStreamDefaultControllerError
  error(reason) {
    this.#clear();
    this.stream.startErroring(reason);
  }
}

class WritableStreamDefaultController {
  #record;
  constructor(key, record) {
    if (key !== KEY) throw illegalConstructor();
    this.#record = record;
  }
  get signal() {
    if (!(#record in this)) throw wrongReceiver('WritableStreamDefaultController');
    return this.#record.abortController.signal;
  }
  error(reason = undefined) {
    if (!(#record in this)) throw wrongReceiver('WritableStreamDefaultController');
    if (this.#record.stream.state === 'writable') this.#record.error(reason);
  }
}
finish(WritableStreamDefaultController, 'WritableStreamDefaultController');

/** SetUpWritableStreamDefaultControllerFromUnderlyingSink */
function setUpFromSink(stream, sink, highWaterMark, size) {
  const [start, write, close, abort] = ['start', 'write', 'close', 'abort'].map((name) => methodOf(sink, name, 'sink'));
  const resolved = () => Promise.resolve();
  const controller = new ControllerRecord(stream, {
    write: write === undefined ? resolved : (chunk) => invoke(write, sink, chunk, controller.object),
    close: close === undefined ? resolved : () => invoke(close, sink),
    abort: abort === undefined ? resolved : (reason) => invoke(abort, sink, reason),
    highWaterMark,
    size,
  });
  controller.start(start?.call(sink, controller.object));
}

/** CreateWritableStream: the algorithms give promises; `start(controller)` may be left out. */
function createWritableStream({ start, write, close, abort, highWaterMark = 1, size = () => 1 }) {
  const record = new WritableRecord();
  const stream = new WritableStream(KEY, record);
  const controller = new ControllerRecord(record, { write, close, abort, highWaterMark, size });
  controller.start(start?.(controller));
  return stream;
}

module.exports = {
  WritableStream, WritableStreamDefaultWriter, WritableStreamDefaultController, WriterRecord,
  createWritableStream, isWritableStream, recordOf: (stream) => recordOf(stream),
};
