// @ts-check
'use strict';
// Owns: WritableStreamDefaultWriter (Streams standard §5.3, §5.5.3).

const { PromiseReject, PromiseResolve } = require('internal/promises');
const { codes } = require('internal/errors/errors');
const { Deferred, finish, markHandled, objectOf, callAsync, stateError, wrongReceiver } = require('web/streams/basics');
const { isWritableStream, recordOf } = require('web/streams/writable');

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
    markHandled(this.closed.promise);
  }

  // WritableStreamDefaultWriterEnsureReadyPromiseRejected
  rejectReady(reason) {
    if (this.ready.isPending) this.ready.reject(reason);
    else this.ready = Deferred.rejected(reason);
    markHandled(this.ready.promise);
  }

  #rejectClosed(reason) {
    if (this.closed.isPending) this.closed.reject(reason);
    else this.closed = Deferred.rejected(reason);
    markHandled(this.closed.promise);
  }

  // WritableStreamDefaultWriterCloseWithErrorPropagation
  closePassingErrors() {
    const { stream } = this;
    if (stream.isClosing || stream.state === 'closed') return PromiseResolve();
    if (stream.state === 'errored') return PromiseReject(stream.storedError);
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

  /** What waits for room in the stream. */
  makeReady() {
    return new Deferred();
  }

  // WritableStreamDefaultWriterWrite
  write(chunk) {
    const request = new Deferred();
    this.writeFor(request, chunk);
    return request.promise;
  }

  /** Writes; `request`, which has resolve() and reject(reason), learns the result. */
  writeFor(request, chunk) {
    const { stream } = this;
    const { controller } = stream;
    const size = controller.sizeOf(chunk);
    if (stream !== this.stream) request.reject(stateError('Mismatched WritableStreams'));
    else if (stream.state === 'errored') request.reject(stream.storedError);
    else if (stream.isClosing || stream.state === 'closed') request.reject(stateError('WritableStream is closed'));
    else if (stream.state === 'erroring') request.reject(stream.storedError);
    else {
      stream.writeRequests.push(request);
      controller.write(chunk, size);
    }
  }

  // WritableStreamDefaultWriterGetDesiredSize
  desiredSize() {
    const { state, controller } = this.stream;
    if (state === 'errored' || state === 'erroring') return null;
    return state === 'closed' ? 0 : controller.desiredSize();
  }
}

let attached; // returns the record of a writer that has a stream

class WritableStreamDefaultWriter {
  #record;
  constructor(stream) {
    if (!isWritableStream(stream)) throw new codes.ERR_INVALID_ARG_TYPE('stream', 'WritableStream', stream);
    this.#record = new WriterRecord(recordOf(stream));
  }
  static {
    attached = (writer) => {
      if (!(#record in objectOf(writer))) throw wrongReceiver('WritableStreamDefaultWriter');
      if (writer.#record.stream === undefined) throw stateError('Writer is not bound to a WritableStream');
      return writer.#record;
    };
  }
  get closed() {
    if (!(#record in objectOf(this))) return PromiseReject(wrongReceiver('WritableStreamDefaultWriter'));
    return this.#record.closed.promise;
  }
  get desiredSize() {
    return attached(this).desiredSize();
  }
  get ready() {
    if (!(#record in objectOf(this))) return PromiseReject(wrongReceiver('WritableStreamDefaultWriter'));
    return this.#record.ready.promise;
  }
  abort(reason = undefined) {
    return callAsync(() => attached(this).stream.abort(reason));
  }
  close() {
    return callAsync(() => {
      const { stream } = attached(this);
      if (stream.isClosing) throw stateError('Failure to close WritableStream');
      return stream.close();
    });
  }
  releaseLock() {
    if (!(#record in objectOf(this))) throw wrongReceiver('WritableStreamDefaultWriter');
    if (this.#record.stream !== undefined) this.#record.release();
  }
  write(chunk = undefined) {
    return callAsync(() => attached(this).write(chunk));
  }
}
finish(WritableStreamDefaultWriter, 'WritableStreamDefaultWriter');

module.exports = { WriterRecord, WritableStreamDefaultWriter };
