'use strict';
// Owns: ClientRequest: what is asked of whom, over a connection of an agent or of its own; the response; upgrades, CONNECT,
// interim answers; and what happens when either side goes.

const { ArrayIsArray, FunctionCall, ObjectAssign, RegExpTest, StringIndexOf } = require('internal/primordials');
const net = require('node/net/net');
const { HttpParser, KEEP_ALIVE } = require('internal/http_parser');
const { OutgoingMessage, kErrored, kOutHeaders, kNeedDrain, kUniqueHeaders, parseUniqueHeaders } = require('node/http/outgoing');
const { IncomingMessage, readStop } = require('node/http/incoming');
const { globalAgent } = require('node/http/agent');
const { isToken, maxHeaderSize } = require('node/http/common');
const { codes } = require('internal/errors/errors');
const { validateBoolean, validateFunction, validateInteger, validateNumber } = require('internal/validators');
const { nextTick } = require('internal/timers');

const { Buffer } = require('node/buffer/buffer');
const BAD_PATH = /[^\x21-\xff]/;
const kPath = Symbol('kPath');
const kReset = Symbol('reset');
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

const asBuffer = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function resetError(message) {
  const error = new Error(message);
  error.code = 'ECONNRESET';
  return error;
}

function validateHost(host, name) {
  if (host !== null && host !== undefined && typeof host !== 'string')
    throw new codes.ERR_INVALID_ARG_TYPE(`options.${name}`, ['string', 'undefined', 'null'], host);
  return host;
}

function ClientRequest(input, options, callback) {
  FunctionCall(OutgoingMessage, this);
  if (typeof input === 'string') input = require('node/url/url').urlToHttpOptions(new (require('web/url/class').URL)(input));
  else if (isUrl(input)) input = require('node/url/url').urlToHttpOptions(input);
  else {
    callback = options;
    options = input;
    input = null;
  }
  if (typeof options === 'function') {
    callback = options;
    options = input || {};
  } else {
    options = ObjectAssign(input || {}, options);
  }
  let { agent } = options;
  const defaultAgent = options._defaultAgent || globalAgent();
  if (agent === false) agent = new defaultAgent.constructor();
  else if (agent === null || agent === undefined) {
    if (typeof options.createConnection !== 'function') agent = defaultAgent;
  } else if (typeof agent.addRequest !== 'function') {
    throw new codes.ERR_INVALID_ARG_TYPE('options.agent', ['Agent-like Object', 'undefined', 'false'], agent);
  }
  this.agent = agent;
  const protocol = options.protocol || defaultAgent.protocol;
  const expectedProtocol = this.agent?.protocol ?? defaultAgent.protocol;
  if (options.path) {
    const path = String(options.path);
    if (RegExpTest(BAD_PATH, path)) throw new codes.ERR_UNESCAPED_CHARACTERS('Request path');
  }
  if (protocol !== expectedProtocol) throw new codes.ERR_INVALID_PROTOCOL(protocol, expectedProtocol);
  const defaultPort = options.defaultPort || this.agent?.defaultPort;
  const port = (options.port = options.port || defaultPort || 80);
  const hostName = (options.host =
    validateHost(options.hostname, 'hostname') || validateHost(options.host, 'host') || 'localhost');
  const setHost = options.setHost !== undefined ? Boolean(options.setHost) : options.setDefaultHeaders !== false;
  this._removedConnection = options.setDefaultHeaders === false;
  this._removedContLen = options.setDefaultHeaders === false;
  this._removedTE = options.setDefaultHeaders === false;
  this.socketPath = options.socketPath;
  if (options.timeout !== undefined) this.timeout = checkedTimeout(options.timeout, 'timeout');
  const { signal } = options;
  if (signal) require('node/stream/shared').addAbortSignal(signal, this);
  let { method } = options;
  if (method !== null && method !== undefined && typeof method !== 'string')
    throw new codes.ERR_INVALID_ARG_TYPE('options.method', 'string', method);
  if (method) {
    if (!isToken(method)) throw new codes.ERR_INVALID_HTTP_TOKEN('Method', method);
    method = this.method = method.toUpperCase();
  } else {
    method = this.method = 'GET';
  }
  const limit = options.maxHeaderSize;
  if (limit !== undefined) validateInteger(limit, 'maxHeaderSize', 0);
  this.maxHeaderSize = limit;
  const { insecureHTTPParser } = options;
  if (insecureHTTPParser !== undefined) validateBoolean(insecureHTTPParser, 'options.insecureHTTPParser');
  if (insecureHTTPParser) throw new codes.ERR_INVALID_ARG_VALUE('options.insecureHTTPParser', true, 'is not supported');
  this.insecureHTTPParser = insecureHTTPParser;
  if (options.joinDuplicateHeaders !== undefined) validateBoolean(options.joinDuplicateHeaders, 'options.joinDuplicateHeaders');
  this.joinDuplicateHeaders = options.joinDuplicateHeaders;
  this[kPath] = options.path || '/';
  if (callback) {
    validateFunction(callback, 'callback');
    this.once('response', callback);
  }
  this.useChunkedEncodingByDefault = !RegExpTest(/^(?:GET|HEAD|DELETE|OPTIONS|TRACE|CONNECT)$/, method);
  this._ended = false;
  this.res = null;
  this.aborted = false;
  this.timeoutCb = null;
  this.upgradeOrConnect = false;
  this.parser = null;
  this.maxHeadersCount = null;
  this.reusedSocket = false;
  this.host = hostName;
  this.protocol = protocol;
  if (this.agent) {
    // Connections that are not kept are closed after one request each, unless many share few of them.
    this.shouldKeepAlive =
      this.agent.keepAlive ||
      Boolean(this.agent.maxSockets !== Infinity && !Number.isFinite(this.agent.maxSockets) === false && this.agent.keepAlive);
    if (!this.agent.keepAlive) this.shouldKeepAlive = false;
  } else {
    this.shouldKeepAlive = false;
    this._last = true;
  }
  setHeaders(this, options, { setHost, hostName, port, defaultPort });
  this[kUniqueHeaders] = parseUniqueHeaders(options.uniqueHeaders);
  if (require('node/http/verbose').isOn()) require('node/http/verbose').watch(this, options);
  // Which way to the server.
  if (this.agent) {
    this.agent.addRequest(this, optsWithPath(this, options));
    return;
  }
  if (typeof options.createConnection === 'function') {
    let isCalled = false;
    const onCreate = (error, socket) => {
      if (isCalled) return;
      isCalled = true;
      if (error) nextTick(() => this.emit('error', error));
      else this.onSocket(socket);
    };
    try {
      const made = options.createConnection(optsWithPath(this, options), onCreate);
      if (made) onCreate(null, made);
    } catch (error) {
      onCreate(error);
    }
  } else {
    this.onSocket(net.createConnection(optsWithPath(this, options)));
  }
}
Object.setPrototypeOf(ClientRequest.prototype, OutgoingMessage.prototype);
Object.setPrototypeOf(ClientRequest, OutgoingMessage);

/** What the connection is made with: the signal is the request's alone. */
function optsWithPath(request, { signal, ...options }) {
  return request.socketPath ? { ...options, path: request.socketPath } : options;
}
const isUrl = (value) => Boolean(value?.href && value.protocol && value.auth === undefined && value.path === undefined);

function checkedTimeout(msecs, name) {
  validateNumber(msecs, name);
  if (msecs < 0 || !Number.isFinite(msecs)) throw new codes.ERR_OUT_OF_RANGE(name, 'a non-negative finite number', msecs);
  return Math.min(msecs, LONGEST_TIMEOUT_MS);
}

function setHeaders(request, options, { setHost, hostName, port, defaultPort }) {
  const isArray = ArrayIsArray(options.headers);
  if (!isArray) {
    if (options.headers) for (const key of Object.keys(options.headers)) request.setHeader(key, options.headers[key]);
    if (hostName && !request.getHeader('host') && setHost) {
      let host = hostName;
      // An address of version 6 stands in brackets.
      const first = StringIndexOf(host, ':');
      if (first !== -1 && host.includes(':', first + 1) && host[0] !== '[') host = `[${host}]`;
      if (port && +port !== defaultPort) host += `:${port}`;
      request.setHeader('Host', host);
    }
  }
  if (options.auth && !request.getHeader('Authorization')) {
    request.setHeader('Authorization', `Basic ${Buffer.from(options.auth).toString('base64')}`);
  }
  if (isArray || request.getHeader('expect')) {
    if (request._header) throw new codes.ERR_HTTP_HEADERS_SENT('render');
    const headers = isArray ? withDefaults(request, options, { setHost, hostName, port, defaultPort }) : request[kOutHeaders];
    request._storeHeader(`${request.method} ${request.path} HTTP/1.1\r\n`, headers);
  }
}

function withDefaults(request, options, { setHost, hostName, port, defaultPort }) {
  const { headers } = options;
  if (!setHost) return headers;
  const isNested = Array.isArray(headers[0]);
  const names = isNested ? headers.map(([name]) => name) : headers.filter((_, index) => index % 2 === 0);
  if (names.some((name) => `${name}`.toLowerCase() === 'host')) return headers;
  const host = `${hostName}${port && +port !== defaultPort ? `:${port}` : ''}`;
  return isNested ? [...headers, ['Host', host]] : [...headers, 'Host', host];
}

Object.defineProperty(ClientRequest.prototype, 'path', {
  __proto__: null,
  enumerable: true,
  configurable: true,
  get() {
    return this[kPath];
  },
  set(value) {
    const path = String(value);
    if (BAD_PATH.test(path)) throw new codes.ERR_UNESCAPED_CHARACTERS('Request path');
    this[kPath] = path;
  },
});

ClientRequest.prototype._finish = function _finish() {
  FunctionCall(OutgoingMessage.prototype._finish, this);
};
ClientRequest.prototype._implicitHeader = function _implicitHeader() {
  if (this._header) throw new codes.ERR_HTTP_HEADERS_SENT('render');
  this._storeHeader(`${this.method} ${this.path} HTTP/1.1\r\n`, this[kOutHeaders]);
};

ClientRequest.prototype.abort = function abort() {
  if (this.aborted) return;
  this.aborted = true;
  nextTick(() => this.emit('abort'));
  this.destroy();
};

ClientRequest.prototype.destroy = function destroy(error) {
  if (this.destroyed) return this;
  this.destroyed = true;
  // A response that is there goes with it.
  this.res?._dump();
  this[kErrored] = error;
  this.socket?.destroy(error);
  return this;
};

function emitClose(request) {
  request._closed = true;
  request.emit('close');
}

// --- the connection

/** One response of a connection, told by the parser; the receiver of `HttpParser.execute`. */
class Reading {
  constructor(request, socket, parser) {
    this.request = request;
    this.socket = socket;
    this.parser = parser;
    this.res = null;
    this.isUpgrade = false;
  }

  head(status, reason, version, rawHeaders, flags) {
    const { request, socket } = this;
    const response = new IncomingMessage(socket);
    const minor = version % 10;
    response.httpVersionMajor = (version - minor) / 10;
    response.httpVersionMinor = minor;
    response.httpVersion = `${response.httpVersionMajor}.${minor}`;
    response.joinDuplicateHeaders = request.joinDuplicateHeaders;
    const most = request.maxHeadersCount ?? 2000;
    if (most > 0 && rawHeaders.length > most * 2) rawHeaders.length = most * 2;
    response._addHeaderLines(rawHeaders, rawHeaders.length);
    response.statusCode = status;
    response.statusMessage = reason;
    if (request.res) {
      // A second answer to one question.
      socket.destroy();
      return;
    }
    if (status === 101 || (request.method === 'CONNECT' && status >= 200)) {
      response.upgrade = true;
      this.isUpgrade = true;
      this.res = response;
      request.res = response;
      return;
    }
    if (status < 200) {
      if (status === 100) request.emit('continue');
      request.emit('information', {
        statusCode: status,
        statusMessage: reason,
        httpVersion: response.httpVersion,
        httpVersionMajor: response.httpVersionMajor,
        httpVersionMinor: minor,
        headers: response.headers,
        rawHeaders,
      });
      this.isInterim = true;
      return;
    }
    this.res = response;
    request.res = response;
    if (request.shouldKeepAlive && !(flags & KEEP_ALIVE) && !request.upgradeOrConnect) request.shouldKeepAlive = false;
    response.req = request;
    response.upgrade = false;
    response.on('end', responseOnEnd);
    request.on('finish', requestOnFinish);
    if (request.timeoutCb) response.timeoutCb = request.timeoutCb;
    if (request.aborted || !request.emit('response', response)) response._dump();
    if (request.method === 'HEAD') this.isHead = true;
  }

  body(bytes) {
    const { res } = this;
    if (res === null || res._dumped) return;
    if (!res.push(asBuffer(bytes))) readStop(this.socket);
  }

  end(rawTrailers) {
    if (this.isInterim) {
      this.isInterim = false;
      return;
    }
    const { res } = this;
    if (res === null || res.upgrade) return;
    res.complete = true;
    if (rawTrailers !== undefined) res._addHeaderLines(rawTrailers, rawTrailers.length);
    res.push(null);
  }
}

function onDrainOfSocket() {
  const request = this._httpMessage;
  if (request && !request.finished && request[kNeedDrain]) {
    request[kNeedDrain] = false;
    request.emit('drain');
  }
}

function attach(request, socket) {
  const parser = new HttpParser(true, request.maxHeaderSize || maxHeaderSize());
  parser.answers(request.method);
  request.socket = socket;
  request.parser = parser;
  socket.parser = parser;
  socket._httpMessage = request;
  socket._paused = false;
  const reading = new Reading(request, socket, parser);
  const listeners = {
    data: (bytes) => onData(request, reading, bytes),
    end: () => onEnd(request, reading),
    close: () => onClose(request, reading),
    error: (error) => onError(request, reading, error),
  };
  request[kReset] = () => {
    for (const event in listeners) socket.removeListener(event, listeners[event]);
    socket.removeListener('drain', onDrainOfSocket);
    parser.free();
    socket.parser = null;
    request.parser = null;
  };
  for (const event in listeners) socket.on(event, listeners[event]);
  socket.on('drain', onDrainOfSocket);
  if (request.timeout !== undefined) listenTimeout(request);
  request.emit('socket', socket);
}

function onData(request, reading, bytes) {
  const { parser, socket } = reading;
  if (parser.isFreed) return;
  const stopped = parser.execute(bytes, reading);
  if (stopped === undefined) {
    if (reading.res?.complete && !parser.isFreed && reading.isAfter) readStop(socket);
    return;
  }
  if (stopped.isUpgrade) {
    giveAway(request, reading, bytes.subarray(stopped.offset));
    return;
  }
  if (reading.res?.complete) return; // bytes behind the answer: the connection is not kept
  const { error } = stopped;
  error.rawPacket = asBuffer(bytes);
  request[kReset]();
  socket.removeListener('error', noop);
  socket.on('error', noop);
  socket.destroy();
  emitError(request, error);
}
const noop = () => {};

function emitError(request, error) {
  if (request.isErrorTold) return;
  Object.defineProperty(request, 'isErrorTold', { __proto__: null, value: true, enumerable: false, configurable: true });
  request[kErrored] ??= error;
  request.emit('error', error);
}

function giveAway(request, reading, rest) {
  const { socket, res } = reading;
  request.upgradeOrConnect = true;
  res.req = request;
  request[kReset]();
  clearTimeoutOf(request, socket);
  const event = request.method === 'CONNECT' ? 'connect' : 'upgrade';
  if (request.listenerCount(event) > 0) {
    socket.readableFlowing = null;
    socket._httpMessage = null;
    // The agent has nothing to do with it any more.
    socket.emit('agentRemove');
    request.destroyed = true;
    res.complete = true;
    res._readableState.readingMore = false;
    res.push(null);
    if (rest.length === 0) request.emit(event, res, socket, Buffer.alloc(0));
    else request.emit(event, res, socket, asBuffer(rest));
    nextTick(emitClose, request);
  } else {
    socket.destroy();
  }
}

function onEnd(request, reading) {
  const { parser, socket } = reading;
  if (parser.isFreed) return;
  if (!request.res && !request.isErrorTold) {
    emitError(request, resetError('socket hang up'));
  }
  parser.finish(reading);
  socket.end();
}

function onClose(request, reading) {
  const { parser, socket } = reading;
  // What was read and is not told yet comes first.
  if (!parser.isFreed) parser.finish(reading);
  request.destroyed = true;
  const { res } = reading;
  if (res) {
    if (!res.complete) res.destroy(resetError('aborted'));
    request._closed = true;
    request.emit('close');
    if (!res.aborted && res.readable) res.push(null);
  } else {
    if (!request.isErrorTold) emitError(request, request[kErrored] ?? resetError('socket hang up'));
    request._closed = true;
    request.emit('close');
  }
  if (request.outputData) request.outputData.length = 0;
  request[kReset]?.();
  socket._httpMessage = null;
}

function onError(request, reading, error) {
  const { socket } = reading;
  if (request) emitError(request, error);
  if (!reading.parser.isFreed) reading.parser.finish(reading);
  socket.removeListener('data', noop);
  socket.destroy();
}

ClientRequest.prototype.onSocket = function onSocket(socket, error) {
  nextTick(() => {
    if (this.destroyed || error) {
      const failure = error ?? this[kErrored];
      if (!socket) {
        this.destroyed = true;
        emitError(this, failure ?? resetError('socket hang up'));
        nextTick(emitClose, this);
        return;
      }
      // Nobody needs it: others may.
      if (!this.agent && !socket.destroyed) socket.destroy(failure);
      else if (this.agent && !failure && !socket.destroyed) socket.emit('free');
      else {
        const wait = () => {};
        socket.on('error', wait);
        socket.destroy();
      }
      emitError(this, failure ?? resetError('socket hang up'));
      nextTick(emitClose, this);
      return;
    }
    attach(this, socket);
    this._flush();
  });
};

// --- the end of a response

function responseOnEnd() {
  const request = this.req;
  const { socket } = request;
  if (socket) clearTimeoutOf(request, socket);
  request._ended = true;
  if (!request.shouldKeepAlive) {
    if (socket?.writable) {
      if (typeof socket.destroySoon === 'function') socket.destroySoon();
      else socket.end();
    }
  } else if (request.writableFinished && !this.aborted) {
    responseOnFree(request);
  }
}

function requestOnFinish() {
  if (this.shouldKeepAlive && this._ended) responseOnFree(this);
}

/** Question and answer are over: the connection is free. */
function responseOnFree(request) {
  const { socket } = request;
  if (request.isFreed || socket === null) return;
  Object.defineProperty(request, 'isFreed', { __proto__: null, value: true, enumerable: false });
  socket.removeListener('drain', onDrainOfSocket);
  if (request.timeoutCb) {
    socket.setTimeout(0, request.timeoutCb);
    request.timeoutCb = null;
  }
  request[kReset]();
  if (!socket.destroyed && !socket._paused) socket.resume();
  request.destroyed = true;
  nextTick(emitFree, request, socket);
}

function emitFree(request, socket) {
  request._closed = true;
  request.emit('close');
  if (socket) {
    socket.emit('free');
    if (socket._httpMessage === request) socket._httpMessage = null;
  }
}

// --- settings of the connection

ClientRequest.prototype._deferToConnect = function _deferToConnect(method, args) {
  const call = () => {
    if (method) this.socket[method](...args);
    if (typeof args === 'function') args();
  };
  if (!this.socket)
    this.once('socket', (socket) => (socket.writable && !socket.connecting ? call() : socket.once('connect', call)));
  else if (this.socket.writable && !this.socket.connecting) call();
  else this.socket.once('connect', call);
};

function clearTimeoutOf(request, socket) {
  if (request.timeoutCb) {
    socket.removeListener('timeout', request.timeoutCb);
    request.timeoutCb = null;
    request.res?.removeListener?.('timeout', emitTimeout);
  }
  socket.removeListener('timeout', emitTimeout);
}
function emitTimeout() {
  const request = this._httpMessage;
  if (request) {
    request.emit('timeout');
    request.res?.emit('timeout');
  }
}

function listenTimeout(request) {
  if (request.timeoutCb) return;
  request.timeoutCb = emitTimeout;
  if (request.socket) request.socket.once('timeout', emitTimeout);
  else request.on('socket', (socket) => socket.once('timeout', emitTimeout));
}

ClientRequest.prototype.setTimeout = function setTimeout(msecs, callback) {
  if (this._ended) return this;
  listenTimeout(this);
  msecs = checkedTimeout(msecs, 'msecs');
  if (callback) this.once('timeout', callback);
  if (this.socket) setSocketTimeout(this.socket, msecs);
  else this.once('socket', (socket) => setSocketTimeout(socket, msecs));
  return this;
};
function setSocketTimeout(socket, msecs) {
  if (socket.connecting) socket.once('connect', () => socket.setTimeout(msecs));
  else socket.setTimeout(msecs);
}
ClientRequest.prototype.setNoDelay = function setNoDelay(noDelay) {
  this._deferToConnect('setNoDelay', [noDelay]);
};
ClientRequest.prototype.setSocketKeepAlive = function setSocketKeepAlive(enable, initialDelay) {
  this._deferToConnect('setKeepAlive', [enable, initialDelay]);
};
ClientRequest.prototype.clearTimeout = function clearTimeout(callback) {
  this.setTimeout(0, callback);
};

module.exports = { ClientRequest };
