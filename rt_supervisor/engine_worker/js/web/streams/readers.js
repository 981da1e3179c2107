// @ts-check
'use strict';
// Owns: ReadableStreamDefaultReader and ReadableStreamBYOBReader (Streams standard §4.3 to §4.5).
//
// A request waits for a chunk: { chunk(value), close(value), error(reason) }, of which exactly one is called, once.

const { ArrayBufferIsView, NumberIsInteger } = require('internal/primordials');
const { isDataView } = require('internal/brands');
const { PromiseReject } = require('internal/promises');
const { codes } = require('internal/errors/errors');
const { Deferred, Fifo, finish, markHandled, objectOf, stateError, wrongReceiver } = require('web/streams/basics');
const readable = require('web/streams/readable');

class ReaderRecord {
  constructor(stream, isByob) {
    // ReadableStreamReaderGenericInitialize
    this.stream = stream;
    this.isByob = isByob;
    this.requests = new Fifo();
    stream.reader = this;
    if (stream.state === 'readable') {
      this.closed = new Deferred();
      markHandled(this.closed.promise);
    } else {
      this.closed = stream.state === 'closed' ? Deferred.resolved() : Deferred.rejected(stream.storedError);
    }
  }

  /** ReadableStreamReaderGenericRelease, then the errors of pending requests */
  release() {
    const { stream } = this;
    const reason = stateError('Reader released');
    if (stream.state === 'readable') this.closed.reject(reason);
    else this.closed = Deferred.rejected(reason);
    markHandled(this.closed.promise);
    stream.controller.releaseSteps();
    stream.reader = undefined;
    this.stream = undefined;
    for (let index = 0, list = this.requests.drain(); index < list.length; index++) {
      const request = list[index];
      request.error(stateError('Releasing reader'));
    }
  }

  /** ReadableStreamDefaultReaderRead */
  read(request) {
    const { stream } = this;
    stream.disturbed = true;
    if (stream.state === 'closed') request.close();
    else if (stream.state === 'errored') request.error(stream.storedError);
    else stream.controller.pullSteps(request);
  }

  /** ReadableStreamBYOBReaderRead */
  readInto(view, minimum, request) {
    const { stream } = this;
    stream.disturbed = true;
    if (stream.state === 'errored') request.error(stream.storedError);
    else stream.controller.pullInto(view, minimum, request);
  }
}

class PromiseRequest {
  constructor() {
    this.promise = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.error = reject;
    });
  }
  chunk(value) {
    this.resolve({ done: false, value });
  }
  close(value) {
    this.resolve({ done: true, value });
  }
}

function lock(stream, isByob) {
  if (!readable.isReadableStream(stream)) throw new codes.ERR_INVALID_ARG_TYPE('stream', 'ReadableStream', stream);
  const record = readable.recordOf(stream);
  if (record.locked) throw stateError('ReadableStream is locked');
  if (isByob && !record.controller.isBytes) throw new codes.ERR_INVALID_ARG_VALUE('stream', stream, 'must be a byte stream');
  return new ReaderRecord(record, isByob);
}

/** ReadableStreamReaderGenericCancel, or the error of a reader without a stream */
function cancelOf(record, reason) {
  if (record.stream === undefined) return PromiseReject(stateError('The reader is not attached to a stream'));
  return readable.cancel(record.stream, reason);
}

class ReadableStreamDefaultReader {
  #record;
  constructor(stream) {
    this.#record = lock(stream, false);
  }

  get closed() {
    if (!(#record in objectOf(this))) return PromiseReject(wrongReceiver('ReadableStreamDefaultReader'));
    return this.#record.closed.promise;
  }
  read() {
    if (!(#record in objectOf(this))) return PromiseReject(wrongReceiver('ReadableStreamDefaultReader'));
    if (this.#record.stream === undefined) return PromiseReject(stateError('The reader is not attached to a stream'));
    const request = new PromiseRequest();
    this.#record.read(request);
    return request.promise;
  }
  releaseLock() {
    if (!(#record in objectOf(this))) throw wrongReceiver('ReadableStreamDefaultReader');
    if (this.#record.stream !== undefined) this.#record.release();
  }
  cancel(reason = undefined) {
    if (!(#record in objectOf(this))) return PromiseReject(wrongReceiver('ReadableStreamDefaultReader'));
    return cancelOf(this.#record, reason);
  }
}

class ReadableStreamBYOBReader {
  #record;
  constructor(stream) {
    this.#record = lock(stream, true);
  }

  get closed() {
    if (!(#record in objectOf(this))) return PromiseReject(wrongReceiver('ReadableStreamBYOBReader'));
    return this.#record.closed.promise;
  }
  /** @param {any} view @param {any} [options] */
  async read(view, options = undefined) {
    if (!(#record in objectOf(this))) throw wrongReceiver('ReadableStreamBYOBReader');
    if (!ArrayBufferIsView(view)) throw new codes.ERR_INVALID_ARG_TYPE('view', ['Buffer', 'TypedArray', 'DataView'], view);
    const { buffer, byteLength, length } = /** @type {any} */ (view);
    if (byteLength === 0) throw stateError('View or Viewed ArrayBuffer is zero-length or detached');
    if (buffer.byteLength === 0 || buffer.detached) throw stateError('View or Viewed ArrayBuffer is zero-length or detached');
    const minimum = options?.min === undefined ? 1 : Number(options.min);
    if (!NumberIsInteger(minimum) || minimum < 0) throw new codes.ERR_INVALID_ARG_VALUE('options.min', options.min);
    if (minimum === 0) throw new codes.ERR_INVALID_ARG_VALUE('options.min', minimum);
    const most = isDataView(view) ? byteLength : length;
    if (minimum > most) throw new codes.ERR_OUT_OF_RANGE('options.min', `<= ${most}`, minimum);
    if (this.#record.stream === undefined) throw stateError('The reader is not attached to a stream');
    const request = new PromiseRequest();
    this.#record.readInto(view, minimum, request);
    return request.promise;
  }
  releaseLock() {
    if (!(#record in objectOf(this))) throw wrongReceiver('ReadableStreamBYOBReader');
    if (this.#record.stream !== undefined) this.#record.release();
  }
  cancel(reason = undefined) {
    if (!(#record in objectOf(this))) return PromiseReject(wrongReceiver('ReadableStreamBYOBReader'));
    return cancelOf(this.#record, reason);
  }
}
finish(ReadableStreamDefaultReader, 'ReadableStreamDefaultReader');
finish(ReadableStreamBYOBReader, 'ReadableStreamBYOBReader');

module.exports = { ReaderRecord, ReadableStreamDefaultReader, ReadableStreamBYOBReader };
