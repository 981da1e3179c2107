'use strict';
// Owns: one connection to a Redis server: the handshake, the commands of one tick in one write, replies in order, and push
// messages. It belongs to one client, which creates another when the connection is lost.
//
// connecting --handshake answered--> ready --socket's end, close()--> gone

const { ArrayIsArray, RegExpTest, intact } = require('internal/primordials');
const { nextTick, setTimeout: startTimer, clearTimeout: stopTimer } = require('internal/timers');
const { Queue } = require('internal/queue');
const { encode, ReplyReader, Push, RedisError } = require('rt/redis/protocol');
const builtins = require('node/module/builtins');

const closedError = (message = 'Connection closed', cause = undefined) =>
  new RedisError('ERR_REDIS_CONNECTION_CLOSED', message, cause);
const MESSAGES = { __proto__: null, message: true, pmessage: true, smessage: true };
const WRITE_FROM = 64 * 1024;
const CONFIRMS = { __proto__: null, subscribe: true, unsubscribe: true, psubscribe: true, punsubscribe: true };

class Connection {
  #socket;
  #pending = new Queue(); // { resolve, reject, make, asBytes, confirms }
  #reader;
  #out = ''; // commands not yet written to the socket
  #isScheduled = false;
  #isGone = false;
  #timer;

  /** `on` has the callbacks ready(), message(kind, …), idle(isIdle), onClose(error). */
  constructor(address, { tls, timeoutMs, isReferenced }, on) {
    this.on = on;
    this.#reader = new ReplyReader(
      () => this.#pending.first?.asBytes === true,
      (reply) => this.#take(reply),
    );
    const options = typeof tls === 'object' && tls !== null ? tls : {};
    const isSecure = address.isSecure || Boolean(tls);
    const socket = isSecure
      ? builtins.load('tls').connect({ servername: hostNameOf(address.connect.host), ...address.connect, ...options })
      : require('node/net/net').connect(address.connect);
    this.#socket = socket;
    socket.setNoDelay?.(true);
    if (!isReferenced) socket.unref();
    if (timeoutMs > 0) {
      const late = () =>
        this.#fail(new RedisError('ERR_REDIS_CONNECTION_TIMEOUT', `Connection timeout reached after ${timeoutMs}ms`));
      this.#timer = startTimer(late, timeoutMs).unref();
    }
    socket.once(isSecure ? 'secureConnect' : 'connect', () => this.#greet(address));
    socket.on('data', (bytes) => this.#receive(bytes));
    socket.on('error', (error) => this.#fail(error));
    // After the server has ended its side no reply can arrive: commands wait for the next connection.
    socket.on('end', () => this.#fail(undefined));
    socket.on('close', () => this.#fail(undefined));
  }

  get waiting() {
    return this.#pending.size;
  }
  get bufferedAmount() {
    return this.#socket.writableLength;
  }
  ref() {
    this.#socket.ref();
  }
  unref() {
    this.#socket.unref();
  }

  /** Selects RESP 3 if the server supports it. */
  async #greet({ user, password, database }) {
    try {
      const login = password === '' ? [] : ['AUTH', user === '' ? 'default' : user, password];
      try {
        await this.#ask(['HELLO', '3', ...intact(login)]);
      } catch (error) {
        if (!RegExpTest(/unknown command|NOPROTO/i, error.message)) throw error;
        if (login.length > 0) await this.#ask(user === '' ? ['AUTH', password] : login);
      }
      if (database > 0) await this.#ask(['SELECT', `${database}`]);
    } catch (error) {
      if (error.code === 'ERR_REDIS_SERVER_ERROR') error.code = 'ERR_REDIS_AUTHENTICATION_FAILED';
      this.#fail(error);
      return;
    }
    stopTimer(this.#timer);
    if (!this.#isGone) this.on.ready();
  }
  #ask(words) {
    return new Promise((resolve, reject) => {
      this.send(words, { resolve, reject, make: undefined, asBytes: false, confirms: 0 });
    });
  }

  send(words, entry) {
    if (this.#isGone) {
      entry.reject(closedError());
      return;
    }
    this.#pending.push(entry);
    const out = encode(words);
    if (typeof out === 'string') this.#out += out;
    else {
      for (let index = 0; index < out.length; index++) {
        if (typeof out[index] === 'string') this.#out += out[index];
        else {
          this.#flush();
          this.#socket.write(out[index]);
        }
      }
    }
    if (this.#out.length >= WRITE_FROM) this.#flush();
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    nextTick(() => {
      this.#isScheduled = false;
      this.#flush();
    });
  }
  /** Writes the commands of one tick at once. */
  #flush() {
    if (this.#out === '' || this.#isGone) return;
    const out = this.#out;
    this.#out = '';
    this.#socket.write(out);
  }

  #receive(bytes) {
    try {
      this.#reader.push(bytes);
    } catch (error) {
      this.#fail(error);
    }
  }

  #take(reply) {
    const isPush = reply instanceof Push;
    const items = isPush ? reply.items : ArrayIsArray(reply) && this.isSubscriber ? reply : undefined;
    if (items !== undefined) {
      const kind = `${items[0]}`;
      if (MESSAGES[kind]) {
        this.on.message(kind, items);
        return;
      }
      if (CONFIRMS[kind]) {
        const { first } = this.#pending;
        if (first !== undefined && --first.confirms <= 0) this.#settle(items[2]);
        return;
      }
      if (isPush) return; // another kind of push, such as those of client-side caching
    }
    this.#settle(reply);
  }
  #settle(reply) {
    const entry = this.#pending.shift();
    if (entry === undefined) return;
    if (reply instanceof RedisError) entry.reject(reply);
    else entry.resolve(entry.make === undefined ? reply : entry.make(reply));
    if (this.#pending.size === 0) this.on.idle?.();
  }

  close() {
    this.#fail(undefined);
  }
  #fail(error) {
    if (this.#isGone) return;
    this.#isGone = true;
    stopTimer(this.#timer);
    this.#socket.destroy();
    const failure = error instanceof RedisError ? error : closedError(undefined, error);
    const pending = this.#pending.clear();
    this.on.onClose(failure);
    for (let index = 0; index < pending.length; index++) pending[index].reject(failure);
  }
}

const hostNameOf = (host) => (host === undefined || require('node/net/net').isIP(host) ? '' : host);

module.exports = { Connection, closedError };
