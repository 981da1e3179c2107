'use strict';
// Owns: OutgoingMessage: what a response of the server and a request of the client have in common: headers until they are
// sent, the body by length or in chunks, and what waits while the connection belongs to another message.

const { ArrayIsArray, ArrayPush, FunctionCall, MathFloor, NumberToString, StringToLowerCase } = require('internal/primordials');
const { Stream } = require('node/stream/legacy');
const { codes } = require('internal/errors/errors');
const { validateString } = require('internal/validators');
const { nextTick } = require('internal/timers');
const { validateHeaderName, validateHeaderValue, isToken, hasBadCharacter, dateText } = require('node/http/common');

const { Buffer } = require('node/buffer/buffer');
const kOutHeaders = Symbol('kOutHeaders');
const kNeedDrain = Symbol('kNeedDrain');
const kCorked = Symbol('corked');
const kChunkedBuffer = Symbol('kChunkedBuffer');
const kChunkedLength = Symbol('kChunkedLength');
const kUniqueHeaders = Symbol('kUniqueHeaders');
const kSocket = Symbol('kSocket');
const kBytesWritten = Symbol('kBytesWritten');
const kErrored = Symbol('errored');
const kHighWaterMark = Symbol('kHighWaterMark');
const kRejectNonStandardBodyWrites = Symbol('kRejectNonStandardBodyWrites');

const CRLF = Buffer.from('\r\n');
const HIGH_WATER_MARK = 64 * 1024;
const CLOSE = /(?:^|\W)close(?:$|\W)/i;
const CHUNKED = /(?:^|\W)chunked(?:$|\W)/i;
const nothing = () => {};

function OutgoingMessage(options) {
  FunctionCall(Stream, this);
  // What waits for the connection, or for another message to end.
  this.outputData = [];
  this.outputSize = 0;
  this.writable = true;
  this.destroyed = false;
  this._last = false;
  this.chunkedEncoding = false;
  this.shouldKeepAlive = true;
  this.maxRequestsOnConnectionReached = false;
  this._defaultKeepAlive = true;
  this.useChunkedEncodingByDefault = true;
  this.sendDate = false;
  this._removedConnection = false;
  this._removedContLen = false;
  this._removedTE = false;
  this.strictContentLength = false;
  this[kBytesWritten] = 0;
  this._contentLength = null;
  this._hasBody = true;
  this._trailer = '';
  this[kNeedDrain] = false;
  this.finished = false;
  this._headerSent = false;
  this[kCorked] = 0;
  this[kChunkedBuffer] = [];
  this[kChunkedLength] = 0;
  this._closed = false;
  this[kSocket] = null;
  this._header = null;
  this[kOutHeaders] = null;
  this._keepAliveTimeout = 0;
  this._onPendingData = nothing;
  this[kErrored] = null;
  this[kHighWaterMark] = options?.highWaterMark ?? HIGH_WATER_MARK;
  this[kRejectNonStandardBodyWrites] = options?.rejectNonStandardBodyWrites ?? false;
}
Object.setPrototypeOf(OutgoingMessage.prototype, Stream.prototype);
Object.setPrototypeOf(OutgoingMessage, Stream);

const accessor = (name, get, set) =>
  Object.defineProperty(OutgoingMessage.prototype, name, { __proto__: null, get, set, enumerable: false, configurable: true });
accessor('errored', function get() {
  return this[kErrored];
});
accessor('closed', function get() {
  return this._closed;
});
accessor('writableFinished', function get() {
  return this.finished && this.outputSize === 0 && (!this[kSocket] || this[kSocket].writableLength === 0);
});
accessor('writableObjectMode', function get() {
  return false;
});
accessor('writableLength', function get() {
  return this.outputSize + this[kChunkedLength] + (this[kSocket] ? this[kSocket].writableLength : 0);
});
accessor('writableHighWaterMark', function get() {
  return this[kSocket] ? this[kSocket].writableHighWaterMark : this[kHighWaterMark];
});
accessor('writableCorked', function get() {
  return this[kCorked];
});
accessor(
  'connection',
  function get() {
    return this[kSocket];
  },
  function set(value) {
    this.socket = value;
  },
);
accessor(
  'socket',
  function get() {
    return this[kSocket];
  },
  function set(value) {
    for (let i = 0; i < this[kCorked]; i++) {
      value?.cork();
      this[kSocket]?.uncork();
    }
    this[kSocket] = value;
  },
);
accessor('headersSent', function get() {
  return Boolean(this._header);
});
accessor('writableEnded', function get() {
  return this.finished;
});
accessor('writableNeedDrain', function get() {
  return !this.destroyed && !this.finished && this[kNeedDrain];
});
accessor('_headers', function get() {
  return this.getHeaders();
});
accessor('_headerNames', function get() {
  const names = { __proto__: null };
  for (const key in this[kOutHeaders] ?? {}) names[key] = this[kOutHeaders][key][0];
  return names;
});

OutgoingMessage.prototype._renderHeaders = function _renderHeaders() {
  if (this._header) throw new codes.ERR_HTTP_HEADERS_SENT('render');
  const headers = {};
  for (const key in this[kOutHeaders] ?? {}) headers[this[kOutHeaders][key][0]] = this[kOutHeaders][key][1];
  return headers;
};

OutgoingMessage.prototype.cork = function cork() {
  this[kCorked]++;
  this[kSocket]?.cork();
};
OutgoingMessage.prototype.uncork = function uncork() {
  this[kCorked]--;
  this[kSocket]?.uncork();
  if (this[kCorked] || this[kChunkedBuffer].length === 0) return;
  // What was written while corked is one chunk.
  const buffered = this[kChunkedBuffer];
  const length = this[kChunkedLength];
  let callbacks;
  this._send(length.toString(16), 'latin1', null);
  this._send(CRLF, null, null);
  for (let i = 0; i < buffered.length; i += 3) {
    this._send(buffered[i], buffered[i + 1], null);
    if (buffered[i + 2]) (callbacks ??= []).push(buffered[i + 2]);
  }
  this._send(
    CRLF,
    null,
    callbacks === undefined
      ? null
      : (error) => {
          for (const callback of callbacks) callback(error);
        },
  );
  this[kChunkedBuffer] = [];
  this[kChunkedLength] = 0;
};

OutgoingMessage.prototype.setTimeout = function setTimeout(msecs, callback) {
  if (callback) this.on('timeout', callback);
  if (!this[kSocket])
    this.once('socket', function onSocket(socket) {
      socket.setTimeout(msecs);
    });
  else this[kSocket].setTimeout(msecs);
  return this;
};

OutgoingMessage.prototype.destroy = function destroy(error) {
  if (this.destroyed) return this;
  this.destroyed = true;
  this[kErrored] = error;
  if (this[kSocket]) this[kSocket].destroy(error);
  else
    this.once('socket', function onSocket(socket) {
      socket.destroy(error);
    });
  return this;
};

/** Write, with the head before the first of it. */
OutgoingMessage.prototype._send = function _send(data, encoding, callback, byteLength) {
  if (!this._headerSent) {
    const header = this._header;
    if (typeof data === 'string' && (encoding === 'utf8' || encoding === 'utf-8' || encoding === 'latin1' || !encoding)) {
      data = header + data;
    } else {
      this.outputData.unshift({ data: header, encoding: 'latin1', callback: null });
      this.outputSize += header.length;
      this._onPendingData(header.length);
    }
    this._headerSent = true;
  }
  return this._writeRaw(data, encoding, callback, byteLength);
};

OutgoingMessage.prototype._writeRaw = function _writeRaw(data, encoding, callback, byteLength) {
  const connection = this[kSocket];
  if (connection?.destroyed) return false;
  if (typeof encoding === 'function') {
    callback = encoding;
    encoding = null;
  }
  if (connection && connection._httpMessage === this && connection.writable) {
    if (this.outputData.length) this._flushOutput(connection);
    return connection.write(data, encoding, callback);
  }
  ArrayPush(this.outputData, { data, encoding, callback });
  this.outputSize += data.length;
  this._onPendingData(data.length);
  return this.outputSize < this[kHighWaterMark];
};

OutgoingMessage.prototype._storeHeader = function _storeHeader(firstLine, headers) {
  const state = { connection: false, contLen: false, te: false, date: false, expect: false, trailer: false, header: firstLine };
  if (headers) {
    if (headers === this[kOutHeaders]) {
      for (const key in headers) addHeader(this, state, headers[key][0], headers[key][1], false);
    } else if (Array.isArray(headers)) {
      if (headers.length && Array.isArray(headers[0])) {
        for (const entry of headers) addHeader(this, state, entry[0], entry[1], true);
      } else {
        if (headers.length % 2 !== 0) throw new codes.ERR_INVALID_ARG_VALUE('headers', headers);
        for (let i = 0; i < headers.length; i += 2) addHeader(this, state, headers[i], headers[i + 1], true);
      }
    } else {
      for (const key in headers) if (Object.hasOwn(headers, key)) addHeader(this, state, key, headers[key], true);
    }
  }
  let { header } = state;
  if (this.sendDate && !state.date) header += `Date: ${dateText()}\r\n`;
  // A response without a body has no chunks either.
  if (this.chunkedEncoding && (this.statusCode === 204 || this.statusCode === 304)) {
    this.chunkedEncoding = false;
    this.shouldKeepAlive = false;
  }
  if (this._removedConnection) {
    // Whether it stays open is the other side's guess.
    this._last = !this.shouldKeepAlive;
  } else if (!state.connection) {
    const mayStay = this.shouldKeepAlive && (state.contLen || this.useChunkedEncodingByDefault || this.agent);
    if (mayStay && this.maxRequestsOnConnectionReached) {
      header += 'Connection: close\r\n';
      this._last = true;
    } else if (mayStay) {
      header += 'Connection: keep-alive\r\n';
      if (this._keepAliveTimeout && this._defaultKeepAlive) {
        const seconds = MathFloor(this._keepAliveTimeout / 1000);
        const most = this._maxRequestsPerSocket > 0 ? `, max=${this._maxRequestsPerSocket}` : '';
        header += `Keep-Alive: timeout=${seconds}${most}\r\n`;
      }
    } else {
      this._last = true;
      header += 'Connection: close\r\n';
    }
  }
  if (!state.contLen && !state.te) {
    if (!this._hasBody) this.chunkedEncoding = false;
    else if (!this.useChunkedEncodingByDefault) this._last = true;
    else if (!state.trailer && !this._removedContLen && typeof this._contentLength === 'number') {
      header += `Content-Length: ${this._contentLength}\r\n`;
    } else if (!this._removedTE) {
      header += 'Transfer-Encoding: chunked\r\n';
      this.chunkedEncoding = true;
    } else {
      // Neither a length nor chunks: the body ends with the connection.
      this._last = true;
    }
  }
  // What announces trailers has to have chunks.
  if (this.chunkedEncoding !== true && state.trailer) throw new codes.ERR_HTTP_TRAILER_INVALID();
  this._header = `${header}\r\n`;
  this._headerSent = false;
  if (state.expect) this._send('');
};

function addHeader(message, state, key, value, isChecked) {
  if (isChecked) validateHeaderName(key);
  if (ArrayIsArray(value)) {
    const isOneLine = (value.length >= 2 && isCookie(key)) || message[kUniqueHeaders]?.has(key.toLowerCase());
    if (!isOneLine) {
      for (const each of value) storeHeader(message, state, key, each, isChecked);
      return;
    }
    value = value.join('; ');
  }
  storeHeader(message, state, key, value, isChecked);
}
const isCookie = (key) => key.length === 6 && key.toLowerCase() === 'cookie';

function storeHeader(message, state, key, value, isChecked) {
  if (isChecked) validateHeaderValue(key, value);
  state.header += `${key}: ${value}\r\n`;
  matchHeader(message, state, key, value);
}

function matchHeader(message, state, field, value) {
  if (field.length < 4 || field.length > 17) return;
  switch (StringToLowerCase(field)) {
    case 'connection':
      state.connection = true;
      message._removedConnection = false;
      if (CLOSE.test(value)) message._last = true;
      else message.shouldKeepAlive = true;
      break;
    case 'transfer-encoding':
      state.te = true;
      message._removedTE = false;
      if (CHUNKED.test(value)) message.chunkedEncoding = true;
      break;
    case 'content-length':
      state.contLen = true;
      message._contentLength = +value;
      message._removedContLen = false;
      break;
    case 'date':
      state.date = true;
      break;
    case 'expect':
      state.expect = true;
      break;
    case 'trailer':
      state.trailer = true;
      break;
    case 'keep-alive':
      message._defaultKeepAlive = false;
      break;
  }
}

// --- headers

OutgoingMessage.prototype.setHeader = function setHeader(name, value) {
  if (this._header) throw new codes.ERR_HTTP_HEADERS_SENT('set');
  validateHeaderName(name);
  validateHeaderValue(name, value);
  (this[kOutHeaders] ??= { __proto__: null })[StringToLowerCase(name)] = [name, value];
  return this;
};

OutgoingMessage.prototype.setHeaders = function setHeaders(headers) {
  if (this._header) throw new codes.ERR_HTTP_HEADERS_SENT('set');
  if (!headers || Array.isArray(headers) || typeof headers.keys !== 'function' || typeof headers.get !== 'function') {
    throw new codes.ERR_INVALID_ARG_TYPE('headers', ['Headers', 'Map'], headers);
  }
  // Cookies come one by one and are set together.
  const cookies = [];
  for (const { 0: key, 1: value } of headers) {
    if (key === 'set-cookie') {
      if (Array.isArray(value)) cookies.push(...value);
      else cookies.push(value);
    } else {
      this.setHeader(key, value);
    }
  }
  if (cookies.length) this.setHeader('set-cookie', cookies);
  return this;
};

OutgoingMessage.prototype.appendHeader = function appendHeader(name, value) {
  if (this._header) throw new codes.ERR_HTTP_HEADERS_SENT('append');
  validateHeaderName(name);
  validateHeaderValue(name, value);
  const field = name.toLowerCase();
  const headers = (this[kOutHeaders] ??= { __proto__: null });
  if (headers[field] === undefined) {
    headers[field] = [name, value];
  } else {
    if (!Array.isArray(headers[field][1])) headers[field][1] = [headers[field][1]];
    if (Array.isArray(value)) headers[field][1].push(...value);
    else headers[field][1].push(value);
  }
  return this;
};

OutgoingMessage.prototype.getHeader = function getHeader(name) {
  validateString(name, 'name');
  return this[kOutHeaders]?.[StringToLowerCase(name)]?.[1];
};
OutgoingMessage.prototype.getHeaderNames = function getHeaderNames() {
  return Object.keys(this[kOutHeaders] ?? {});
};
OutgoingMessage.prototype.getRawHeaderNames = function getRawHeaderNames() {
  return Object.values(this[kOutHeaders] ?? {}).map(([name]) => name);
};
OutgoingMessage.prototype.getHeaders = function getHeaders() {
  const all = { __proto__: null };
  for (const key in this[kOutHeaders] ?? {}) all[key] = this[kOutHeaders][key][1];
  return all;
};
OutgoingMessage.prototype.hasHeader = function hasHeader(name) {
  validateString(name, 'name');
  return this[kOutHeaders]?.[name.toLowerCase()] !== undefined;
};
OutgoingMessage.prototype.removeHeader = function removeHeader(name) {
  validateString(name, 'name');
  if (this._header) throw new codes.ERR_HTTP_HEADERS_SENT('remove');
  const key = name.toLowerCase();
  if (key === 'connection') this._removedConnection = true;
  else if (key === 'content-length') this._removedContLen = true;
  else if (key === 'transfer-encoding') this._removedTE = true;
  else if (key === 'date') this.sendDate = false;
  if (this[kOutHeaders] !== null) delete this[kOutHeaders][key];
};

OutgoingMessage.prototype._implicitHeader = function _implicitHeader() {
  throw new codes.ERR_METHOD_NOT_IMPLEMENTED('_implicitHeader()');
};

// --- the body

OutgoingMessage.prototype.write = function write(chunk, encoding, callback) {
  if (typeof encoding === 'function') {
    callback = encoding;
    encoding = null;
  }
  const isMore = write_(this, chunk, encoding, callback, false);
  if (!isMore) this[kNeedDrain] = true;
  return isMore;
};

function onError(message, error, callback) {
  if (message.destroyed) return;
  nextTick(() => {
    callback(error);
    if (typeof message.destroy === 'function' && !message.errored && !message.writableErrored) message.emit('error', error);
  });
}

function refuse(message, error, callback) {
  if (!message.destroyed) onError(message, error, typeof callback === 'function' ? callback : nothing);
  else nextTick(typeof callback === 'function' ? callback : nothing, error);
  return false;
}

function write_(message, chunk, encoding, callback, isEnd) {
  if (typeof callback !== 'function') callback = nothing;
  if (chunk === null) throw new codes.ERR_STREAM_NULL_VALUES();
  if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array))
    throw new codes.ERR_INVALID_ARG_TYPE('chunk', ['string', 'Buffer', 'Uint8Array'], chunk);
  let error;
  if (message.finished) error = new codes.ERR_STREAM_WRITE_AFTER_END();
  else if (message.destroyed) error = new codes.ERR_STREAM_DESTROYED('write');
  if (error) return refuse(message, error, callback);
  let length;
  if (message.strictContentLength) {
    length = typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding) : chunk.byteLength;
    checkLength(message, message[kBytesWritten] + length, isEnd);
    message[kBytesWritten] += length;
  }
  if (!message._header) {
    if (isEnd)
      message._contentLength = length ??= typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding) : chunk.byteLength;
    message._implicitHeader();
  }
  if (!message._hasBody) {
    if (message[kRejectNonStandardBodyWrites]) throw new codes.ERR_HTTP_BODY_NOT_ALLOWED();
    nextTick(callback);
    return true;
  }
  if (!isEnd && message[kSocket] && !message[kSocket].writableCorked) {
    const socket = message[kSocket];
    socket.cork();
    nextTick(() => socket.uncork());
  }
  if (!message.chunkedEncoding || chunk.length === 0) return message._send(chunk, encoding, callback, length);
  length ??= typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding) : chunk.byteLength;
  if (message[kCorked] && message._headerSent) {
    message[kChunkedBuffer].push(chunk, encoding, callback);
    message[kChunkedLength] += length;
    return message[kChunkedLength] < message[kHighWaterMark];
  }
  if (typeof chunk === 'string' && (!encoding || encoding === 'utf8' || encoding === 'utf-8' || encoding === 'latin1')) {
    return message._send(`${NumberToString(length, 16)}\r\n${chunk}\r\n`, encoding, callback);
  }
  message._send(`${length.toString(16)}\r\n`, 'latin1', null);
  message._send(chunk, encoding, null, length);
  return message._send(CRLF, null, callback);
}

function checkLength(message, size, isEnd) {
  const expected = message._contentLength;
  const isStrict =
    message.strictContentLength &&
    expected !== null &&
    message._hasBody &&
    !message._removedContLen &&
    !message.chunkedEncoding &&
    !message.hasHeader('transfer-encoding');
  if (isStrict && (isEnd ? size !== expected : size > expected)) throw new codes.ERR_HTTP_CONTENT_LENGTH_MISMATCH(size, expected);
}

OutgoingMessage.prototype.addTrailers = function addTrailers(headers) {
  this._trailer = '';
  const isArray = Array.isArray(headers);
  for (const key of Object.keys(headers)) {
    const [field, value] = isArray ? headers[key] : [key, headers[key]];
    validateHeaderName(field, 'Trailer name');
    for (const each of Array.isArray(value) ? value : [value]) {
      if (hasBadCharacter(each)) throw new codes.ERR_INVALID_CHAR('trailer content', field);
      this._trailer += `${field}: ${each}\r\n`;
    }
  }
};

function onFinish(message) {
  if (message?.socket?._hadError) return;
  message.emit('finish');
}

/** Whether a chunk is all of the body, whose length nothing else tells: it leaves with the head, in one piece. */
function isWholeBody(message, chunk) {
  if (message._header !== null || message.destroyed || message.strictContentLength || message[kCorked] || message._trailer !== '')
    return false;
  return typeof chunk === 'string' || chunk instanceof Uint8Array;
}

function endWhole(message, chunk, encoding, callback) {
  const length = typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding) : chunk.byteLength;
  message._contentLength = length;
  message._implicitHeader();
  if (typeof callback === 'function') message.once('finish', callback);
  const finish = () => onFinish(message);
  const socket = message[kSocket];
  const isOwn = socket && socket._httpMessage === message;
  if (!message._hasBody) {
    if (message[kRejectNonStandardBodyWrites]) throw new codes.ERR_HTTP_BODY_NOT_ALLOWED();
    message._send('', 'latin1', finish);
  } else if (message.chunkedEncoding) {
    message._send(`${length.toString(16)}\r\n`, 'latin1', null);
    message._send(chunk, encoding, null, length);
    message._send(`\r\n0\r\n\r\n`, 'latin1', finish);
  } else {
    if (typeof chunk !== 'string' && isOwn) socket.cork();
    message._send(chunk, encoding, finish, length);
  }
  if (socket) {
    // All of it leaves in one write.
    if (socket.writableCorked) {
      socket._writableState.corked = 1;
      socket.uncork();
    }
  }
  message[kCorked] = 1;
  message.uncork();
  message.finished = true;
  if (message.outputData.length === 0 && isOwn) message._finish();
  return message;
}

OutgoingMessage.prototype.end = function end(chunk, encoding, callback) {
  if (typeof chunk === 'function') {
    callback = chunk;
    chunk = null;
    encoding = null;
  } else if (typeof encoding === 'function') {
    callback = encoding;
    encoding = null;
  }
  if (chunk) {
    if (this.finished) {
      onError(this, new codes.ERR_STREAM_WRITE_AFTER_END(), typeof callback === 'function' ? callback : nothing);
      return this;
    }
    if (isWholeBody(this, chunk)) return endWhole(this, chunk, encoding, callback);
    this[kSocket]?.cork();
    write_(this, chunk, encoding, null, true);
  } else if (this.finished) {
    if (typeof callback === 'function') {
      if (!this.writableFinished) this.on('finish', callback);
      else callback(new codes.ERR_STREAM_ALREADY_FINISHED('end'));
    }
    return this;
  } else if (!this._header) {
    this[kSocket]?.cork();
    this._contentLength = 0;
    this._implicitHeader();
  }
  if (typeof callback === 'function') this.once('finish', callback);
  checkLength(this, this[kBytesWritten], true);
  const finish = () => onFinish(this);
  if (this._hasBody && this.chunkedEncoding) {
    this._send(`0\r\n${this._trailer}\r\n`, 'latin1', finish);
  } else if (!this._headerSent || this.writableLength || chunk) {
    this._send('', 'latin1', finish);
  } else {
    nextTick(finish);
  }
  if (this[kSocket]) {
    // All of it leaves in one write.
    this[kSocket]._writableState.corked = 1;
    this[kSocket].uncork();
  }
  this[kCorked] = 1;
  this.uncork();
  this.finished = true;
  if (this.outputData.length === 0 && this[kSocket] && this[kSocket]._httpMessage === this) this._finish();
  return this;
};

OutgoingMessage.prototype._finish = function _finish() {
  this.emit('prefinish');
};

/** The connection is this message's now, or has room again. */
OutgoingMessage.prototype._flush = function _flush() {
  const socket = this[kSocket];
  if (!socket?.writable) return;
  const isMore = this._flushOutput(socket);
  if (this.finished) this._finish();
  else if (isMore && this[kNeedDrain]) {
    this[kNeedDrain] = false;
    this.emit('drain');
  }
};

OutgoingMessage.prototype._flushOutput = function _flushOutput(socket) {
  while (this[kCorked]) {
    this[kCorked]--;
    socket.cork();
  }
  const { length } = this.outputData;
  if (length <= 0) return undefined;
  const { outputData } = this;
  socket.cork();
  let isMore;
  for (let i = 0; i < length; i++) {
    const { data, encoding, callback } = outputData[i];
    outputData[i].data = null;
    isMore = socket.write(data, encoding, callback);
  }
  socket.uncork();
  this.outputData = [];
  this._onPendingData(-this.outputSize);
  this.outputSize = 0;
  return isMore;
};

OutgoingMessage.prototype.flushHeaders = function flushHeaders() {
  if (!this._header) this._implicitHeader();
  this._send('');
};

OutgoingMessage.prototype.pipe = function pipe() {
  this.emit('error', new codes.ERR_STREAM_CANNOT_PIPE());
};

OutgoingMessage.prototype[Symbol.for('nodejs.rejection')] = function onRejection(error) {
  this.destroy(error);
};

/** Names whose repeated values are joined instead of repeated. */
function parseUniqueHeaders(headers) {
  if (!ArrayIsArray(headers)) return null;
  const unique = new Set();
  for (const each of headers) {
    if (Array.isArray(each)) {
      if (each.length > 0) throw new codes.ERR_INVALID_ARG_VALUE('headers', headers);
    } else unique.add(`${each}`.toLowerCase());
  }
  return unique;
}

module.exports = {
  OutgoingMessage,
  parseUniqueHeaders,
  isToken,
  HIGH_WATER_MARK,
  kOutHeaders,
  kNeedDrain,
  kUniqueHeaders,
  kSocket,
  kErrored,
  kCorked,
};
