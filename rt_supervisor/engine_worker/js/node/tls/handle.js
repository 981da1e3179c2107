'use strict';
// Owns: one TLS connection between a transport and a socket: it has the interface of a pipe's handle, and reports the
// handshake, sessions and keys through the `on...` functions that the socket sets.
//
//     new --start()--> handshake --> open --> ended (close_notify received); close() from any state
//
// A server's handshake may wait for the program: see `node/tls/server_choices`. Output is held back while a new session waits
// to be stored.

const {
  ArrayPush,
  ArrayReduce,
  ArrayShift,
  ArraySlice,
  ObjectAssign,
  TypedArraySubarray,
  intact,
} = require('internal/primordials');
const context = require('internal/async/context');
const { whenClosed } = require('internal/timers');
const { binding, watch } = require('internal/crypto/binding');
const { asBuffer } = require('internal/crypto/input');
const { Buffer } = require('node/buffer/buffer');
const { ALL, BLOCK, HALF, LARGE, NEWS, NOTHING, NOT_NOW, decrypt, put } = require('node/tls/data_path');

const HANDSHAKE_DONE = 1;
const CLOSED = 2;
const WAITS_AT_HELLO = 4;
const WAITS_AT_CERTIFICATE = 8;
const MORE = 16;
const EBADF = -9;
const ECANCELED = -125;
const noop = () => {};

class TLSWrap {
  #number;
  #transport; // undefined before the connection exists
  #take; // receives decrypted bytes
  #clear = []; // decrypted bytes, or null for the end, that have not been read
  #isReading = false;
  #isOpen = false;
  #isEnded = false;
  #isClosed = false;
  #isStarted = false;
  #resource; // its node:async_hooks resource
  #queue = []; // writes before the end of the handshake
  #handshakes = 0; // number of handshakes started
  #urgent; // bytes to send before all others
  #unkept = 0; // sessions that the program has not stored yet
  #deferred = []; // writes that wait for that
  #inFlight = 0; // bytes that the transport has not sent yet

  constructor(secure, options) {
    const { isServer, protocols, servername, session } = options;
    this.#number = binding().tls_new(secure.number, isServer, protocols, servername, session);
    watch(this, 'tls_free', this.#number);
  }

  /** Sets the transport of the encrypted bytes, once it exists. */
  carry(transport, resource) {
    this.#transport = transport;
    if (context.isUsed) this.#resource = resource ?? context.initResource({}, 'TLSWRAP');
  }

  get number() {
    return this.#number;
  }
  get fd() {
    return this.#transport?.fd ?? -1;
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
  // Node's names for some properties: programs replace these functions.
  getALPNNegotiatedProtocol() {
    return this.fact('alpn') ?? false;
  }
  getCipher() {
    const cipher = this.fact('cipher');
    return cipher === undefined ? undefined : { name: cipher[0], standardName: cipher[1], version: cipher[2] };
  }
  getEphemeralKeyInfo() {
    const key = this.#isOpen ? this.fact('ephemeral') : undefined; // OpenSSL must not be queried earlier
    if (key === undefined) return {};
    const [type, name, size] = intact(key);
    return name === undefined ? { type, size } : { type, name, size };
  }
  getSession() {
    const session = this.fact('session');
    return session && asBuffer(session);
  }
  call(name, ...args) {
    return this.#isClosed ? undefined : binding()[name](this.#number, ...intact(args));
  }

  /** Starts the handshake: a client sends its hello, a server waits for one. */
  start() {
    if (this.#isStarted || this.#isClosed || this.#transport === undefined) return;
    this.#isStarted = true;
    this.#listen();
    this.#cycle();
  }

  #listen() {
    const receive = (block) => this.#receive(block);
    this.#transport.read(this.#resource === undefined ? receive : context.bindTo(this.#resource, receive));
  }

  #receive(block) {
    if (this.#isClosed) return;
    if (block === null || typeof block === 'number') {
      this.#deliver(block);
      return;
    }
    this.#sendLeft();
    if (this.#isOpen) {
      const outcome = decrypt(this.#number, block, (clear) => {
        this.#deliver(clear);
        return !this.#isClosed;
      });
      if (outcome === NEWS) this.#cycle();
      if (outcome !== NOT_NOW) return;
    }
    this.#handleStep(binding().tls_receive(this.#number, block));
  }

  #cycle() {
    if (this.#isClosed) return;
    this.#sendLeft();
    this.#handleStep(binding().tls_step(this.#number));
  }
  #handleStep({ 0: out, 1: clear, 2: flags, 3: problem, 4: sessions, 5: keys, 6: begun }) {
    if (this.#isClosed) return; // a callback of the handshake closed it
    this.#urgent = out;
    for (const line of intact(keys)) this.onkeylog?.(asBuffer(line));
    while (this.#handshakes < begun && !this.#isClosed) {
      this.#handshakes++;
      this.onhandshakestart?.();
    }
    if (this.#isClosed) return;
    const isDone = Boolean(flags & HANDSHAKE_DONE);
    const isLate = isDone && this.fact('protocol') === 'TLSv1.3'; // with TLS 1.3, sessions arrive after the handshake
    if (this.onsessiontokeep !== undefined && sessions.length > 0) {
      this.#unkept += sessions.length;
      if (!isLate) this.#reportSessions(sessions);
    }
    // A client verifies the server before its last message is sent: if it closes instead, the server's handshake fails, too.
    if (isDone && !this.#isClosed) {
      this.#isOpen = true;
      this.#reportStatus();
      this.onhandshakedone();
    }
    if (this.#isClosed) return;
    this.#sendLeft();
    if (flags & WAITS_AT_HELLO) {
      this.onhello();
      return;
    }
    if (flags & WAITS_AT_CERTIFICATE) {
      this.oncertificate();
      return;
    }
    if (isDone) {
      this.#flush();
      if (isLate && this.onsessiontokeep !== undefined) this.#reportSessions(sessions);
    }
    if (this.onsessiontokeep === undefined) for (const { 1: session } of intact(sessions)) this.onsession?.(asBuffer(session));
    for (const block of intact(clear)) this.#deliver(block);
    if (problem !== undefined) {
      const { message, ...facts } = problem;
      this.onerror(ObjectAssign(new Error(message), facts));
      return;
    }
    if (flags & CLOSED) this.#deliver(null);
    else if (flags & MORE) this.#cycle();
  }
  #sendLeft() {
    const out = this.#urgent;
    this.#urgent = undefined;
    if (out !== undefined && out.length > 0) this.#send(out);
  }
  #reportSessions(sessions) {
    for (const { 0: id, 1: session } of intact(sessions))
      if (!this.#isClosed) this.onsessiontokeep(asBuffer(id), asBuffer(session));
  }
  #reportStatus() {
    if (this.onstatus === undefined) return;
    const status = this.fact('status');
    if (status !== undefined) this.onstatus(status === false ? null : asBuffer(status));
  }
  /** Called when the program has stored a session. */
  confirmSession() {
    if (this.#unkept === 0 || --this.#unkept > 0) return;
    const pieces = this.#deferred;
    this.#deferred = [];
    for (const { 0: out, 1: callback } of intact(pieces)) this.#send(out, callback);
  }
  /** Continues after `onhello` and `oncertificate`, once the program has decided. */
  continueHandshake(session, context, status) {
    if (this.#isClosed) return;
    binding().tls_resume(this.#number, session, context?.number, status);
    this.#cycle();
  }
  renegotiate() {
    binding().tls_renegotiate(this.#number);
    this.#cycle();
  }

  /** Sends `out` and calls `callback(status)` in a later turn, as in Node, whatever the transport does. */
  #send(out, callback = noop) {
    this.#sendLeft();
    if (this.#unkept > 0) {
      ArrayPush(this.#deferred, [out, callback]);
      return;
    }
    const size = out.length;
    this.#inFlight += size;
    const onWritten = (status, reason) => {
      this.#inFlight -= size;
      callback(status, reason);
    };
    if (this.#transport.write(out, onWritten)) host.nextTick(onWritten, 0);
  }
  get writeQueueSize() {
    return this.#inFlight + ArrayReduce(this.#queue, (sum, { 0: bytes }) => sum + (bytes?.length ?? 0), 0);
  }

  // --- decrypted data

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
    if (this.#isReading && !this.#isClosed && this.#transport?.isReading === false && !this.#isEnded) {
      this.#listen();
    }
  }
  stop() {
    if (!this.#isReading) return;
    this.#isReading = false;
    // A handshake continues without a reader.
    if (this.#isOpen) this.#transport?.stop();
  }

  write(bytes, callback) {
    if (this.#isClosed) {
      host.nextTick(callback, EBADF);
      return false;
    }
    if (!this.#isOpen || this.#queue.length > 0) {
      ArrayPush(this.#queue, [bytes, callback]);
      this.start();
      return false;
    }
    if (this.#sendNow([bytes], callback)) return false;
    if (bytes.length >= LARGE) return this.#writeLarge([bytes], callback);
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
    this.#send(out, callback);
    return false;
  }
  /** As `write`, for a list of buffers. */
  writeAll(list, callback) {
    const size = ArrayReduce(list, (sum, { length }) => sum + length, 0);
    if (size >= LARGE && this.#isOpen && !this.#isClosed && this.#queue.length === 0) {
      return this.#sendNow(list, callback) ? false : this.#writeLarge(list, callback);
    }
    return this.write(Buffer.concat(list), callback);
  }
  /** Encrypts and sends natively; returns false if earlier bytes are still pending. */
  #sendNow(list, callback) {
    const descriptor = this.#unkept > 0 || this.#urgent !== undefined ? -1 : this.#transport.freeDescriptor;
    if (descriptor < 0) return false;
    if (this.#put(list, descriptor, callback)) return true;
    let rest;
    try {
      rest = binding().tls_send(this.#number, descriptor, ...intact(list));
    } catch (error) {
      this.onerror(error);
      return true;
    }
    this.#transport.touch?.();
    if (rest === undefined) {
      host.nextTick(callback, 0);
      return true;
    }
    const { 0: at, 1: done, 2: out } = rest;
    const unsent = ArraySlice(list, at);
    if (done > 0) unsent[0] = TypedArraySubarray(unsent[0], done);
    if (out.length > 0) this.#send(out, unsent.length === 0 ? callback : noop);
    if (unsent.length > 0) this.#writeLarge(unsent, callback);
    return true;
  }
  /** As `#sendNow`, for one or two buffers, without calling Python. */
  #put(list, descriptor, callback) {
    const outcome = put(this.#number, descriptor, list);
    if (outcome === NOT_NOW) return false;
    this.#transport.touch?.();
    if (outcome === ALL) host.nextTick(callback, 0);
    else {
      this.#send(binding().tls_write(this.#number, NOTHING), outcome === HALF ? noop : callback);
      if (outcome === HALF) this.#writeLarge([list[1]], callback);
    }
    return true;
  }
  /** Large writes are copied as little as possible: they are sent in blocks, whose memory is reused. */
  #writeLarge(list, callback) {
    let remaining = 0;
    let at = 0;
    try {
      for (; at < list.length; at++) {
        if (list[at].length === 0) continue;
        const size = binding().tls_encrypt(this.#number, list[at]);
        if (size === 0) break;
        remaining = size;
      }
    } catch (error) {
      this.onerror(error);
      return false;
    }
    const isWhole = at === list.length;
    if (!isWhole) ArrayPush(this.#queue, [Buffer.concat(ArraySlice(list, at)), callback]);
    while (remaining > 0) {
      const block = remaining >= LARGE ? Buffer.allocUnsafeSlow(BLOCK) : undefined;
      const size = block === undefined ? remaining : binding().tls_take(this.#number, block);
      remaining = size === 0 ? 0 : remaining - size;
      const out = block === undefined ? binding().tls_write(this.#number, NOTHING) : block.subarray(0, size);
      this.#send(out, remaining === 0 && isWhole ? callback : noop);
    }
    return false;
  }
  #flush() {
    const waiting = this.#queue;
    this.#queue = [];
    for (let at = 0; at < waiting.length && !this.#isClosed; at++) {
      const { 0: bytes, 1: callback } = waiting[at];
      if (bytes === null) callback();
      else this.write(bytes, callback);
    }
  }
  end() {
    if (this.#isClosed || this.#transport === undefined) return; // the program itself acts as the peer
    if ((!this.#isOpen && this.#isStarted) || this.#queue.length > 0) {
      ArrayPush(this.#queue, [null, () => this.end()]);
      return;
    }
    const out = binding().tls_shutdown(this.#number);
    if (out.length > 0) this.#send(out);
    if (this.#unkept > 0) ArrayPush(this.#deferred, [new Uint8Array(0), () => this.#transport.end()]);
    else this.#transport.end();
  }
  close(callback = undefined) {
    const canceled = this.#queue;
    this.#queue = [];
    for (const { 0: bytes, 1: callback } of intact(canceled))
      if (bytes !== null) whenClosed(() => callback(ECANCELED, 'Canceled because of SSL destruction'));
    if (callback !== undefined) whenClosed(callback);
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#isReading = false;
    binding().tls_free(this.#number);
    if (this.#resource !== undefined) context.endResource(this.#resource);
    this.#transport?.close();
  }
  setNoDelay(isOn) {
    this.#transport?.setNoDelay?.(isOn);
  }
  setKeepAlive(isOn, seconds) {
    this.#transport?.setKeepAlive?.(isOn, seconds);
  }
  hasRef() {
    return this.#transport?.hasRef() ?? true;
  }
  ref() {
    this.#transport?.ref();
  }
  unref() {
    this.#transport?.unref();
  }
}

module.exports = { TLSWrap };
