// @ts-check
'use strict';
// Owns: one connection to PostgreSQL: the handshake with TLS and password, one query at a time, cached prepared statements, and
// asynchronous messages of the server.
//
// connecting --ReadyForQuery--> ready <--> busy; failure, end(), the socket's end --> gone

const {
  ArrayIncludes,
  ArrayMap,
  ArrayPush,
  ObjectKeys,
  StringFromCharCode,
  StringReplaceAll,
  Uint8ArrayOf,
  intact,
} = require('internal/primordials');
const { setTimeout: startTimer, clearTimeout: stopTimer } = require('internal/timers');
const { failure, serverError } = require('rt/sql/errors');
const { Message, MessageReader } = require('rt/sql/messages');
const { Running } = require('rt/sql/running');
const builtins = require('node/module/builtins');
const { Buffer } = require('node/buffer/buffer');

const VERSION = 196608; // 3.0
const SSL_REQUEST = 80877103;
const CANCEL_REQUEST = 80877102;
const YES = 83; // 'S'

class Connection {
  statements = new Map(); // text and parameter types -> { name, types, columns }
  parameters = { __proto__: null }; // reported by the server
  inTransaction = false;
  #socket;
  #reader = new MessageReader();
  #running; // the running query
  #opening; // { resolve, reject } until the connection is ready
  #isGone = false;
  #timer;
  #scram;
  #key; // for cancel requests: [process, secret]
  #nextName = 0;

  /** `on` has the callbacks onClose(connection, error), notified(channel, text). */
  constructor(options, on) {
    this.options = options;
    this.on = on;
  }
  get isGone() {
    return this.#isGone;
  }
  get isBusy() {
    return this.#running !== undefined;
  }
  nameStatement() {
    return `rt${this.#nextName++}`;
  }

  open(isReferenced = true) {
    return new Promise((resolve, reject) => {
      this.#opening = { resolve, reject };
      const { connectionTimeout } = this.options;
      if (connectionTimeout > 0) {
        const late = () =>
          this.#fail(
            failure(
              'CONNECTION_TIMEOUT',
              `Connection timeout after ${connectionTimeout}s (sent startup message, but never received response)`,
            ),
          );
        this.#timer = startTimer(late, connectionTimeout * 1000).unref();
      }
      const socket = require('node/net/net').connect(this.options.address);
      if (!isReferenced) socket.unref();
      this.#attach(socket);
      socket.once('connect', () => {
        socket.setNoDelay?.(true);
        if (this.options.sslMode === 'disable') this.#greet();
        else this.#secure(socket);
      });
    });
  }
  #attach(socket) {
    this.#socket = socket;
    socket.on('error', (error) => this.#fail(this.#connectionError(error)));
    socket.on('close', () => this.#fail(failure('CONNECTION_CLOSED', 'Connection closed')));
  }
  #connectionError(error) {
    if (this.#opening === undefined) return failure('CONNECTION_CLOSED', 'Connection closed', error);
    if (error.code === 'ECONNREFUSED') return failure('CONNECTION_REFUSED', 'Failed to connect', error);
    return failure('CONNECTION_FAILED', `Failed to connect: ${error.message}`, error);
  }

  /** Requests TLS first; the server answers with one byte. */
  #secure(socket) {
    socket.write(new Message('').int32(SSL_REQUEST).bytes());
    socket.once('data', (bytes) => {
      const { sslMode, tls, address } = this.options;
      if (bytes[0] !== YES) {
        if (sslMode === 'prefer') this.#greet();
        else this.#fail(failure('TLS_NOT_AVAILABLE', 'The server does not support TLS'));
        return;
      }
      const host = address.host ?? 'localhost';
      const tlsOptions = typeof tls === 'object' && tls !== null ? tls : {};
      const settings = { socket, servername: require('node/net/net').isIP(host) ? '' : host, ...tlsOptions };
      if (sslMode !== 'verify-full' && tlsOptions.rejectUnauthorized === undefined) {
        if (sslMode === 'verify-ca') settings.checkServerIdentity = () => undefined;
        else settings.rejectUnauthorized = false;
      }
      const secure = builtins.load('tls').connect(settings);
      this.#attach(secure);
      secure.once('secureConnect', () => this.#greet());
    });
  }

  #greet() {
    const { username, database, connection } = this.options;
    this.#socket.on('data', (bytes) => this.#receive(bytes));
    const message = new Message('').int32(VERSION).text('user').text(username).text('database').text(database);
    const settings = { client_encoding: 'UTF8', application_name: 'rt', ...connection };
    for (const name of intact(ObjectKeys(settings))) message.text(name).text(`${settings[name]}`);
    this.send(message.raw(Uint8ArrayOf(0)));
  }

  send(...messages) {
    if (this.#isGone) return;
    this.#socket.write(
      messages.length === 1 ? messages[0].bytes() : Buffer.concat(ArrayMap(messages, (message) => message.bytes())),
    );
  }

  #receive(bytes) {
    try {
      this.#reader.push(bytes, (type, body) => {
        if (!this.#isGone) this.#take(type, body);
      });
    } catch (error) {
      this.#fail(error);
    }
  }

  #take(type, body) {
    switch (type) {
      case 'R':
        this.#authenticate(body);
        return;
      case 'K':
        this.#key = [body.int32(), body.int32()];
        return;
      case 'S':
        this.parameters[body.text()] = body.text();
        return;
      case 'N':
        return; // a notice
      case 'A':
        body.int32();
        this.on.notified?.(body.text(), body.text());
        return;
      case 'Z':
        this.inTransaction = StringFromCharCode(body.byte()) !== 'I';
        this.#ready();
        return;
      case 'E':
        if (this.#running === undefined) {
          this.#fail(serverError(pairsOf(body)));
          return;
        }
        this.#running.failed(serverError(pairsOf(body)));
        return;
      default:
        this.#running?.take(type, body);
    }
  }

  #ready() {
    if (this.#opening !== undefined) {
      stopTimer(this.#timer);
      const { resolve } = this.#opening;
      this.#opening = undefined;
      this.#socket.unref();
      resolve(this);
      return;
    }
    const running = this.#running;
    this.#running = undefined;
    if (!this.#isGone) this.#socket.unref();
    running?.done();
  }

  #authenticate(body) {
    const kind = body.int32();
    const { password, username } = this.options;
    const say = (text) => this.send(new Message('p').text(text));
    switch (kind) {
      case 0:
        return;
      case 3:
        say(password());
        return;
      case 5:
        say(require('rt/sql/scram').md5Password(username, password(), body.take(4)));
        return;
      case 10: {
        const names = [];
        for (let name = body.text(); name !== ''; name = body.text()) ArrayPush(names, name);
        if (!ArrayIncludes(names, 'SCRAM-SHA-256')) break;
        this.#scram = new (require('rt/sql/scram').Scram)(password());
        const first = Buffer.from(this.#scram.first());
        this.send(new Message('p').text('SCRAM-SHA-256').value(first));
        return;
      }
      case 11:
        this.send(new Message('p').raw(Buffer.from(this.#scram.final(body.rest().toString()))));
        return;
      case 12:
        this.#scram.check(body.rest().toString());
        return;
    }
    this.#fail(
      failure('UNSUPPORTED_AUTHENTICATION_METHOD', `The server requires an unsupported authentication method (${kind})`),
    );
  }

  /** Runs a query (see rt/sql/running); the promise settles when the connection is free again. */
  run(job) {
    return new Promise((resolve, reject) => {
      if (this.#isGone) {
        reject(failure('CONNECTION_CLOSED', 'Connection closed'));
        return;
      }
      this.#socket.ref();
      this.#running = new Running(this, job, resolve, reject);
      this.#running.begin();
    });
  }

  /** Asks the server over a separate connection to cancel the running query. */
  cancel() {
    if (this.#key === undefined) return;
    const socket = require('node/net/net').connect(this.options.address);
    socket.on('error', () => {});
    socket.once('connect', () =>
      socket.end(new Message('').int32(CANCEL_REQUEST).int32(this.#key[0]).int32(this.#key[1]).bytes()),
    );
  }

  pause() {
    this.#socket.pause();
  }
  resume() {
    if (!this.#isGone) this.#socket.resume();
  }
  /** Sends a chunk of a COPY FROM STDIN. Returns a promise if the caller should wait until the server reads. */
  sendPiece(bytes) {
    if (this.#isGone || this.#socket.write(new Message('d').raw(bytes).bytes())) return undefined;
    const socket = this.#socket;
    return new Promise((resolve) => {
      const done = () => {
        socket.off('drain', done);
        socket.off('close', done);
        resolve(undefined);
      };
      socket.on('drain', done);
      socket.on('close', done);
    });
  }
  endPieces() {
    this.send(new Message('c'));
  }
  failPieces(reason) {
    this.send(new Message('f').text(StringReplaceAll(reason, '\0', '')));
  }

  ref() {
    this.#socket.ref();
  }
  unref() {
    this.#socket.unref();
  }
  end() {
    if (this.#isGone) return;
    this.send(new Message('X'));
    this.#fail(failure('CONNECTION_CLOSED', 'Connection closed'));
  }

  #fail(error) {
    if (this.#isGone) return;
    this.#isGone = true;
    stopTimer(this.#timer);
    this.#socket.on('error', () => {});
    this.#socket.destroySoon?.();
    const opening = this.#opening;
    const running = this.#running;
    this.#opening = this.#running = undefined;
    this.on.onClose(this, error);
    opening?.reject(error);
    running?.broken(error);
  }
}
function pairsOf(body) {
  const pairs = [];
  for (let letter = body.byte(); letter > 0; letter = body.byte()) ArrayPush(pairs, [StringFromCharCode(letter), body.text()]);
  return pairs;
}

module.exports = { Connection };
