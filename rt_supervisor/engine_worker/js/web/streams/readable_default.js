// @ts-check
'use strict';
// Owns: ReadableStreamDefaultController (Streams standard §4.6): a queue of chunks of any type, pulled while there is room.

const { PromiseResolve } = require('internal/promises');
const { ArrayMap, FunctionCall } = require('internal/primordials');
const {
  illegalConstructor,
  finish,
  invoke,
  invokeOnce,
  methodOf,
  objectOf,
  stateError,
  wrongReceiver,
  SizedQueue,
} = require('web/streams/basics');
const { PullingController } = require('web/streams/pulling');
const readable = require('web/streams/readable');

const KEY = Symbol('record');

class DefaultControllerRecord extends PullingController {
  isBytes = false;
  queue = new SizedQueue();
  closeRequested = false;

  /** SetUpReadableStreamDefaultController: `pull` and `cancel` return promises. */
  constructor(stream, { pull, cancel, highWaterMark, size }) {
    super(stream, { pull, cancel, highWaterMark });
    this.sizeAlgorithm = size;
    this.object = new ReadableStreamDefaultController(KEY, this);
  }

  // ReadableStreamDefaultControllerShouldCallPull
  shouldPull() {
    if (!this.canCloseOrEnqueue() || !this.isStarted) return false;
    if (readable.waitingReads(this.stream) > 0) return true;
    return (this.desiredSize() ?? 0) > 0;
  }

  #clear() {
    this.pullAlgorithm = this.cancelAlgorithm = this.sizeAlgorithm = undefined;
  }

  canCloseOrEnqueue() {
    return !this.closeRequested && this.stream.state === 'readable';
  }

  desiredSize() {
    if (this.stream.state === 'errored') return null;
    if (this.stream.state === 'closed') return 0;
    return this.highWaterMark - this.queue.total;
  }

  close() {
    if (!this.canCloseOrEnqueue()) return;
    this.closeRequested = true;
    if (this.queue.length > 0) return;
    this.#clear();
    readable.close(this.stream);
  }

  enqueue(chunk) {
    if (!this.canCloseOrEnqueue()) return;
    if (readable.waitingReads(this.stream) > 0) {
      readable.fulfill(this.stream, chunk, false);
    } else {
      try {
        this.queue.enqueue(chunk, this.sizeAlgorithm(chunk));
      } catch (error) {
        this.error(error);
        throw error;
      }
    }
    this.pullIfNeeded();
  }

  error(reason) {
    if (this.stream.state !== 'readable') return;
    this.queue.reset();
    this.#clear();
    readable.error(this.stream, reason);
  }

  cancelSteps(reason) {
    this.queue.reset();
    const result = this.cancelAlgorithm(reason);
    this.#clear();
    return result;
  }

  pullSteps(request) {
    if (this.queue.length === 0) {
      this.stream.reader.requests.push(request);
      this.pullIfNeeded();
      return;
    }
    const chunk = this.queue.dequeue();
    if (this.closeRequested && this.queue.length === 0) {
      this.#clear();
      readable.close(this.stream);
    } else {
      this.pullIfNeeded();
    }
    request.chunk(chunk);
  }

  releaseSteps() {}
}

class ReadableStreamDefaultController {
  #record;
  /** @param {any} [key] @param {any} [record] */
  constructor(key = undefined, record = undefined) {
    if (key !== KEY) throw illegalConstructor();
    this.#record = record;
  }
  get desiredSize() {
    if (!(#record in objectOf(this))) throw wrongReceiver('ReadableStreamDefaultController');
    return this.#record.desiredSize();
  }
  close() {
    if (!(#record in objectOf(this))) throw wrongReceiver('ReadableStreamDefaultController');
    if (!this.#record.canCloseOrEnqueue()) throw stateError('Controller is already closed');
    this.#record.close();
  }
  enqueue(chunk = undefined) {
    if (!(#record in objectOf(this))) throw wrongReceiver('ReadableStreamDefaultController');
    if (!this.#record.canCloseOrEnqueue()) throw stateError('Controller is already closed');
    this.#record.enqueue(chunk);
  }
  error(reason = undefined) {
    if (!(#record in objectOf(this))) throw wrongReceiver('ReadableStreamDefaultController');
    this.#record.error(reason);
  }
}
finish(ReadableStreamDefaultController, 'ReadableStreamDefaultController');

/** SetUpReadableStreamDefaultControllerFromUnderlyingSource */
function setUpFromSource(stream, source, highWaterMark, size) {
  const { 0: start, 1: pull, 2: cancel } = ArrayMap(['start', 'pull', 'cancel'], (name) => methodOf(source, name, 'source'));
  const controller = new DefaultControllerRecord(stream, {
    pull: pull === undefined ? () => PromiseResolve() : () => invoke(pull, source, controller.object),
    cancel: cancel === undefined ? () => PromiseResolve() : (reason) => invokeOnce(cancel, source, reason),
    highWaterMark,
    size,
  });
  controller.start(start == null ? undefined : FunctionCall(start, source, controller.object));
}

/**
 * CreateReadableStream; the controller's record is `record.controller`.
 * @param {{ __proto__?: null, start?: any, pull: any, cancel: any, highWaterMark?: number, size?: any }} source
 */
function createReadableStream({ start, pull, cancel, highWaterMark = 1, size = () => 1 }) {
  return readable.create((record) => {
    const controller = new DefaultControllerRecord(record, { pull, cancel, highWaterMark, size });
    controller.start(start?.(controller));
  });
}

module.exports = { ReadableStreamDefaultController, setUpFromSource, createReadableStream };
