// @ts-check
'use strict';
// Owns: a pipe or socket, by its descriptor: reads and writes that never block, and which of them keep the program alive: a
// pending write, and reading unless it is unref'd. Streams, sinks and channels are built on it.

const native = host.native;
const { ArrayPush, ArrayShift, ObjectAssign, intact } = require('internal/primordials');
const context = require('internal/async/context');
const { whenClosed } = require('internal/timers');

const ECANCELED = -125;

class PipeHandle {
  #isReferenced = true;
  #isReading = false;
  #writes = /** @type {((outcome: number) => void)[]} */ ([]); // those that are not done
  #isCounted = false;
  lastSize = 0;
  #resource; // its resource for node:async_hooks, if the program uses that module

  constructor(fd, resource = undefined) {
    this.fd = fd;
    this.#resource = resource;
  }

  /** Assigns a descriptor to a handle that was created without one. */
  open(fd, resource) {
    this.fd = fd;
    this.#resource = resource;
  }

  /** The handle's resource for node:async_hooks; undefined until the program uses that module. */
  get resource() {
    if (this.#resource === undefined && context.isUsed) this.#resource = context.initResource({}, 'PIPEWRAP');
    return this.#resource;
  }

  get isClosed() {
    return this.fd < 0;
  }
  get isReading() {
    return this.#isReading;
  }

  /** The descriptor if no earlier bytes are waiting to be sent; else -1. */
  get freeDescriptor() {
    return this.#writes.length > 0 ? -1 : this.fd;
  }

  #count() {
    const counts = !this.isClosed && (this.#writes.length > 0 || (this.#isReading && this.#isReferenced));
    if (counts === this.#isCounted) return;
    this.#isCounted = counts;
    native.pipes_reference(counts ? 1 : -1);
  }

  /** Calls `callback(block)` for each block read, with null at the end or a negative errno on failure. */
  read(callback) {
    this.#begin(native.pipes_read, callback);
  }

  /** Like `read`, for a socket that can receive descriptors: `callback(block, descriptors?)`. */
  readChannel(callback) {
    this.#begin(native.pipes_readChannel, callback);
  }

  /**
   * Like `read`, for a function that has the system decode what it reads: `callback(value, block, size)`, where `block` is
   * undefined if the value does not refer to it.
   */
  readDecoded(read, callback) {
    this.#begin(read, callback);
  }

  #begin(read, callback) {
    if (this.isClosed || this.#isReading) return;
    this.#isReading = true;
    const take = (block, more, size) => {
      if (!this.#isReading) return;
      if (typeof block !== 'object' || block === null) this.stop();
      callback(block, more, size);
    };
    const { resource } = this;
    read(this.fd, resource === undefined ? take : context.bindTo(resource, take));
    this.#count();
  }

  stop() {
    if (!this.#isReading) return;
    this.#isReading = false;
    native.pipes_stop(this.fd);
    this.#count();
  }

  /**
   * Writes `bytes`. Returns true if everything was written; else `callback(0 or a negative errno)` is called, in a tick at the
   * earliest.
   */
  write(bytes, callback) {
    return this.#complete(native.pipes_write, bytes, callback);
  }

  /** Like `write`, for a list of buffers. */
  writeAll(list, callback) {
    return this.#complete(native.pipes_writev, list, callback);
  }

  /** Like `write`, with a descriptor that accompanies `bytes`. The caller keeps ownership of the descriptor. */
  writeWith(bytes, descriptor, callback) {
    const write = (fd, what, done) => native.pipes_writeWith(fd, what, done, descriptor);
    return this.#complete(write, bytes, callback);
  }

  /** Like `write`, for text in UTF-8 or Latin-1. `lastSize` is the number of its bytes, unless writing failed. */
  writeText(text, isLatin, callback) {
    const write = (fd, what, done) => {
      const outcome = native.pipes_writeText(fd, what, isLatin ? 1 : 0, done);
      if (outcome < 0) return outcome;
      this.lastSize = outcome >>> 1;
      return outcome & 1;
    };
    return this.#complete(write, text, callback);
  }

  #complete(write, what, callback) {
    if (this.isClosed) {
      host.nextTick(callback, -9); // EBADF
      return false;
    }
    let onOutcome = (outcome) => {
      ArrayShift(this.#writes);
      this.#count();
      callback(outcome);
    };
    const done = (outcome) => onOutcome(outcome);
    const state = write(this.fd, what, context.isUsed ? context.exempt(done) : done);
    if (state === 0) return true;
    if (state < 0) host.nextTick(callback, state);
    else {
      if (context.isUsed) onOutcome = this.#request('WRITEWRAP', onOutcome);
      ArrayPush(this.#writes, onOutcome);
      this.#count();
    }
    return false;
  }

  /** Binds `callback` to a new resource of the given type, which ends with the call. */
  #request(type, callback) {
    return context.bindTo(context.initResource({}, type, this.resource), callback, true);
  }

  /** Binds the callback of a shutdown to that request's resource. */
  ending(callback) {
    return context.isUsed ? this.#request('SHUTDOWNWRAP', callback) : callback;
  }

  /** Shuts down the writing side; incoming data can still be read. */
  end() {
    if (!this.isClosed) native.pipes_end(this.fd);
  }

  /** Binds the callback of the close to the handle's resource, which ends with the call. */
  closing(callback) {
    const resource = this.#resource;
    if (resource === undefined) return callback;
    this.#resource = undefined;
    return context.bindTo(resource, callback, true);
  }

  /**
   * `callback` runs after the immediates of the turn, as in Node, and before it those of writes that are not done.
   * @param {() => void} [callback]
   */
  close(callback = undefined) {
    const canceled = this.#writes;
    this.#writes = [];
    for (const onOutcome of intact(canceled)) whenClosed(() => onOutcome(ECANCELED));
    if (callback !== undefined) whenClosed(this.closing(callback));
    if (this.isClosed) return;
    this.#isReading = false;
    const { fd } = this;
    this.fd = -1;
    this.#count();
    native.pipes_close(fd);
    if (this.#resource !== undefined) context.endResource(this.#resource);
  }

  // --- sockets only

  /** @param {boolean} isOn */
  setNoDelay(isOn) {
    if (!this.isClosed) native.net_setNoDelay(this.fd, isOn);
  }
  /**
   * @param {boolean} isOn
   * @param {number} seconds
   */
  setKeepAlive(isOn, seconds) {
    if (!this.isClosed) native.net_setKeepAlive(this.fd, isOn, seconds < 0 ? 0 : seconds);
  }

  hasRef() {
    return this.#isReferenced;
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

/**
 * A listening socket as a program may pass it on: its descriptor, which the server still owns. `onconnection` is called with
 * each connection's handle; programs may replace it.
 */
class ListeningHandle {
  #stop;

  /** @param {number} fd @param {(handle: any) => void} [welcome] @param {() => void} [stop] stops listening */
  constructor(fd, welcome = undefined, stop = undefined) {
    this.fd = fd;
    this.#stop = stop;
    /** @param {number} _ @param {any} handle */
    const onconnection = (_, handle) => welcome?.(handle);
    this.onconnection = onconnection;
  }

  /** Fills in `out`; returns 0 or a negative errno. @param {object} out */
  getsockname(out) {
    const name = native.net_localName(this.fd);
    if (typeof name === 'number') return name;
    ObjectAssign(out, { address: name[0], family: name[1], port: name[2] });
    return 0;
  }

  /** @param {() => void} [callback] */
  close(callback = undefined) {
    if (callback !== undefined) whenClosed(callback);
    const stop = this.#stop;
    this.#stop = undefined;
    if (this.fd >= 0) stop?.();
    this.fd = -1;
  }
}

module.exports = { PipeHandle, ListeningHandle };
