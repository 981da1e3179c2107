'use strict';
// Owns: Http2ServerResponse: the interface of a node:http response over a server stream.

const { setOf } = require('internal/collections');
const {
  ArrayConcat,
  ArrayFrom,
  ArrayIsArray,
  ObjectKeys,
  SetAdd,
  SetHas,
  StringToLowerCase,
  StringTrim,
  intact,
} = require('internal/primordials');
const Stream = require('node/stream/stream');
const { nextTick } = require('internal/timers');
const { http2Error } = require('node/http2/errors');
const { isToken, hasBadCharacter } = require('node/http/fields');
const { codes } = require('internal/errors/errors');
const { compatSocket } = require('node/http2/compat_socket');
const { validateObject, validateString } = require('internal/validators');

const normalizeName = (name) => {
  validateString(name, 'name');
  const lower = StringToLowerCase(StringTrim(name));
  if (lower === '' || (lower[0] !== ':' && !isToken(lower))) throw new codes.ERR_INVALID_HTTP_TOKEN('Header name', name);
  return lower;
};

const emittedWarnings = new Set();
/** Emits a warning, once per text. */
function warn(text) {
  if (SetHas(emittedWarnings, text)) return;
  SetAdd(emittedWarnings, text);
  host.emitWarning(text, 'UnsupportedWarning');
}

// Connection-specific fields of HTTP/1, which an HTTP/2 message must not contain (RFC 9113 §8.2.2).
const CONNECTION = setOf(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'proxy-connection', 'http2-settings']);
const isConnections = (lower, value) => SetHas(CONNECTION, lower) || (lower === 'te' && value !== 'trailers');
/** The name in lower case. Throws if it must not be sent; undefined, with a warning, for a connection-specific field. */
function checkName(name, value) {
  const lower = normalizeName(name);
  if (lower[0] === ':') throw http2Error('ERR_HTTP2_PSEUDOHEADER_NOT_ALLOWED');
  if (value === undefined || value === null) throw http2Error('ERR_HTTP2_INVALID_HEADER_VALUE', value, lower);
  if (!isConnections(lower, value)) return lower;
  warn('The provided connection header is not valid, the value will be dropped from the header and will never be in use.');
  return undefined;
}

class Http2ServerResponse extends Stream {
  #stream;
  #headers = { __proto__: null };
  #trailers = { __proto__: null };
  #status = 200;
  #isEnding = false;
  #isClosed = false;
  writable = true;
  sendDate = true;

  constructor(stream, options) {
    super(options);
    this.#stream = stream;
    this.req = stream.compatRequest;
    stream.on('drain', () => this.emit('drain'));
    stream.on('aborted', () => this.emit('aborted'));
    stream.on('timeout', () => this.emit('timeout'));
    stream.on('wantTrailers', () => stream.sendTrailers(this.#trailers));
    stream.on('error', () => {}); // the stream's own listeners receive it, as in Node
    stream.on('close', () => {
      if (this.#isClosed) return;
      this.#isClosed = true;
      this.writable = false;
      this.emit('finish');
      this.emit('close');
    });
  }

  get stream() {
    return this.#stream;
  }
  get socket() {
    return this.#isClosed ? undefined : compatSocket(this.#stream);
  }
  get connection() {
    return this.socket;
  }
  get headersSent() {
    return this.#stream.sentHeaders !== undefined;
  }
  get _header() {
    return this.headersSent;
  }
  get finished() {
    return this.#isEnding;
  }
  get writableEnded() {
    return this.#isEnding;
  }
  get writableFinished() {
    return this.#stream.writableFinished;
  }
  get writableCorked() {
    return this.#stream.writableCorked;
  }
  get writableHighWaterMark() {
    return this.#stream.writableHighWaterMark;
  }
  get writableLength() {
    return this.#stream.writableLength;
  }
  get writableNeedDrain() {
    return this.#stream.writableNeedDrain;
  }
  get destroyed() {
    return this.#stream.destroyed;
  }
  get strictContentLength() {
    return false;
  }
  get statusCode() {
    return this.#status;
  }
  set statusCode(code) {
    code |= 0;
    if (code >= 100 && code < 200) throw http2Error('ERR_HTTP2_INFO_STATUS_NOT_ALLOWED');
    if (code < 100 || code > 599) throw http2Error('ERR_HTTP2_STATUS_INVALID', code);
    this.#status = code;
  }
  get statusMessage() {
    warn('Status message is not supported by HTTP/2 (RFC7540 8.1.2.4)');
    return '';
  }
  set statusMessage(text) {
    warn('Status message is not supported by HTTP/2 (RFC7540 8.1.2.4)');
  }

  setHeader(name, value) {
    const lower = checkName(name, value);
    if (lower === undefined) return this;
    if (hasBadCharacter(`${value}`)) throw new codes.ERR_INVALID_CHAR('header content', name);
    if (this.headersSent) throw http2Error('ERR_HTTP2_HEADERS_SENT');
    if (this.#stream.destroyed || this.#isClosed) return this;
    this.#headers[lower] = value;
    return this;
  }
  appendHeader(name, value) {
    const lower = normalizeName(name);
    const before = this.#headers[lower];
    return this.setHeader(name, before === undefined ? value : ArrayConcat([], before, value));
  }
  setHeaders(headers) {
    for (const { 0: name, 1: value } of intact(headers)) this.setHeader(name, value);
    return this;
  }
  getHeader(name) {
    return this.#headers[normalizeName(name)];
  }
  getHeaderNames() {
    return ObjectKeys(this.#headers);
  }
  getHeaders() {
    return { __proto__: null, ...this.#headers };
  }
  hasHeader(name) {
    return normalizeName(name) in this.#headers;
  }
  removeHeader(name) {
    if (this.headersSent) throw http2Error('ERR_HTTP2_HEADERS_SENT');
    const lower = normalizeName(name);
    if (lower === 'date') this.sendDate = false;
    delete this.#headers[lower];
  }
  setTrailer(name, value) {
    validateString(name, 'name');
    const lower = checkName(name, value);
    if (lower !== undefined) this.#trailers[lower] = value;
  }
  addTrailers(headers) {
    for (const name of intact(ObjectKeys(headers))) this.setTrailer(name, headers[name]);
  }
  flushHeaders() {
    if (!this.#isClosed && !this.headersSent) this.#respond(false);
  }

  writeHead(status, message, headers) {
    if (this.#isClosed || this.#stream.destroyed || this.#stream.closed) return this;
    if (this.headersSent) throw http2Error('ERR_HTTP2_HEADERS_SENT');
    if (typeof message === 'string') warn('Status message is not supported by HTTP/2 (RFC7540 8.1.2.4)');
    const fields = typeof message === 'string' || message === undefined ? headers : message;
    if (ArrayIsArray(fields)) {
      const pairs = ArrayIsArray(fields[0])
        ? fields
        : ArrayFrom({ length: fields.length / 2 }, (_, index) => [fields[2 * index], fields[2 * index + 1]]);
      for (const { 0: name, 1: value } of intact(pairs)) this.appendHeader(name, value);
    } else for (const name of intact(ObjectKeys(fields ?? {}))) this.setHeader(name, fields[name]);
    this.statusCode = status;
    this.#respond(false);
    return this;
  }
  #respond(isEnd) {
    const headers = { __proto__: null, ':status': this.#status, ...this.#headers };
    this.#stream.respond(headers, { endStream: isEnd, waitForTrailers: true, sendDate: this.sendDate });
  }

  write(chunk, encoding, callback) {
    if (typeof encoding === 'function') [encoding, callback] = intact([undefined, encoding]);
    let problem;
    if (this.#isEnding) problem = new codes.ERR_STREAM_WRITE_AFTER_END();
    else if (!this.#isClosed && this.#stream.destroyed) return false;
    else if (this.#isClosed) problem = http2Error('ERR_HTTP2_INVALID_STREAM');
    if (problem !== undefined) {
      if (typeof callback === 'function') nextTick(callback, problem);
      else this.destroy(problem);
      return false;
    }
    if (!this.headersSent) this.#respond(false);
    return this.#stream.write(chunk, encoding, callback);
  }

  end(chunk, encoding, callback) {
    if (typeof chunk === 'function') [chunk, encoding, callback] = intact([undefined, undefined, chunk]);
    else if (typeof encoding === 'function') [encoding, callback] = intact([undefined, encoding]);
    const stream = this.#stream;
    if (this.#isEnding || this.#isClosed || stream.destroyed) {
      if (typeof callback === 'function') nextTick(callback);
      return this;
    }
    const hasBody = chunk !== undefined && chunk !== null;
    if (!this.headersSent) {
      // There is neither a body nor a trailer: the headers end the stream.
      if (!hasBody && ObjectKeys(this.#trailers).length === 0) {
        this.#isEnding = true;
        const headers = { __proto__: null, ':status': this.#status, ...this.#headers };
        if (typeof callback === 'function') stream.once('finish', callback);
        stream.respond(headers, { endStream: true, sendDate: this.sendDate });
        return this;
      }
      this.#respond(false);
    }
    if (hasBody && stream.writable && !stream.headRequest) stream.write(chunk, encoding);
    this.#isEnding = true;
    // The stream of a response without a body has ended with its header.
    if (typeof callback === 'function') (stream.writableEnded ? this : stream).once('finish', callback);
    stream.end();
    return this;
  }
  destroy(error) {
    if (this.#stream.destroyed) return;
    this.#stream.destroy(error);
  }
  cork() {
    this.#stream.cork();
  }
  uncork() {
    this.#stream.uncork();
  }
  setTimeout(ms, callback) {
    if (!this.#isClosed) this.#stream.setTimeout(ms, callback);
    return this;
  }
  assignSocket() {}
  detachSocket() {}
  writeContinue() {
    if (this.#stream.destroyed || this.headersSent) return false;
    this.#stream.additionalHeaders({ ':status': 100 });
    return true;
  }
  writeEarlyHints(hints) {
    validateObject(hints, 'hints');
    const { linksOf } = require('node/http/response');
    const link = linksOf(hints.link);
    if (link === '' || this.#stream.destroyed || this.headersSent) return false;
    const headers = { __proto__: null };
    for (const name of intact(ObjectKeys(hints))) if (name !== 'link') headers[name] = hints[name];
    this.#stream.additionalHeaders({ ...headers, ':status': 103, Link: link });
    return true;
  }
  writeInformation(status, headers) {
    if (this.#stream.destroyed || this.headersSent) return false;
    this.#stream.additionalHeaders({ ...headers, ':status': status });
    return true;
  }
  createPushResponse(headers, callback) {
    if (typeof callback !== 'function') throw new codes.ERR_INVALID_ARG_TYPE('callback', 'Function', callback);
    if (this.#isClosed || this.#stream.destroyed) {
      nextTick(callback, http2Error('ERR_HTTP2_INVALID_STREAM'));
      return;
    }
    this.#stream.pushStream(headers, {}, (error, stream) => {
      if (error) callback(error);
      else callback(null, new Http2ServerResponse(stream));
    });
  }
}

module.exports = { Http2ServerResponse };
