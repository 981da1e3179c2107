'use strict';
// Owns: a connection of RT.serve on which TLS has negotiated HTTP/2, as a socket that a session of node:http2 can read and
// write. rt/serve/native_source.js treats it as one of its connections.

const { ArrayPush, ArrayShift, ObjectAssign } = require('internal/primordials');
const { nextTick, whenClosed } = require('internal/timers');
const { Socket } = require('node/net/socket');
const { CLIENT_GONE, QUEUED, WRITTEN } = require('internal/http_numbers');

const EPIPE = -32;
const ECONNRESET = -104;

/** The interface of a pipe's handle (internal/pipe_handle.js) over a connection identified by its number. */
class CarrierHandle {
  fd = -1;
  isReading = false;
  #source;
  #number;
  #take;
  #arrived = []; // unread blocks, null for the end, a negative errno
  #waiting = []; // callbacks of writes
  #isClosed = false;

  constructor(source, number) {
    this.#source = source;
    this.#number = number;
  }

  getpeername(out) {
    ObjectAssign(out, this.#source.peer(this.#number));
  }

  // --- events of the connection

  receive(block) {
    if (this.#isClosed) return;
    ArrayPush(this.#arrived, block);
    this.#deliver();
  }
  handleDrain() {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (let index = 0; index < waiting.length; index++) waiting[index](0);
  }

  // --- called by the socket

  #deliver() {
    while (this.isReading && this.#arrived.length > 0) this.#take(ArrayShift(this.#arrived));
  }
  read(callback) {
    this.#take = callback;
    this.isReading = true;
    this.#source.resume(this.#number);
    this.#deliver();
  }
  stop() {
    if (!this.isReading) return;
    this.isReading = false;
    this.#source.pause(this.#number);
  }
  write(bytes, callback) {
    const outcome = this.#isClosed ? CLIENT_GONE : this.#source.write(this.#number, 0, undefined, bytes);
    if (outcome === WRITTEN) return true;
    if (outcome === QUEUED) ArrayPush(this.#waiting, callback);
    else nextTick(callback, EPIPE);
    return false;
  }
  end() {
    if (!this.#isClosed) this.#source.finish(this.#number);
  }
  close(callback = undefined) {
    if (callback !== undefined) whenClosed(callback);
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.isReading = false;
    this.#source.release(this.#number);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (let index = 0; index < waiting.length; index++) nextTick(waiting[index], ECONNRESET);
  }
  // Returns whether the server keeps the program alive.
  hasRef() {
    return true;
  }
  ref() {}
  unref() {}
}

class Http2Carrier {
  isCarrier = true;
  #handle;

  constructor(source, number) {
    this.#handle = new CarrierHandle(source, number);
    this.socket = ObjectAssign(new Socket({ handle: this.#handle, allowHalfOpen: true }), {
      encrypted: true,
      alpnProtocol: 'h2',
    });
  }

  raw(bytes) {
    this.#handle.receive(bytes);
  }
  handleDrain() {
    this.#handle.handleDrain();
  }
  handleEnd() {
    this.#handle.receive(null);
  }
  handleClose() {
    this.#handle.receive(ECONNRESET);
  }
}

module.exports = { Http2Carrier };
