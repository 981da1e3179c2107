'use strict';
// Owns: one TLS connection between a transport and a socket: it has the members of a pipe's handle, and tells of the
// handshake, of sessions and of keys through the `on...` functions that the socket gives it.
//
//     new --start()--> handshake --> open --> ended (the other side said goodbye) ; close() from anywhere

const { ArrayPush, ArrayShift, ObjectAssign, intact } = require('internal/primordials');
const context = require('internal/async/context');
const { binding, watch } = require('internal/crypto/binding');
const { asBuffer } = require('internal/crypto/input');

const HANDSHAKE_DONE = 1;
const CLOSED = 2;
const WAITS = 4;
const EBADF = -9;

class TLSWrap {
  #number;
  #transport;
  #take; // who reads clear bytes
  #clear = []; // clear bytes, or null for the end, that nobody has read yet
  #isReading = false;
  #isOpen = false;
  #isEnded = false;
  #isClosed = false;
  #isStarted = false;
  #resource; // what it is to node:async_hooks
  #queue = []; // writes before the handshake is done

  constructor(transport, secure, options) {
    this.#transport = transport;
    const { isServer, protocols, servername, session, stopsAtHello } = options;
    this.#number = binding().tls_new(secure.number, isServer, protocols, servername, session, stopsAtHello);
    watch(this, 'tls_free', this.#number);
    if (context.isUsed) this.#resource = options.resource ?? context.began({}, 'TLSWRAP');
  }

  get number() {
    return this.#number;
  }
  get fd() {
    return this.#transport.fd;
  }
  get isReading() {
    return this.#isReading;
  }
  get isOpen() {
    return this.#isOpen;
  }
  fact(what) {
    return this.#isClosed ? undefined : binding().tls_fact(this.#number, what);
  }
  call(name, ...args) {
    return this.#isClosed ? undefined : binding()[name](this.#number, ...intact(args));
  }

  /** Say hello, or wait for it. */
  start() {
    if (this.#isStarted || this.#isClosed) return;
    this.#isStarted = true;
    this.#listen();
    this.#cycle();
  }

  #listen() {
    const receive = (block) => this.#receive(block);
    this.#transport.read(this.#resource === undefined ? receive : context.boundTo(this.#resource, receive));
  }

  #receive(block) {
    if (this.#isClosed) return;
    if (block === null || typeof block === 'number') {
      this.#deliver(block);
      return;
    }
    binding().tls_feed(this.#number, block);
    this.#cycle();
  }

  #cycle() {
    if (this.#isClosed) return;
    const [out, clear, flags, problem, sessions, keys] = intact(binding().tls_step(this.#number));
    for (const line of intact(keys)) this.onkeylog?.(asBuffer(line));
    // A client that does not trust the other side goes before its last word: then the server knows.
    if (flags & HANDSHAKE_DONE) {
      this.onhandshakedone();
      if (this.#isClosed) return;
    }
    if (out.length > 0) this.#transport.write(out, () => {});
    if (flags & WAITS) {
      this.onhello();
      return;
    }
    if (flags & HANDSHAKE_DONE) {
      this.#isOpen = true;
      this.#flush();
    }
    for (const session of intact(sessions)) this.onsession?.(asBuffer(session));
    if (clear !== undefined) this.#deliver(clear);
    if (problem !== undefined) {
      const { message, ...facts } = problem;
      this.onerror(ObjectAssign(new Error(message), facts));
      return;
    }
    if (flags & CLOSED) this.#deliver(null);
  }
  /** After `onhello`, once it is decided. */
  goOn(context, protocol) {
    if (this.#isClosed) return;
    binding().tls_go_on(this.#number, context?.number, protocol);
    this.#cycle();
  }

  // --- clear bytes

  #deliver(block) {
    if (this.#isEnded || this.#isClosed) return;
    if (block === null || typeof block === 'number') this.#isEnded = true;
    if (this.#isReading) this.#take(block);
    else ArrayPush(this.#clear, block);
  }
  read(callback) {
    this.#take = callback;
    this.#isReading = true;
    while (this.#isReading && this.#clear.length > 0) callback(ArrayShift(this.#clear));
    if (this.#isReading && this.#isStarted && !this.#isClosed && !this.#transport.isReading && !this.#isEnded) {
      this.#listen();
    }
  }
  stop() {
    if (!this.#isReading) return;
    this.#isReading = false;
    // A handshake goes on even if nobody reads.
    if (this.#isOpen) this.#transport.stop();
  }

  write(bytes, callback) {
    if (this.#isClosed) {
      host.nextTick(callback, EBADF);
      return false;
    }
    if (!this.#isOpen) {
      ArrayPush(this.#queue, [bytes, callback]);
      return false;
    }
    let out;
    try {
      out = binding().tls_write(this.#number, bytes);
    } catch (error) {
      this.onerror(error);
      return false;
    }
    if (out === undefined) {
      ArrayPush(this.#queue, [bytes, callback]);
      return false;
    }
    return this.#transport.write(out, callback);
  }
  /** The same for a list of buffers. */
  writeAll(list, callback) {
    return this.write(require('node/buffer/buffer').Buffer.concat(list), callback);
  }
  #flush() {
    const waiting = this.#queue;
    this.#queue = [];
    for (const { 0: bytes, 1: callback } of intact(waiting)) {
      if (bytes === null) callback();
      else if (this.write(bytes, callback)) callback(0);
    }
  }
  end() {
    if (this.#isClosed) return;
    if (!this.#isOpen && this.#isStarted) {
      ArrayPush(this.#queue, [null, () => this.end()]);
      return;
    }
    const out = binding().tls_shutdown(this.#number);
    if (out.length > 0) this.#transport.write(out, () => {});
    this.#transport.end();
  }
  close() {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#isReading = false;
    binding().tls_free(this.#number);
    if (this.#resource !== undefined) context.ended(this.#resource);
    this.#transport.close();
  }
  ref() {
    this.#transport.ref();
  }
  unref() {
    this.#transport.unref();
  }
}

module.exports = { TLSWrap };
