'use strict';
// Owns: one DNS query: it is sent over UDP to the resolver's servers in order, each with a timeout, several times, and repeated
// over TCP if a response was truncated.

const { MathFloor, MathMin, TypedArraySet, TypedArraySubarray } = require('internal/primordials');
const native = host.native;
const { query, parse } = require('node/dns/message');
const { NOT_ALLOWED } = require('internal/errors/errno');
const { isIPv4 } = require('node/net/address');
const { nextTick, setTimeout: startTimer, clearTimeout: stopTimer } = require('internal/timers');

// The response code (RCODE) -> Node's error code
const CODES = { 1: 'EFORMERR', 2: 'ESERVFAIL', 3: 'ENOTFOUND', 4: 'ENOTIMP', 5: 'EREFUSED' };

/** A pending query, sent to one server after the other. */
class Question {
  #resolver;
  #name;
  #type;
  #id = require('internal/crypto/random').randomFillSync(new Uint16Array(1))[0]; // must not be guessable
  #done;
  #attempt = 0;
  #descriptor = -1;
  #timer;
  #lastCode = 'ETIMEOUT';
  #socket;

  constructor(resolver, name, type, done) {
    this.#resolver = resolver;
    this.#name = name;
    this.#type = type;
    this.#done = done;
  }

  start() {
    this.bytes = query(this.#id, this.#name, this.#type);
    if (this.bytes === undefined) nextTick(() => this.finish('EBADNAME'));
    else this.#try();
  }

  #try() {
    const { servers, tries, timeoutMs, longestMs } = this.#resolver;
    if (this.#attempt >= servers.length * tries) {
      this.finish(this.#lastCode);
      return;
    }
    const round = MathFloor(this.#attempt / servers.length);
    const server = servers[this.#attempt++ % servers.length];
    this.#descriptor = native.dns_send(server.address, server.port, isIPv4(server.address) ? 4 : 6, this.bytes, (reply) =>
      this.#onReply(reply, server),
    );
    if (this.#descriptor < 0) {
      this.#lastCode = this.#descriptor === NOT_ALLOWED ? 'ERR_ACCESS_DENIED' : 'ECONNREFUSED';
      nextTick(() => this.#try());
      return;
    }
    this.#timer = startTimer(
      () => {
        this.#lastCode = 'ETIMEOUT';
        this.#next();
      },
      MathMin(timeoutMs * 2 ** round, longestMs),
    );
  }

  #stop() {
    stopTimer(this.#timer);
    if (this.#descriptor >= 0) native.net_giveUp(this.#descriptor);
    this.#descriptor = -1;
    this.#socket?.destroy();
    this.#socket = undefined;
  }
  #next() {
    this.#stop();
    this.#try();
  }

  #onReply(reply, server) {
    if (typeof reply === 'number') {
      this.#lastCode = 'ECONNREFUSED';
      this.#next();
      return;
    }
    let message;
    try {
      message = parse(reply);
    } catch {
      this.#lastCode = 'EBADRESP';
      this.#next();
      return;
    }
    if (message.id !== this.#id || !message.isAnswer) return; // not a response to this query
    if (message.isTruncated && this.#socket === undefined) {
      this.#askByTcp(server);
      return;
    }
    const code = CODES[message.code];
    if (code === 'ESERVFAIL' || code === 'ENOTIMP' || code === 'EREFUSED') {
      this.#lastCode = code;
      this.#next();
    } else if (code !== undefined) {
      this.finish(code);
    } else {
      this.finish(null, message.answers);
    }
  }

  #askByTcp(server) {
    const { Socket } = require('node/net/socket');
    this.#socket = new Socket();
    let received = new Uint8Array(0);
    this.#socket.on('error', () => {
      this.#lastCode = 'ECONNREFUSED';
      this.#next();
    });
    this.#socket.on('data', (chunk) => {
      const joined = new Uint8Array(received.length + chunk.length);
      TypedArraySet(joined, received);
      TypedArraySet(joined, chunk, received.length);
      received = joined;
      if (received.length < 2) return;
      const size = received[0] * 256 + received[1];
      if (received.length >= 2 + size) this.#onReply(TypedArraySubarray(received, 2, 2 + size), server);
    });
    this.#socket.connect(server.port, server.address, () => {
      const framed = new Uint8Array(2 + this.bytes.length);
      TypedArraySet(framed, [this.bytes.length >> 8, this.bytes.length & 255]);
      TypedArraySet(framed, this.bytes, 2);
      this.#socket.write(framed);
    });
  }

  finish(code, answers) {
    this.#stop();
    this.#resolver.forget(this);
    this.#done(code, answers);
  }
}

module.exports = { Question };
