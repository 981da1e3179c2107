'use strict';
// Owns: Http2ServerRequest: the interface of a node:http request over a server stream.

const { ArrayPush, ObjectAssign, StringTrim, intact } = require('internal/primordials');
const Readable = require('node/stream/readable');
const { codes } = require('internal/errors/errors');
const { compatSocket } = require('node/http2/compat_socket');
const { validateString } = require('internal/validators');

class Http2ServerRequest extends Readable {
  #stream;
  #headers;
  #raw;
  #trailers = {};
  #rawTrailers = [];
  #aborted = false;
  #url;
  #method;
  #isEnded = false;
  #isClosed = false;

  constructor(stream, headers, options, rawHeaders) {
    super({ autoDestroy: false, ...options });
    this.#stream = stream;
    this.#headers = headers;
    this.#raw = rawHeaders;
    stream.on('trailers', (trailers, flags, raw) => {
      ObjectAssign(this.#trailers, trailers);
      ArrayPush(this.#rawTrailers, ...intact(raw));
    });
    stream.on('end', () => {
      this.#isEnded = true;
      this.push(null);
    });
    stream.on('error', () => {}); // the stream's own listeners receive it, as in Node
    stream.on('aborted', () => {
      this.#aborted = true;
      this.emit('aborted');
    });
    stream.on('close', () => {
      this.#isClosed = true;
      if (!this.#isEnded) this.push(null);
      if (!this.#isReading && this.readableFlowing === null) this.resume(); // not being read: 'end' is emitted nonetheless
      this.emit('close');
    });
    stream.on('timeout', () => this.emit('timeout'));
    this.on('pause', () => stream.pause());
    this.on('resume', () => this.#read());
  }

  #isReading = false;
  #read() {
    if (this.#stream.destroyed) return;
    if (!this.#isReading) {
      this.#isReading = true;
      this.#stream.on('data', (chunk) => {
        if (!this.push(chunk)) this.#stream.pause();
      });
    }
    this.#stream.resume();
  }
  _read() {
    this.#read();
  }
  _destroy(error, callback) {
    if (!this.#stream.destroyed && error) this.#stream.destroy(error);
    callback(error);
  }

  get aborted() {
    return this.#aborted;
  }
  get complete() {
    return this.#aborted || this.readableEnded || this.#isClosed || this.#stream.destroyed;
  }
  get stream() {
    return this.#stream;
  }
  get headers() {
    return this.#headers;
  }
  get rawHeaders() {
    return this.#raw;
  }
  get trailers() {
    return this.#trailers;
  }
  get rawTrailers() {
    return this.#rawTrailers;
  }
  get httpVersionMajor() {
    return 2;
  }
  get httpVersionMinor() {
    return 0;
  }
  get httpVersion() {
    return '2.0';
  }
  get socket() {
    return compatSocket(this.#stream);
  }
  get connection() {
    return this.socket;
  }
  get method() {
    return this.#method ?? this.#headers[':method'];
  }
  set method(method) {
    validateString(method, 'method');
    if (StringTrim(method) === '') throw new codes.ERR_INVALID_ARG_VALUE('method', method);
    this.#method = method;
  }
  get authority() {
    return this.#headers[':authority'] ?? this.#headers.host ?? '';
  }
  get scheme() {
    return this.#headers[':scheme'];
  }
  get url() {
    return this.#url ?? this.#headers[':path'];
  }
  set url(url) {
    this.#url = url;
  }
  setTimeout(ms, callback) {
    this.#stream.setTimeout(ms, callback);
    return this;
  }
}

module.exports = { Http2ServerRequest };
