'use strict';
// Owns: COPY as streams: the results of a query's readable() and writable(). A query that uses one of them is sent as a simple
// query; rt/sql/running reports that the server has started the copy, and each chunk that arrives.

const { ArrayPush, FunctionCall, PromiseThen, StringSlice } = require('internal/primordials');
const { PromiseResolve } = require('internal/promises');
const { codes } = require('internal/errors/errors');
const { bytesOf } = require('internal/bytes');
const { failure } = require('rt/sql/errors');
const { Buffer } = require('node/buffer/buffer');

const MOST_PIECE = 1024 * 1024; // the maximum size of one message of a COPY FROM STDIN

/** The error for a COPY without the stream that it needs. */
const notSupported = () =>
  failure('COPY_NOT_SUPPORTED', 'COPY ... FROM STDIN needs query.writable() and COPY ... TO STDOUT needs query.readable()');

/** From the server: `stream` is the ReadableStream. */
class CopyOut {
  isOut = true;
  hasStarted = false;
  #connection;
  #controller;
  #pieces = [];
  #isOver = false;

  constructor(cancel) {
    const { ReadableStream } = require('web/streams/readable');
    this.stream = new ReadableStream(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => this.#connection?.resume(),
        cancel: () => {
          this.#isOver = true;
          this.#connection?.resume(); // the rest is read and discarded
          cancel();
        },
      },
      { highWaterMark: 1 },
    );
  }
  begin(connection) {
    this.hasStarted = true;
    this.#connection = connection;
  }
  /** Chunks that arrive together are enqueued together. */
  data(bytes) {
    if (this.#isOver) return;
    ArrayPush(this.#pieces, bytes);
    if (this.#pieces.length === 1) PromiseThen(PromiseResolve(), () => this.#flush());
  }
  #flush() {
    if (this.#isOver || this.#pieces.length === 0) return;
    const joined = Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#controller.enqueue(new Uint8Array(joined.buffer, joined.byteOffset, joined.length));
    if (this.#controller.desiredSize <= 0) this.#connection.pause();
  }
  end(error) {
    this.#connection?.resume();
    if (this.#isOver) return;
    if (error === undefined && !this.hasStarted)
      error = failure('COPY_NOT_SUPPORTED', 'readable() needs a COPY ... TO STDOUT statement');
    if (error === undefined) this.#flush();
    this.#isOver = true;
    if (error === undefined) this.#controller.close();
    else this.#controller.error(error);
  }
}

/** To the server: `stream` is the WritableStream. */
class CopyIn {
  isOut = false;
  hasStarted = false;
  #connection;
  #controller;
  #ready; // { promise, resolve } until the server is ready for the first chunk
  #completion;

  constructor() {
    const { WritableStream } = require('web/streams/writable');
    this.#ready = withResolvers();
    this.#completion = withResolvers();
    PromiseThen(this.#completion.promise, undefined, () => {});
    PromiseThen(this.#ready.promise, undefined, () => {});
    this.stream = new WritableStream({
      start: (controller) => {
        this.#controller = controller;
      },
      write: async (chunk) => {
        const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : bytesOf(chunk);
        if (bytes === undefined)
          throw this.#broken(new codes.ERR_INVALID_ARG_TYPE('chunk', ['string', 'TypedArray', 'DataView', 'ArrayBuffer'], chunk));
        await this.#ready.promise;
        for (let at = 0; at < bytes.length; at += MOST_PIECE)
          await this.#connection.sendPiece(FunctionCall(Uint8Array.prototype.subarray, bytes, at, at + MOST_PIECE));
      },
      close: async () => {
        await this.#ready.promise;
        this.#connection.endPieces();
        await this.#completion.promise;
      },
      abort: async (reason) => {
        this.#broken(reason);
        await PromiseThen(
          this.#completion.promise,
          () => {},
          () => {},
        );
      },
    });
  }
  /** Called when the program aborts the stream: the reason is sent to the server once it accepts data. */
  #broken(reason) {
    let text = 'aborted';
    try {
      text = StringSlice(`${reason}`, 0, 500);
    } catch {
      text = 'aborted'; // a reason that cannot be converted to a string
    }
    PromiseThen(
      this.#ready.promise,
      () => this.#connection.failPieces(text),
      () => {},
    );
    return reason;
  }
  begin(connection) {
    this.hasStarted = true;
    this.#connection = connection;
    this.#ready.resolve();
  }
  end(error) {
    if (error === undefined && !this.hasStarted)
      error = failure('COPY_NOT_SUPPORTED', 'writable() needs a COPY ... FROM STDIN statement');
    if (error === undefined) {
      this.#completion.resolve();
      return;
    }
    this.#ready.reject(error);
    this.#completion.reject(error);
    this.#controller.error(error);
  }
}

function withResolvers() {
  let resolve;
  let reject;
  const promise = new Promise((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

module.exports = { CopyIn, CopyOut, notSupported };
