// @ts-check
'use strict';
// Owns: the sink of a child's standard input. Writes are buffered until the end of the turn, `flush` or `end`, or until the
// buffer is large. If the pipe does not accept everything at once, the result is a promise of the number of bytes.

const { ArrayPush, ObjectAssign, ObjectDefineProperty, PromiseThen } = require('internal/primordials');
const { PromiseCatch, PromiseFinally, PromiseWithResolvers } = require('internal/promises');
const { typeError } = require('rt/spawn/options');
const { bytesOf, concatArrayBuffers } = require('internal/bytes');

const MOST_GATHERED = 64 * 1024;

class FileSink {
  #handle;
  #chunks = [];
  #size = 0;
  #pending = null; // the promise for data that the pipe has not accepted yet
  #isEnding = false;
  #isScheduled = false;

  constructor(handle) {
    this.#handle = handle;
  }

  write(chunk) {
    let bytes;
    if (typeof chunk === 'string') bytes = host.native.encodeUtf8(chunk);
    else bytes = bytesOf(chunk)?.slice();
    if (bytes === undefined) throw typeError('write() expects a string, ArrayBufferView, or ArrayBuffer');
    if (this.#handle.isClosed || this.#isEnding) return true;
    ArrayPush(this.#chunks, bytes);
    this.#size += bytes.length;
    if (this.#size > MOST_GATHERED) {
      const state = this.flush();
      if (typeof state === 'object') {
        const promise = PromiseThen(state, () => bytes.length);
        PromiseCatch(promise, () => {});
        return promise;
      }
    } else if (!this.#isScheduled) {
      this.#isScheduled = true;
      host.nextTick(() => {
        this.#isScheduled = false;
        this.flush();
      });
    }
    return bytes.length;
  }

  /** Writes the buffer. Returns the number of bytes, or a promise for it. */
  flush() {
    if (this.#handle.isClosed) return undefined;
    if (this.#size === 0) return this.#pending ?? 0;
    const size = this.#size;
    const bytes = this.#chunks.length === 1 ? this.#chunks[0] : concatArrayBuffers(this.#chunks, size, true);
    this.#chunks = [];
    this.#size = 0;
    const { promise, resolve, reject } = PromiseWithResolvers();
    const isDone = this.#handle.write(bytes, (outcome) => {
      if (this.#pending === promise) this.#pending = null;
      if (outcome < 0) {
        this.#handle.close();
        reject(writeError(outcome));
      } else resolve(size);
    });
    if (isDone) return size;
    PromiseCatch(promise, () => {}); // prevents an unhandled rejection; callers that await it still get the error
    this.#pending = promise;
    return promise;
  }

  end() {
    if (this.#isEnding || this.#handle.isClosed) return 0;
    const state = this.flush();
    this.#isEnding = true;
    if (typeof state !== 'object') {
      this.#handle.close();
      return state ?? 0;
    }
    const promise = PromiseFinally(state, () => this.#handle.close());
    PromiseCatch(promise, () => {});
    return promise;
  }

  close() {
    this.end();
  }
  /** Called when the child has exited: further writes have no reader. */
  handleExit() {
    if (this.#pending === null) this.#handle.close();
  }
  start() {}
  ref() {
    this.#handle.ref();
  }
  unref() {
    this.#handle.unref();
  }
  _getFd() {
    return this.#handle.fd;
  }
}
ObjectDefineProperty(FileSink.prototype, Symbol.toStringTag, { __proto__: null, value: 'FileSink', configurable: true });

function writeError(errno) {
  const { getSystemErrorName, getSystemErrorMessage } = require('internal/errors/errno');
  const code = getSystemErrorName(errno);
  return ObjectAssign(new Error(`${code}: ${getSystemErrorMessage(errno)}, write`), { code, errno, syscall: 'write' });
}

module.exports = { FileSink };
