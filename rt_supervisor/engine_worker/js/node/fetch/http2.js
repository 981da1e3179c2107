'use strict';
// Owns: fetch over HTTP/2, if negotiated with TLS: one session per target, shared by all its requests; a request has the
// interface of `Connection` in node/fetch/connection. A session without requests does not keep the program alive, and is
// closed after a while.

const { PromiseResolve } = require('internal/promises');
const { ArrayIsArray, ArrayPush, MapDelete, MapGet, MapSet, StringToLowerCase, intact } = require('internal/primordials');
const { socketError } = require('node/fetch/errors');
const { ClientHttp2Session } = require('node/http2/client');
const { setTimeout: startTimer, clearTimeout: stopTimer } = require('internal/timers');

const REFUSED_STREAM = 7;
const CANCEL = 8;
const sessions = new Map(); // target -> SharedSession
const NOT_SENT = {
  '__proto__': null,
  'host': true,
  'connection': true,
  'keep-alive': true,
  'proxy-connection': true,
  'transfer-encoding': true,
  'upgrade': true,
  'http2-settings': true,
};

class SharedSession {
  #active = 0;
  #timer;

  constructor(place, socket, host, idleMs) {
    this.place = place;
    this.socket = socket;
    this.idleMs = idleMs;
    this.session = new ClientHttp2Session(socket, { settings: { enablePush: false } }, { protocol: 'https:', host });
    this.session.on('error', () => {}); // each request receives it from its stream
    this.session.on('close', () => this.#handleClose());
    this.session.on('goaway', () => this.#handleClose());
    MapSet(sessions, place, this);
    this.#rest();
  }

  #handleClose() {
    stopTimer(this.#timer);
    if (MapGet(sessions, this.place) === this) MapDelete(sessions, this.place);
  }
  #rest() {
    this.socket.unref();
    stopTimer(this.#timer);
    this.#timer = startTimer(() => this.session.close(), this.idleMs).unref();
  }
  beginRequest() {
    if (this.#active++ > 0) return;
    stopTimer(this.#timer);
    this.socket.ref();
  }
  endRequest() {
    if (--this.#active === 0 && !this.session.closed) this.#rest();
  }
}

/** One request. */
class Http2Request {
  #shared;
  #stream;
  #hasAnswer = false;
  #isOver = false;
  #task;

  constructor(shared) {
    this.#shared = shared;
  }
  /** The writable side of the body: the stream, once there is one. */
  get socket() {
    return this.#stream;
  }

  send(task, head, body) {
    this.#task = task;
    const headers = { '__proto__': null, ':method': task.method, ':path': task.path, ':scheme': 'https' };
    for (let index = 0; index < task.pairs.length; index++) {
      const { 0: name, 1: value } = task.pairs[index];
      const lower = StringToLowerCase(name);
      if (lower === 'host') headers[':authority'] = value;
      if (NOT_SENT[lower]) continue;
      const before = headers[lower];
      headers[lower] = before === undefined ? value : ArrayIsArray(before) ? [...intact(before), value] : [before, value];
    }
    this.#shared.beginRequest();
    const stream = (this.#stream = this.#shared.session.request(headers, { endStream: body === null && !task.isStream }));
    stream.on('response', (answer, flags, raw) => this.#handleHead(raw));
    stream.on('data', (bytes) => {
      if (task.onBody(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)) === false) stream.pause();
    });
    stream.on('end', () => {
      if (!this.#hasAnswer || stream.aborted || stream.rstCode !== 0) return;
      this.#isOver = true;
      task.onEnd();
    });
    stream.on('error', (error) => this.#fail(error));
    stream.on('close', () => {
      this.#shared.endRequest();
      this.#fail(socketError());
    });
    task.messages?.sent(head, this.#shared.socket, body, task.isStream);
    if (body !== null) stream.end(typeof body === 'string' ? host.native.encodeUtf8(body) : body);
  }

  #handleHead(raw) {
    this.#hasAnswer = true;
    const fields = [];
    let status = 0;
    for (let i = 0; i < raw.length; i += 2) {
      if (raw[i] === ':status') status = Number(raw[i + 1]);
      else {
        ArrayPush(fields, raw[i]);
        ArrayPush(fields, raw[i + 1]);
      }
    }
    this.#task.onHead(status, '', fields);
  }
  #fail(error) {
    if (this.#isOver) return;
    this.#isOver = true;
    const { isStream } = this.#task;
    const isUnseen = error.code === 'ERR_HTTP2_GOAWAY_SESSION' || this.#stream.rstCode === REFUSED_STREAM;
    this.#task.onError(error, !this.#hasAnswer && !isStream && isUnseen);
  }

  // --- a body that is a stream

  writeChunk(bytes) {
    return bytes.length === 0 || this.#stream.write(bytes);
  }
  whenDrained() {
    const stream = this.#stream;
    if (stream.destroyed || !stream.writableNeedDrain) return PromiseResolve();
    return new Promise((resolve) => {
      stream.once('drain', resolve);
      stream.once('close', resolve);
    });
  }
  endBody() {
    this.#stream.end();
  }

  pause() {
    this.#stream.pause();
  }
  resume() {
    if (!this.#stream.destroyed) this.#stream.resume();
  }
  destroy() {
    this.#isOver = true;
    this.#stream?.close(CANCEL);
  }
  keep() {}
}

/** A request over the target's session; undefined if there is none. */
function requestTo(place) {
  const shared = MapGet(sessions, place);
  return shared === undefined || shared.session.closed ? undefined : new Http2Request(shared);
}

/** Shares a connection that negotiated HTTP/2 among the requests to its target; returns the first of them. */
function share(place, socket, host, idleMs) {
  return new Http2Request(new SharedSession(place, socket, host, idleMs));
}

module.exports = { requestTo, share };
