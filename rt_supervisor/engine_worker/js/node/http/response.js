// @ts-check
'use strict';
// Owns: ServerResponse: its header, the informational responses before it (100, 102, 103), and its socket.

const { RegExpSplit } = require('internal/patterns');
const runtimeParts = require('internal/parts');
const {
  ArrayEvery,
  ArrayIsArray,
  ArrayJoin,
  ArrayMap,
  FunctionCall,
  ObjectEntries,
  ObjectKeys,
  ObjectSetPrototypeOf,
  RegExpTest,
  StringToLowerCase,
  StringTrim,
  intact,
} = require('internal/primordials');
const { OutgoingMessage } = require('node/http/outgoing');
const { kOutHeaders, kTimed } = require('node/http/outgoing_symbols');
const { STATUS_CODES } = require('node/http/status_codes');
const { hasBadCharacter, validateHeaderName, validateHeaderValue } = require('node/http/fields');
const { codes } = require('internal/errors/errors');
const { validateObject } = require('internal/validators');

function ServerResponse(request, options) {
  FunctionCall(OutgoingMessage, this, options);
  if (request.method === 'HEAD') this._hasBody = false;
  this.req = request;
  this.sendDate = true;
  this._sent100 = false;
  this._expect_continue = false;
  if (request.httpVersionMajor < 1 || request.httpVersionMinor < 1) {
    this.useChunkedEncodingByDefault = RegExpTest(CHUNKED, request.headers?.te);
    this.shouldKeepAlive = false;
  }
  runtimeParts.publish?.('http.server.response.created', { request, response: this });
  if (runtimeParts.timing === undefined) return;
  const { method, url, headers } = request;
  this[kTimed] = runtimeParts.timing.begin('http', 'HttpRequest', { req: { method, url, headers } });
}
ObjectSetPrototypeOf(ServerResponse.prototype, OutgoingMessage.prototype);
ObjectSetPrototypeOf(ServerResponse, OutgoingMessage);
const CHUNKED = /(?:^|\W)chunked(?:$|\W)/i;

ServerResponse.prototype._finish = function _finish() {
  if (this[kTimed] !== undefined) {
    const { statusCode, statusMessage } = this;
    this[kTimed]({ res: { statusCode, statusMessage, headers: this.getHeaders() } });
  }
  FunctionCall(OutgoingMessage.prototype._finish, this);
};
ServerResponse.prototype.statusCode = 200;
ServerResponse.prototype.statusMessage = undefined;

function onSocketClose() {
  // `this` is the socket. The message may have been detached in between.
  if (this._httpMessage) emitClose(this._httpMessage);
}
function emitClose(response) {
  response.destroyed = true;
  response._closed = true;
  response.emit('close');
}

ServerResponse.prototype.assignSocket = function assignSocket(socket) {
  if (socket._httpMessage) throw new codes.ERR_HTTP_SOCKET_ASSIGNED();
  socket._httpMessage = this;
  socket.on('close', onSocketClose);
  this.socket = socket;
  this.emit('socket', socket);
  this._flush();
};

ServerResponse.prototype.detachSocket = function detachSocket(socket) {
  socket.removeListener('close', onSocketClose);
  socket._httpMessage = null;
  this.socket = null;
};

ServerResponse.prototype.writeInformation = function writeInformation(status, headers, callback) {
  if (typeof headers === 'function') [headers, callback] = intact([undefined, headers]);
  if (this._header) throw new codes.ERR_HTTP_HEADERS_SENT('write');
  const code = status | 0;
  if (code < 100 || code > 199 || code === 101) throw new codes.ERR_HTTP_INVALID_STATUS_CODE(status);
  let head = `HTTP/1.1 ${code} ${STATUS_CODES[code] ?? 'unknown'}\r\n`;
  for (const { 0: name, 1: value } of intact(ObjectEntries(headers ?? {}))) {
    for (const each of intact(ArrayIsArray(value) ? value : [value])) {
      validateHeaderName(name);
      validateHeaderValue(name, each);
      head += `${name}: ${each}\r\n`;
    }
  }
  this._writeRaw(`${head}\r\n`, 'ascii', callback);
};
ServerResponse.prototype.writeContinue = function writeContinue(callback) {
  this._writeRaw('HTTP/1.1 100 Continue\r\n\r\n', 'ascii', callback);
  this._sent100 = true;
};
ServerResponse.prototype.writeProcessing = function writeProcessing(callback) {
  this._writeRaw('HTTP/1.1 102 Processing\r\n\r\n', 'ascii', callback);
};

const LINK = /^(?:<[^>]*>)(?:\s*;\s*[^;"\s]+(?:=(")?[^;"\s]*\1)?)*$/;
function checkLink(value) {
  const isLink =
    typeof value === 'string' &&
    value !== '' &&
    !hasBadCharacter(value) &&
    ArrayEvery(RegExpSplit(/,(?=\s*<)/, value), (each) => RegExpTest(LINK, StringTrim(each)));
  if (!isLink) {
    throw new codes.ERR_INVALID_ARG_VALUE(
      'hints',
      value,
      'must be an array or string of format "</styles.css>; rel=preload; as=style"',
    );
  }
  return value;
}

/** The Link header value for early hints; '' for none. */
function linksOf(link) {
  if (link === null || link === undefined) return '';
  return ArrayIsArray(link) ? ArrayJoin(ArrayMap(link, checkLink), ', ') : checkLink(link);
}

ServerResponse.prototype.writeEarlyHints = function writeEarlyHints(hints, callback) {
  validateObject(hints, 'hints');
  const links = linksOf(hints.link);
  if (links.length === 0) return;
  let head = `HTTP/1.1 103 Early Hints\r\nLink: ${links}\r\n`;
  for (const key of intact(ObjectKeys(hints))) {
    if (StringToLowerCase(key) === 'link') continue;
    validateHeaderName(key);
    validateHeaderValue(key, hints[key]);
    head += `${key}: ${hints[key]}\r\n`;
  }
  this._writeRaw(`${head}\r\n`, 'ascii', callback);
};

ServerResponse.prototype._implicitHeader = function _implicitHeader() {
  this.writeHead(this.statusCode);
};

ServerResponse.prototype.writeHead = function writeHead(statusCode, reason, obj) {
  if (this._header) throw new codes.ERR_HTTP_HEADERS_SENT('write');
  const original = statusCode;
  statusCode |= 0;
  if (statusCode < 100 || statusCode > 999) throw new codes.ERR_HTTP_INVALID_STATUS_CODE(original);
  if (typeof reason === 'string') {
    this.statusMessage = reason;
  } else {
    this.statusMessage ||= STATUS_CODES[statusCode] || 'unknown';
    obj ??= reason;
  }
  this.statusCode = statusCode;
  let headers;
  if (this[kOutHeaders]) {
    // Headers set before are merged with those given now.
    if (ArrayIsArray(obj)) {
      if (obj.length % 2 !== 0) throw new codes.ERR_INVALID_ARG_VALUE('headers', obj);
      for (let i = 0; i < obj.length; i += 2) if (obj[i]) this.removeHeader(obj[i]);
      for (let i = 0; i < obj.length; i += 2) if (obj[i]) this.appendHeader(obj[i], obj[i + 1]);
    } else if (obj) {
      for (let index = 0, list = ObjectKeys(obj); index < list.length; index++) {
        const key = list[index];
        if (key) this.setHeader(key, obj[key]);
      }
    }
    headers = this[kOutHeaders];
  } else {
    headers = obj;
  }
  if (hasBadCharacter(this.statusMessage)) throw new codes.ERR_INVALID_CHAR('statusMessage');
  if (statusCode === 204 || statusCode === 304 || (statusCode >= 100 && statusCode <= 199)) this._hasBody = false;
  // A client that expected 100 Continue and did not get it may still send its body, which must not be parsed as a request.
  if (this._expect_continue && !this._sent100) this.shouldKeepAlive = false;
  const firstLine = `HTTP/1.1 ${statusCode} ${this.statusMessage}\r\n`;
  this._storeHeader(firstLine, headers ?? null);
  return this;
};

module.exports = { ServerResponse, emitClose, linksOf };
