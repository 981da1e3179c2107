// @ts-check
'use strict';
// Owns: WritableStreamDefaultController (Streams standard §5.4, §5.5.4): queues chunks and passes them to the sink one at a
// time.

const { ArrayMap, FunctionCall } = require('internal/primordials');
const { PromiseResolve } = require('internal/promises');
const {
  SizedQueue,
  finish,
  illegalConstructor,
  invoke,
  invokeOnce,
  methodOf,
  objectOf,
  promiseAround,
  upon,
  wrongReceiver,
} = require('web/streams/basics');

const KEY = Symbol('record');
const CLOSE = Symbol('close sentinel');

class ControllerRecord {
  queue = new SizedQueue();
  isStarted = false;
  /** @type {any} */
  object;
  highWaterMark;
  abortController = new (require('web/abort').AbortController)();
  // Created once: they are needed for each chunk.
  #onWritten = () => this.#hasWritten();
  #onWriteFailed = (reason) => {
    if (this.stream.state === 'writable') this.#clear();
    this.stream.finishWriteWithError(reason);
  };

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
    upon(
      promiseAround(result),
      () => {
        this.isStarted = true;
        this.#advance();
      },
      (reason) => {
        this.isStarted = true;
        this.stream.dealWithRejection(reason);
      },
    );
  }

  desiredSize() {
    return this.highWaterMark - this.queue.total;
  }
  hasBackpressure() {
    return this.desiredSize() <= 0;
  }

  #clear() {
    this.writeAlgorithm = this.closeAlgorithm = this.abortAlgorithm = this.sizeAlgorithm = undefined;
  }

  abort(reason) {
    this.abortController.abort(reason);
  }
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
    upon(
      done,
      () => stream.finishClose(),
      (reason) => stream.finishCloseWithError(reason),
    );
  }

  #processWrite(chunk) {
    const { stream } = this;
    stream.inFlightWrite = stream.writeRequests.shift();
    upon(this.writeAlgorithm(chunk), this.#onWritten, this.#onWriteFailed);
  }

  #hasWritten() {
    const { stream } = this;
    stream.finishWrite();
    this.queue.dequeue();
    if (!stream.isClosing && stream.state === 'writable') stream.updateBackpressure(this.hasBackpressure());
    this.#advance();
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
  /** @param {any} [key] @param {any} [record] */
  constructor(key = undefined, record = undefined) {
    if (key !== KEY) throw illegalConstructor();
    this.#record = record;
  }
  get signal() {
    if (!(#record in objectOf(this))) throw wrongReceiver('WritableStreamDefaultController');
    return this.#record.abortController.signal;
  }
  error(reason = undefined) {
    if (!(#record in objectOf(this))) throw wrongReceiver('WritableStreamDefaultController');
    if (this.#record.stream.state === 'writable') this.#record.error(reason);
  }
}
finish(WritableStreamDefaultController, 'WritableStreamDefaultController');

/** SetUpWritableStreamDefaultControllerFromUnderlyingSink */
function setUpFromSink(stream, sink, highWaterMark, size) {
  const {
    0: start,
    1: write,
    2: close,
    3: abort,
  } = ArrayMap(['start', 'write', 'close', 'abort'], (name) => methodOf(sink, name, 'sink'));
  const resolved = () => PromiseResolve();
  const controller = new ControllerRecord(stream, {
    write: write === undefined ? resolved : (chunk) => invoke(write, sink, chunk, controller.object),
    close: close === undefined ? resolved : () => invokeOnce(close, sink),
    abort: abort === undefined ? resolved : (reason) => invokeOnce(abort, sink, reason),
    highWaterMark,
    size,
  });
  controller.start(start == null ? undefined : FunctionCall(start, sink, controller.object));
}

module.exports = { ControllerRecord, WritableStreamDefaultController, setUpFromSink };
