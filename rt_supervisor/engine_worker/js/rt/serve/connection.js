'use strict';
// Owns: one connection of RT.serve: requests are handled one at a time in their order; a handler may upgrade the connection to
// a web socket.
//
// idle --head--> handling --answer--> idle (or the next request) …; upgrade --> web socket; end or failure --> gone

const { PromiseResolve } = require('internal/promises');
const { ArrayPush, ArrayShift, PromiseThen, StringToLowerCase, intact } = require('internal/primordials');
const { nextTick } = require('internal/timers');
const { Exchange, OVER_HTTP2 } = require('rt/serve/exchange');
const { isSound } = require('rt/serve/targets');
const { STATUS_CODES } = require('node/http/status_codes');
const { CLIENT_GONE, ENDS, WISHES_UPGRADE } = require('internal/http_numbers');

const MOST_WAITING = 32; // the maximum number of pipelined requests that wait to be handled

const refusal = (status) => `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;

class Connection {
  isGone = false;
  hasLeft = false; // the client ended its side while a stream was being sent
  #current; // the exchange being handled
  #waiting = [];
  #reading; // the exchange whose body is being received
  #isPausedForQueue = false;
  #isEnding = false;
  #wishes = false; // the last head requested an upgrade that has been neither accepted nor rejected
  #socket; // once it is a web socket
  #drains = [];

  constructor(server, source, number) {
    this.server = server;
    this.source = source;
    this.number = number;
  }

  /** Returns whether all requests are answered, even if the responses are not yet fully sent. */
  get isAnswered() {
    return this.#current === undefined && this.#socket === undefined;
  }
  get isIdle() {
    return this.isAnswered && this.source.waiting(this.number) === 0;
  }
  get webSocket() {
    return this.#socket;
  }
  get current() {
    return this.#current;
  }

  // --- incoming data

  head(method, target, version, rawHeaders, flags) {
    const exchange = new Exchange(this, method, target, version, rawHeaders, flags);
    this.#reading = exchange;
    if (this.#isEnding) return;
    if (flags & WISHES_UPGRADE) this.#wishes = true;
    this.server.pending++;
    if (this.#current !== undefined) {
      ArrayPush(this.#waiting, exchange);
      if (this.#waiting.length >= MOST_WAITING && !this.#isPausedForQueue) {
        this.#isPausedForQueue = true;
        this.pause();
      }
      return;
    }
    this.#begin(exchange);
  }

  #begin(exchange) {
    this.#current = exchange;
    const { method, target, version } = exchange;
    if (version !== 10 && version !== 11 && version !== OVER_HTTP2) {
      this.refuse(505);
      return;
    }
    const hosts = hostsOf(exchange);
    if ((version === 11 && hosts.length !== 1) || !isSound(this.server, method, target, hosts[0])) {
      this.refuse(400);
      return;
    }
    exchange.run();
  }

  body(bytes) {
    const exchange = this.#reading;
    if (exchange === undefined || this.#isEnding) return;
    if (exchange.take(bytes) === false) this.pause();
  }

  /** As many bytes of the body have been read into its target. */
  filled(count) {
    const exchange = this.#reading;
    if (exchange !== undefined && !this.#isEnding) exchange.filled(count);
  }

  end() {
    const exchange = this.#reading;
    this.#reading = undefined;
    exchange?.bodyEnded();
    if (exchange !== undefined && exchange === this.#current && exchange.isAnswered && exchange.isDone) this.#next(exchange);
  }

  raw(bytes) {
    this.#socket?.take(bytes);
  }

  handleDrain() {
    this.#wake();
    this.#socket?.handleDrain();
  }
  #wake() {
    const drains = this.#drains;
    this.#drains = [];
    for (let index = 0; index < drains.length; index++) {
      const drain = drains[index];
      drain();
    }
  }

  handleEnd() {
    // A client that ends only its own side may still read: it gets what is already written, but no further output.
    if (this.#socket !== undefined || this.source.waiting(this.number) === 0) {
      this.handleClose();
      return;
    }
    const current = this.#current;
    if (current?.isAnswered && !current.isDone) {
      if (current.onGone === undefined) {
        this.#isEnding = true; // a file, which the system sends independently
        return;
      }
      this.hasLeft = true;
      current.abort();
    }
    this.finish();
  }

  handleClose() {
    if (this.isGone) return;
    this.isGone = true;
    const { number, source, server } = this;
    source.release(number);
    for (let index = 0, list = [this.#current, ...intact(this.#waiting)]; index < list.length; index++) {
      const exchange = list[index];
      if (exchange === undefined) continue;
      const isComplete = exchange.isDone;
      if (!isComplete) server.pending--;
      exchange.isDone = true;
      exchange.abort(isComplete);
    }
    this.#current = undefined;
    this.#waiting = [];
    this.#wake();
    this.#socket?.handleClose();
    server.connectionClosed();
  }

  failed(code) {
    if (this.#socket !== undefined) {
      this.destroy();
      return;
    }
    const status =
      code === 'HEADER_OVERFLOW' ? 431 : code === 'CHUNK_EXTENSIONS_OVERFLOW' ? 413 : code === 'INVALID_VERSION' ? 505 : 400;
    this.refuse(status);
  }

  /** Answers with an error status and closes. */
  refuse(status) {
    this.write(ENDS, refusal(status), undefined);
    this.finish();
  }

  // --- called by exchanges and web sockets

  /** Returns `WRITTEN`, `QUEUED` or `CLIENT_GONE` (internal/http_numbers). */
  write(flags, head, body) {
    if (this.isGone) return CLIENT_GONE;
    return this.#checkOutcome(this.source.write(this.number, flags, head, body));
  }
  get sendsFiles() {
    return this.source.writeFile !== undefined;
  }
  /** Like `write`, for part of a file. */
  writeFile(head, path, start, length) {
    if (this.isGone) return CLIENT_GONE;
    return this.#checkOutcome(this.source.writeFile(this.number, head, path, start, length));
  }
  /** The source does not report a connection that a write found broken, so that `handleClose` is called here. */
  #checkOutcome(outcome) {
    if (outcome === CLIENT_GONE) nextTick(() => this.handleClose());
    return outcome;
  }
  whenDrained() {
    return this.isGone
      ? PromiseResolve()
      : new Promise((resolve) => {
          ArrayPush(this.#drains, resolve);
        });
  }
  /** Returns memory into which the rest of the body of `exchange` is read, if that is possible. */
  targetFor(exchange, length) {
    return exchange === this.#reading && !this.isGone ? this.source.targetFor?.(this.number, length) : undefined;
  }
  pause() {
    if (!this.isGone) this.source.pause(this.number);
  }
  resume() {
    if (!this.isGone && !this.#isPausedForQueue) this.source.resume(this.number);
  }
  /** Stops accepting requests, and closes once queued output is written. */
  finish() {
    if (this.isGone) return;
    if (this.source.waiting(this.number) === 0) {
      this.source.finish(this.number);
      this.handleClose();
      return;
    }
    this.#isEnding = true;
    this.source.finish(this.number);
    PromiseThen(this.whenDrained(), () => this.handleClose());
  }
  destroy() {
    this.handleClose();
  }

  /** Called when a response has been written completely. */
  finishAnswer(exchange) {
    exchange.isDone = true;
    if (this.isGone) return;
    this.server.pending--;
    if (!exchange.keepsAlive || this.#isEnding || this.server.isStopping) {
      this.finish();
      return;
    }
    if (this.#wishes && exchange === this.#reading && exchange.isBodyRead) {
      this.#wishes = false;
      this.#current = undefined;
      this.source.refuseUpgrade(this.number);
      return;
    }
    // The unread rest of a body is dropped before the next request.
    if (!exchange.isBodyRead) {
      exchange.dropBody();
      this.resume();
      return;
    }
    this.#next(exchange);
  }

  #next() {
    this.#current = undefined;
    if (this.#waiting.length === 0) return;
    const next = ArrayShift(this.#waiting);
    if (this.#isPausedForQueue && this.#waiting.length < MOST_WAITING / 2) {
      this.#isPausedForQueue = false;
      this.resume();
    }
    this.#begin(next);
  }

  /** Hands the connection to a web socket; `head` is the response that accepts the upgrade. */
  upgrade(exchange, head, socket) {
    if (this.isGone || exchange !== this.#current || exchange.isAnswered || !this.#wishes) return false;
    this.#wishes = false;
    exchange.isUpgraded = exchange.isAnswered = exchange.isDone = true;
    this.server.pending--;
    this.#current = undefined;
    this.#reading = undefined;
    this.write(0, head, undefined);
    this.#socket = socket;
    const unread = this.source.upgrade(this.number);
    if (unread.length > 0)
      nextTick(() => {
        if (!this.isGone) socket.take(unread);
      });
    return true;
  }
}

/** Returns the values of the Host fields; HTTP/1.1 requires exactly one. */
function hostsOf({ rawHeaders }) {
  const hosts = [];
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i].length === 4 && StringToLowerCase(rawHeaders[i]) === 'host') ArrayPush(hosts, rawHeaders[i + 1]);
  return hosts;
}

module.exports = { Connection };
