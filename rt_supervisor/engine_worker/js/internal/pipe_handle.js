// @ts-check
'use strict';
// Owns: one pipe or socket of ours, by its descriptor: reading and writing that never waits, and what of it keeps the
// program alive: a write under way, and reading, unless it was unreferenced. Streams, sinks and channels are made of it.

const native = host.native;

class PipeHandle {
  #isReferenced = true;
  #isReading = false;
  #writes = 0;
  #isCounted = false;

  constructor(fd) {
    this.fd = fd;
  }

  get isClosed() {
    return this.fd < 0;
  }
  get isReading() {
    return this.#isReading;
  }

  #count() {
    const counts = !this.isClosed && (this.#writes > 0 || (this.#isReading && this.#isReferenced));
    if (counts === this.#isCounted) return;
    this.#isCounted = counts;
    native.pipes_reference(counts ? 1 : -1);
  }

  /** Have `callback(block)` called for each block, null at the end, a negative errno for a failure. */
  read(callback) {
    this.#begin(native.pipes_read, callback);
  }

  /** The same of a socket through which descriptors may come: `callback(block, descriptors?)`. */
  readChannel(callback) {
    this.#begin(native.pipes_readChannel, callback);
  }

  #begin(read, callback) {
    if (this.isClosed || this.#isReading) return;
    this.#isReading = true;
    read(this.fd, (block, descriptors) => {
      if (!this.#isReading) return;
      if (typeof block !== 'object' || block === null) this.stop();
      callback(block, descriptors);
    });
    this.#count();
  }

  stop() {
    if (!this.#isReading) return;
    this.#isReading = false;
    native.pipes_stop(this.fd);
    this.#count();
  }

  /** Write `bytes`: true when all is written; else `callback(0 or a negative errno)` follows, if only in a tick. */
  write(bytes, callback) {
    return this.#written(native.pipes_write, bytes, callback);
  }

  /** The same for a list of buffers. */
  writeAll(list, callback) {
    return this.#written(native.pipes_writev, list, callback);
  }

  /** The same for `bytes` with a descriptor beside them, which stays the caller's. */
  writeWith(bytes, descriptor, callback) {
    const write = (fd, what, done) => native.pipes_writeWith(fd, what, done, descriptor);
    return this.#written(write, bytes, callback);
  }

  #written(write, what, callback) {
    if (this.isClosed) {
      host.nextTick(callback, -9); // EBADF
      return false;
    }
    const state = write(this.fd, what, (outcome) => {
      this.#writes--;
      this.#count();
      callback(outcome);
    });
    if (state === 0) return true;
    if (state < 0) host.nextTick(callback, state);
    else {
      this.#writes++;
      this.#count();
    }
    return false;
  }

  /** Say that nothing more is written; what arrives can still be read. */
  end() {
    if (!this.isClosed) native.pipes_end(this.fd);
  }

  close() {
    if (this.isClosed) return;
    this.#isReading = false;
    this.#writes = 0;
    const { fd } = this;
    this.fd = -1;
    this.#count();
    native.pipes_close(fd);
  }

  ref() {
    this.#isReferenced = true;
    this.#count();
  }
  unref() {
    this.#isReferenced = false;
    this.#count();
  }
}

/** What of a socket that listens a program may hand on: its descriptor, which stays the server's. */
class ListeningHandle {
  constructor(fd) {
    this.fd = fd;
  }
}

module.exports = { PipeHandle, ListeningHandle };
