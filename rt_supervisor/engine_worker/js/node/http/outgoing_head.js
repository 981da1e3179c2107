// @ts-check
'use strict';
// Owns: the header of an OutgoingMessage: fields by name, their serialization, their effect on the connection and the body's
// length, and trailers. `this` is the message.

const { AnyHas } = require('internal/any_kind');
const {
  ArrayIsArray,
  ArrayJoin,
  ArrayMap,
  ArrayPush,
  MathFloor,
  ObjectHasOwn,
  ObjectKeys,
  ObjectValues,
  RegExpTest,
  SetAdd,
  StringToLowerCase,
  intact,
} = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { validateString } = require('internal/validators');
const { validateHeaderName, validateHeaderValue, hasBadCharacter, dateText } = require('node/http/fields');
const { Buffer } = require('node/buffer/buffer');
const { kOutHeaders, kUniqueHeaders } = require('node/http/outgoing_symbols');

const CLOSE = /(?:^|\W)close(?:$|\W)/i;
const CHUNKED = /(?:^|\W)chunked(?:$|\W)/i;

function _renderHeaders() {
  if (this._header) throw new codes.ERR_HTTP_HEADERS_SENT('render');
  const headers = {};
  for (const key in this[kOutHeaders] ?? {}) headers[this[kOutHeaders][key][0]] = this[kOutHeaders][key][1];
  return headers;
}

function _storeHeader(firstLine, headers) {
  const state = { connection: false, contLen: false, te: false, date: false, expect: false, trailer: false, header: firstLine };
  if (headers) {
    if (headers === this[kOutHeaders]) {
      for (const key in headers) addHeader(this, state, headers[key][0], headers[key][1], false);
    } else if (ArrayIsArray(headers)) {
      if (headers.length && ArrayIsArray(headers[0])) {
        for (const entry of intact(headers)) addHeader(this, state, entry[0], entry[1], true);
      } else {
        if (headers.length % 2 !== 0) throw new codes.ERR_INVALID_ARG_VALUE('headers', headers);
        for (let i = 0; i < headers.length; i += 2) addHeader(this, state, headers[i], headers[i + 1], true);
      }
    } else {
      for (const key in headers) if (ObjectHasOwn(headers, key)) addHeader(this, state, key, headers[key], true);
    }
  }
  let { header } = state;
  if (this.sendDate && !state.date) header += `Date: ${dateText()}\r\n`;
  // A response without a body is not chunked either.
  if (this.chunkedEncoding && (this.statusCode === 204 || this.statusCode === 304)) {
    this.chunkedEncoding = false;
    this.shouldKeepAlive = false;
  }
  if (this._removedConnection) {
    // The program removed the Connection header: the peer has to guess whether the connection stays open.
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
  // A message with a Trailer header must be chunked.
  if (this.chunkedEncoding !== true && state.trailer) throw new codes.ERR_HTTP_TRAILER_INVALID();
  this._header = `${header}\r\n`;
  this._headerSent = false;
  if (state.expect) this._send('');
}

function addHeader(message, state, key, value, isChecked) {
  if (isChecked) validateHeaderName(key);
  if (ArrayIsArray(value)) {
    const isOneLine =
      (value.length >= 2 && isCookie(key)) ||
      (message[kUniqueHeaders] == null ? undefined : AnyHas(message[kUniqueHeaders], StringToLowerCase(key)));
    if (!isOneLine) {
      for (const each of intact(value)) storeHeader(message, state, key, each, isChecked);
      return;
    }
    value = ArrayJoin(value, '; ');
  }
  storeHeader(message, state, key, value, isChecked);
}
const isDisposition = (key) => key.length === 19 && StringToLowerCase(key) === 'content-disposition';
const isCookie = (key) => key.length === 6 && StringToLowerCase(key) === 'cookie';

function storeHeader(message, state, key, value, isChecked) {
  if (isChecked) validateHeaderValue(key, value);
  // Its characters stand for bytes, such as those of a UTF-8 file name: they are decoded here, and encoded with the body.
  if (message._contentLength && isDisposition(key) && typeof value === 'string') value = `${Buffer.from(value, 'latin1')}`;
  state.header += `${key}: ${value}\r\n`;
  matchHeader(message, state, key, value);
}

function matchHeader(message, state, field, value) {
  if (field.length < 4 || field.length > 17) return;
  switch (StringToLowerCase(field)) {
    case 'connection':
      state.connection = true;
      message._removedConnection = false;
      if (RegExpTest(CLOSE, value)) message._last = true;
      else message.shouldKeepAlive = true;
      break;
    case 'transfer-encoding':
      state.te = true;
      message._removedTE = false;
      if (RegExpTest(CHUNKED, value)) message.chunkedEncoding = true;
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

function setHeader(name, value) {
  if (this._header) throw new codes.ERR_HTTP_HEADERS_SENT('set');
  validateHeaderName(name);
  validateHeaderValue(name, value);
  (this[kOutHeaders] ??= { __proto__: null })[StringToLowerCase(name)] = [name, value];
  return this;
}

function setHeaders(headers) {
  if (this._header) throw new codes.ERR_HTTP_HEADERS_SENT('set');
  if (!headers || ArrayIsArray(headers) || typeof headers.keys !== 'function' || typeof headers.get !== 'function') {
    throw new codes.ERR_INVALID_ARG_TYPE('headers', ['Headers', 'Map'], headers);
  }
  // Cookies arrive one by one and are set together.
  const cookies = [];
  for (const { 0: key, 1: value } of intact(headers)) {
    if (key === 'set-cookie') {
      if (ArrayIsArray(value)) ArrayPush(cookies, ...intact(value));
      else ArrayPush(cookies, value);
    } else {
      this.setHeader(key, value);
    }
  }
  if (cookies.length) this.setHeader('set-cookie', cookies);
  return this;
}

function appendHeader(name, value) {
  if (this._header) throw new codes.ERR_HTTP_HEADERS_SENT('append');
  validateHeaderName(name);
  validateHeaderValue(name, value);
  const field = StringToLowerCase(name);
  const headers = (this[kOutHeaders] ??= { __proto__: null });
  if (headers[field] === undefined) {
    headers[field] = [name, value];
  } else {
    if (!ArrayIsArray(headers[field][1])) headers[field][1] = [headers[field][1]];
    if (ArrayIsArray(value)) ArrayPush(headers[field][1], ...intact(value));
    else ArrayPush(headers[field][1], value);
  }
  return this;
}

function getHeader(name) {
  validateString(name, 'name');
  return this[kOutHeaders]?.[StringToLowerCase(name)]?.[1];
}
function getHeaderNames() {
  return ObjectKeys(this[kOutHeaders] ?? {});
}
function getRawHeaderNames() {
  return ArrayMap(ObjectValues(this[kOutHeaders] ?? {}), ({ 0: name }) => name);
}
function getHeaders() {
  const all = { __proto__: null };
  for (const key in this[kOutHeaders] ?? {}) all[key] = this[kOutHeaders][key][1];
  return all;
}
function hasHeader(name) {
  validateString(name, 'name');
  return this[kOutHeaders]?.[StringToLowerCase(name)] !== undefined;
}
function removeHeader(name) {
  validateString(name, 'name');
  if (this._header) throw new codes.ERR_HTTP_HEADERS_SENT('remove');
  const key = StringToLowerCase(name);
  if (key === 'connection') this._removedConnection = true;
  else if (key === 'content-length') this._removedContLen = true;
  else if (key === 'transfer-encoding') this._removedTE = true;
  else if (key === 'date') this.sendDate = false;
  if (this[kOutHeaders] !== null) delete this[kOutHeaders][key];
}

function addTrailers(headers) {
  this._trailer = '';
  const isArray = ArrayIsArray(headers);
  for (const key of intact(ObjectKeys(headers))) {
    const [field, value] = intact(isArray ? headers[key] : [key, headers[key]]);
    validateHeaderName(field, 'Trailer name');
    for (const each of intact(ArrayIsArray(value) ? value : [value])) {
      if (hasBadCharacter(each)) throw new codes.ERR_INVALID_CHAR('trailer content', field);
      this._trailer += `${field}: ${each}\r\n`;
    }
  }
}

/** The names of fields whose repeated values are joined instead of repeated. */
function parseUniqueHeaders(headers) {
  if (!ArrayIsArray(headers)) return null;
  const unique = new Set();
  for (const each of intact(headers)) {
    if (ArrayIsArray(each)) {
      if (each.length > 0) throw new codes.ERR_INVALID_ARG_VALUE('headers', headers);
    } else SetAdd(unique, StringToLowerCase(`${each}`));
  }
  return unique;
}

module.exports = {
  headMethods: {
    _renderHeaders,
    _storeHeader,
    setHeader,
    setHeaders,
    appendHeader,
    getHeader,
    getHeaderNames,
    getRawHeaderNames,
    getHeaders,
    hasHeader,
    removeHeader,
    addTrailers,
  },
  parseUniqueHeaders,
};
