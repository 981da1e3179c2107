'use strict';
// Owns: http.Server: its options, its connections, and their time limits. A connection is in node/http/server_connection.

const {
  DateNow,
  FunctionCall,
  MathMin,
  ObjectDefineProperty,
  ObjectSetPrototypeOf,
  ReflectApply,
  ReflectConstruct,
  SymbolFor,
  intact,
} = require('internal/primordials');
const net = require('node/net/net');
const { IncomingMessage } = require('node/http/incoming');
const { ServerResponse } = require('node/http/response');
const {
  Connection,
  kConnections,
  kServerResponse,
  kIncomingMessage,
  kOptimizeEmptyRequests,
} = require('node/http/server_connection');
const { parseUniqueHeaders } = require('node/http/outgoing_head');
const { kUniqueHeaders } = require('node/http/outgoing_symbols');
const { STATUS_CODES } = require('node/http/status_codes');
const { codes } = require('internal/errors/errors');
const { validateBoolean, validateFunction, validateInteger, validateObject } = require('internal/validators');
const { setInterval, clearInterval } = require('internal/timers');

const kConnectionsCheckingInterval = Symbol('http.server.connectionsCheckingInterval');
function Server(options, listener) {
  if (!(this instanceof Server)) return new Server(options, listener);
  const netOptions = {
    ...(typeof options === 'object' ? options : {}),
    allowHalfOpen: true,
    noDelay: options?.noDelay ?? true,
    highWaterMark: options?.highWaterMark,
  };
  // A legacy subclass calls this on an existing object.
  const server =
    new.target === undefined
      ? FunctionCall(net.Server, this, netOptions)
      : ReflectConstruct(net.Server, [netOptions], new.target);
  setUp(server, options, listener);
  return server;
}
ObjectSetPrototypeOf(Server.prototype, net.Server.prototype);
ObjectSetPrototypeOf(Server, net.Server);

/** Adds what an HTTP server needs beyond a net or tls server. */
function setUp(server, options, listener, event = 'connection') {
  if (typeof options === 'function') ({ 0: options, 1: listener } = [{}, options]);
  else if (options === null || options === undefined) options = {};
  else validateObject(options, 'options');
  storeOptions(server, options);
  if (listener) server.on('request', listener);
  server.on(event, connectionListener);
  server.httpAllowHalfOpen = false;
  server.timeout = 0;
  server.maxHeadersCount = null;
  server.maxRequestsPerSocket = 0;
  server[kUniqueHeaders] = parseUniqueHeaders(options.uniqueHeaders);
  ObjectDefineProperty(server, kConnections, { __proto__: null, value: new Set(), enumerable: false });
  server.on('listening', startChecking);
}

function storeOptions(server, options) {
  server[kIncomingMessage] = options.IncomingMessage || IncomingMessage;
  server[kServerResponse] = options.ServerResponse || ServerResponse;
  const { maxHeaderSize: limit, insecureHTTPParser } = options;
  if (limit !== undefined) validateInteger(limit, 'maxHeaderSize', 0);
  server.maxHeaderSize = limit;
  if (insecureHTTPParser !== undefined) validateBoolean(insecureHTTPParser, 'options.insecureHTTPParser');
  server.insecureHTTPParser = insecureHTTPParser;
  const duration = (name, usual) => {
    const value = options[name];
    if (value === undefined) return usual;
    validateInteger(value, name, 0);
    return value;
  };
  server.requestTimeout = duration('requestTimeout', 300_000);
  const headersTimeout = options.headersTimeout;
  server.headersTimeout = duration('headersTimeout', MathMin(60_000, server.requestTimeout || 60_000));
  if (
    headersTimeout !== undefined &&
    server.requestTimeout > 0 &&
    server.headersTimeout > 0 &&
    server.headersTimeout > server.requestTimeout
  ) {
    throw new codes.ERR_OUT_OF_RANGE('headersTimeout', '<= requestTimeout', headersTimeout);
  }
  server.keepAliveTimeout = duration('keepAliveTimeout', 5_000);
  server.keepAliveTimeoutBuffer = duration('keepAliveTimeoutBuffer', 1_000);
  server.connectionsCheckingInterval = duration('connectionsCheckingInterval', 30_000);
  server.requireHostHeader = boolean(options, 'requireHostHeader', true);
  server.joinDuplicateHeaders = boolean(options, 'joinDuplicateHeaders', undefined);
  server.rejectNonStandardBodyWrites = boolean(options, 'rejectNonStandardBodyWrites', false);
  server[kOptimizeEmptyRequests] = boolean(options, 'optimizeEmptyRequests', false);
  const { shouldUpgradeCallback } = options;
  if (shouldUpgradeCallback !== undefined) validateFunction(shouldUpgradeCallback, 'options.shouldUpgradeCallback');
  server.shouldUpgradeCallback =
    shouldUpgradeCallback ??
    function shouldUpgrade() {
      return server.listenerCount('upgrade') > 0;
    };
}

function boolean(options, name, usual) {
  const value = options[name];
  if (value === undefined) return usual;
  validateBoolean(value, `options.${name}`);
  return value;
}

// --- time limits of requests

function startChecking() {
  clearInterval(this[kConnectionsCheckingInterval]);
  this[kConnectionsCheckingInterval] = setInterval(
    () => checkConnections(this),
    this.connectionsCheckingInterval || 30_000,
  ).unref();
}

function checkConnections(server) {
  if (server.headersTimeout === 0 && server.requestTimeout === 0) return;
  const now = DateNow();
  for (const connection of intact(server[kConnections])) {
    if (!connection.isLate(now, server.headersTimeout, server.requestTimeout)) continue;
    connection.fail(new codes.ERR_HTTP_REQUEST_TIMEOUT());
  }
}

Server.prototype.close = function close() {
  stopChecking(this);
  ReflectApply(net.Server.prototype.close, this, arguments);
  return this;
};
function stopChecking(server) {
  clearInterval(server[kConnectionsCheckingInterval]);
  server.closeIdleConnections();
}
Server.prototype[Symbol.asyncDispose] = async function asyncDispose() {
  if (!this.listening) return;
  await new Promise((resolve, reject) => {
    this.close((error) => (error ? reject(error) : resolve()));
  });
};
Server.prototype.closeAllConnections = function closeAllConnections() {
  for (const connection of intact(this[kConnections] ?? [])) connection.socket.destroy();
};
Server.prototype.closeIdleConnections = function closeIdleConnections() {
  for (const connection of intact(this[kConnections] ?? [])) if (connection.isIdle) connection.socket.destroy();
};
Server.prototype.setTimeout = function setTimeout(msecs, callback) {
  this.timeout = msecs;
  if (callback) this.on('timeout', callback);
  return this;
};
Server.prototype[SymbolFor('nodejs.rejection')] = function onRejection(error, event, ...args) {
  if (event !== 'request') {
    net.Server.prototype[SymbolFor('nodejs.rejection')]?.apply(this, [error, event, ...intact(args)]);
    return;
  }
  const response = args[1];
  if (!response.headersSent && !response.writableEnded) {
    for (const name of intact(response.getHeaderNames())) response.removeHeader(name);
    response.statusCode = 500;
    response.end(STATUS_CODES[500]);
  } else {
    response.destroy();
  }
};

function connectionListener(socket) {
  new Connection(this, socket);
}

module.exports = { Server, setUp, connectionListener, stopChecking, kConnectionsCheckingInterval };
