'use strict';
// Owns: ClientRequest: a request over a connection of an agent or its own. Its header is in node/http/client_head, its
// connection settings in node/http/client_settings, response handling in node/http/client_connection.

const runtimeParts = require('internal/parts');
const {
  FunctionCall,
  NumberIsFinite,
  ObjectAssign,
  ObjectDefineProperty,
  ObjectSetPrototypeOf,
  RegExpTest,
  StringToUpperCase,
} = require('internal/primordials');
const net = require('node/net/net');
const { OutgoingMessage, parseUniqueHeaders } = require('node/http/outgoing');
const { kErrored, kOutHeaders, kTimed, kUniqueHeaders } = require('node/http/outgoing_symbols');
const { attach, kResource, emitClose, emitError, resetError } = require('node/http/client_connection');
const { setHeaders } = require('node/http/client_head');
const { settingMethods } = require('node/http/client_settings');
const { durationFor } = require('internal/timer_delays');
const { globalAgent, kProxyConfig } = require('node/http/agent');
const { isToken } = require('node/http/fields');
const { codes } = require('internal/errors/errors');
const { validateBoolean, validateFunction, validateInteger } = require('internal/validators');
const context = require('internal/async/context');
const { nextTick } = require('internal/timers');

const BAD_PATH = /[^\x21-\xff]/;
const kPath = Symbol('kPath');

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
  if (options.timeout !== undefined) this.timeout = durationFor(options.timeout, 'timeout');
  const { signal } = options;
  if (signal) require('node/stream/abort_signals').addAbortSignal(signal, this);
  let { method } = options;
  if (method !== null && method !== undefined && typeof method !== 'string')
    throw new codes.ERR_INVALID_ARG_TYPE('options.method', 'string', method);
  if (method) {
    if (!isToken(method)) throw new codes.ERR_INVALID_HTTP_TOKEN('Method', method);
    method = this.method = StringToUpperCase(method);
  } else {
    method = this.method = 'GET';
  }
  const limit = options.maxHeaderSize;
  if (limit !== undefined) validateInteger(limit, 'maxHeaderSize', 0);
  this.maxHeaderSize = limit;
  const { insecureHTTPParser } = options;
  if (insecureHTTPParser !== undefined) validateBoolean(insecureHTTPParser, 'options.insecureHTTPParser');
  this.insecureHTTPParser = insecureHTTPParser;
  if (options.joinDuplicateHeaders !== undefined) validateBoolean(options.joinDuplicateHeaders, 'options.joinDuplicateHeaders');
  this.joinDuplicateHeaders = options.joinDuplicateHeaders;
  this[kPath] = options.path || '/';
  if (callback) {
    validateFunction(callback, 'callback');
    this.once('response', callback);
  }
  this.useChunkedEncodingByDefault = !RegExpTest(/^(?:GET|HEAD|DELETE|OPTIONS|TRACE|CONNECT)$/, method);
  if (context.isUsed) this[kResource] = context.initResource({ type: 'HTTPINCOMINGMESSAGE', req: this }, 'HTTPCLIENTREQUEST');
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
    // Without `keepAlive` a connection serves one request, unless `maxSockets` makes requests wait for it.
    this.shouldKeepAlive = Boolean(this.agent.keepAlive) || NumberIsFinite(this.agent.maxSockets);
    this._last = !this.shouldKeepAlive;
  } else {
    this.shouldKeepAlive = false;
    this._last = true;
  }
  const proxy = this.agent?.[kProxyConfig];
  const isRewritten = Boolean(proxy) && protocol === 'http:' && proxy.serves(options);
  setHeaders(this, options, { setHost, hostName, port, defaultPort, proxy: isRewritten ? proxy : undefined });
  this[kUniqueHeaders] = parseUniqueHeaders(options.uniqueHeaders);
  if (require('node/http/verbose').isOn()) require('node/http/verbose').watch(this, options);
  runtimeParts.publish?.('http.client.request.created', { request: this });
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
      const socket = options.createConnection(optsWithPath(this, options), onCreate);
      if (socket) onCreate(null, socket);
    } catch (error) {
      onCreate(error);
    }
  } else {
    this.onSocket(net.createConnection(optsWithPath(this, options)));
  }
}
ObjectSetPrototypeOf(ClientRequest.prototype, OutgoingMessage.prototype);
ObjectSetPrototypeOf(ClientRequest, OutgoingMessage);
ObjectAssign(ClientRequest.prototype, settingMethods);

/** The connection's options, without the request's signal. `path` is the socket's; an agent replaces it with its own. */
function optsWithPath(request, { signal, ...options }) {
  return { ...options, path: request.socketPath || (request.agent ? options.path : undefined) };
}
const isUrl = (value) => Boolean(value?.href && value.protocol && value.auth === undefined && value.path === undefined);

ObjectDefineProperty(ClientRequest.prototype, 'path', {
  __proto__: null,
  enumerable: true,
  configurable: true,
  get() {
    return this[kPath];
  },
  set(value) {
    const path = String(value);
    if (RegExpTest(BAD_PATH, path)) throw new codes.ERR_UNESCAPED_CHARACTERS('Request path');
    this[kPath] = path;
  },
});

ClientRequest.prototype._finish = function _finish() {
  FunctionCall(OutgoingMessage.prototype._finish, this);
  runtimeParts.publish?.('http.client.request.start', { request: this });
  if (runtimeParts.timing === undefined) return;
  const req = { method: this.method, url: `${this.protocol}//${this.host}${this.path}`, headers: this.getHeaders() };
  this[kTimed] = runtimeParts.timing.begin('http', 'HttpClient', { req });
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
  // A response that has arrived is discarded as well.
  this.res?._dump();
  this[kErrored] = error;
  this.socket?.destroy(error);
  return this;
};

// --- the connection

ClientRequest.prototype.onSocket = function onSocket(socket, error) {
  nextTick(() => {
    if (this.destroyed || error) {
      giveUp(this, socket, error ?? undefined);
      return;
    }
    attach(this, socket);
    this._flush();
  });
};

/** Ends a request that was destroyed or got no connection; a connection that it does not need may serve another. */
function giveUp(request, socket, error) {
  const end = (failure) => {
    if (failure?.proxyTunnelTimeout) request.emit('timeout');
    request.destroyed = true;
    if (failure === undefined && !request.aborted) failure = resetError('socket hang up');
    if (failure !== undefined) emitError(request, failure);
    emitClose(request);
  };
  const failure = error ?? socket?.errored ?? request[kErrored] ?? undefined;
  if (socket && !error && request.agent && !socket.destroyed) socket.emit('free');
  else if (socket) {
    socket.on('error', () => {});
    socket.destroy(failure);
    nextTick(end, failure);
    return;
  }
  end(failure);
}

module.exports = { ClientRequest };
