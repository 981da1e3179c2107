'use strict';
// Owns: node:https: node:http over TLS connections; the agent caches TLS sessions for later connections.

const { defineLazily } = require('internal/lazy');
const {
  ArrayFind,
  ArrayIndexOf,
  ArrayIsArray,
  ArrayPush,
  ArrayShift,
  ArraySplice,
  FunctionCall,
  JSONStringify,
  ObjectAssign,
  ObjectSetPrototypeOf,
  ReflectApply,
  ReflectConstruct,
  StringIncludes,
  intact,
} = require('internal/primordials');
const tls = require('node/tls/tls');
const { Agent: HttpAgent, kProxyConfig } = require('node/http/agent');
const { ClientRequest } = require('node/http/client');
const { Server: HttpServer, setUp, stopChecking } = require('node/http/server');
const { validateObject } = require('internal/validators');

function Server(options, listener) {
  if (!(this instanceof Server)) return new Server(options, listener);
  let settings = {};
  if (typeof options === 'function') listener = options;
  else if (options === null || options === undefined) settings = {};
  else {
    validateObject(options, 'options');
    settings = { ...options };
  }
  // Clients that offer several protocols by ALPN are answered with this one.
  if (!settings.ALPNProtocols && !settings.ALPNCallback) settings.ALPNProtocols = ['http/1.1'];
  const server = ReflectConstruct(tls.Server, [{ ...settings, noDelay: settings.noDelay ?? true }], new.target ?? Server);
  setUp(server, settings, listener, 'secureConnection');
  server.on('tlsClientError', (error, socket) => {
    if (!server.emit('clientError', error, socket)) socket.destroy(error);
  });
  return server;
}
ObjectSetPrototypeOf(Server.prototype, tls.Server.prototype);
ObjectSetPrototypeOf(Server, tls.Server);
for (const name of intact(['closeAllConnections', 'closeIdleConnections', 'setTimeout']))
  Server.prototype[name] = HttpServer.prototype[name];
Server.prototype.close = function close() {
  stopChecking(this);
  ReflectApply(tls.Server.prototype.close, this, arguments);
  return this;
};
Server.prototype[Symbol.asyncDispose] = HttpServer.prototype[Symbol.asyncDispose];

// --- client

function createConnection(...args) {
  let options = {};
  if (args[0] !== null && typeof args[0] === 'object') options = { ...args[0] };
  else if (args[1] !== null && typeof args[1] === 'object') options = { ...args[1] };
  else if (args[2] !== null && typeof args[2] === 'object') options = { ...args[2] };
  if (typeof args[0] === 'number') options.port = args[0];
  if (typeof args[1] === 'string') options.host = args[1];
  if (options._agentKey) {
    const session = this._getSession(options._agentKey);
    if (session) options = { session, ...options };
  }
  const proxy = this[kProxyConfig];
  if (!proxy || !proxy.serves(options)) return connectSecurely(this, options);
  const done = ArrayFind(args, (each) => typeof each === 'function');
  connectThrough(this, proxy, options, done);
  return undefined;
}

function connectSecurely(agent, options) {
  const socket = tls.connect(options);
  if (options._agentKey) {
    socket.on('session', (session) => agent._cacheSession(options._agentKey, session));
    socket.once('close', (hadError) => {
      if (hadError) agent._evictSession(options._agentKey);
    });
  }
  return socket;
}

/** Connects through a proxy tunnel, then calls `done(error, socket)`. */
function connectThrough(agent, proxy, options, done) {
  const { host: name, port = agent.defaultPort } = options;
  const keeps = agent.keepAlive || agent.maxSockets !== Infinity;
  const lines = `${proxy.auth === undefined ? '' : `proxy-authorization: ${proxy.auth}\r\n`}${keeps ? 'proxy-connection: keep-alive\r\n' : ''}`;
  const endpoint = `${StringIncludes(name, ':') ? `[${name}]` : name}:${port}`;
  const socket = proxy.connect();
  const fail = (error) => done(error);
  socket.once('error', fail);
  socket.once(proxy.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
    socket.off('error', fail);
    const { openTunnel } = require('node/http/tunnel');
    openTunnel(socket, { endpoint, lines, via: proxy.href, timeoutMs: options.timeout }, (error) => {
      if (error) done(error);
      else done(null, connectSecurely(agent, { ...options, socket }));
    });
  });
}

function Agent(options) {
  if (!(this instanceof Agent)) return new Agent(options);
  options = { __proto__: null, ...options };
  ReflectApply(HttpAgent, this, [{ ...options, protocol: 'https:' }]);
  this.options = { __proto__: null, noDelay: true, ...options, path: null };
  this.defaultPort = 443;
  this.protocol = 'https:';
  this.maxCachedSessions = this.options.maxCachedSessions ?? 100;
  this._sessionCache = { map: {}, list: [] };
}
ObjectSetPrototypeOf(Agent.prototype, HttpAgent.prototype);
ObjectSetPrototypeOf(Agent, HttpAgent);
Agent.prototype.createConnection = createConnection;

const PARTS = [
  'ca',
  'cert',
  'clientCertEngine',
  'ciphers',
  'key',
  'pfx',
  'rejectUnauthorized',
  'servername',
  'minVersion',
  'maxVersion',
  'secureProtocol',
  'crl',
  'honorCipherOrder',
  'ecdhCurve',
  'dhparam',
  'secureOptions',
  'sessionIdContext',
  'sigalgs',
  'privateKeyIdentifier',
  'privateKeyEngine',
];
/** The pool key of connection options: a request may use any connection with the same key. */
Agent.prototype.getName = function getName(options = {}) {
  let name = FunctionCall(HttpAgent.prototype.getName, this, options);
  for (const part of intact(PARTS)) {
    name += ':';
    const value = options[part];
    if (part === 'servername') {
      if (value && value !== options.host) name += value;
    } else if (part === 'rejectUnauthorized' || part === 'honorCipherOrder' || part === 'secureOptions') {
      if (value !== undefined) name += value;
    } else if (part === 'sigalgs') {
      if (value) name += JSONStringify(value);
    } else if (part === 'pfx' && ArrayIsArray(value)) {
      for (const each of intact(value)) name += JSONStringify(each);
    } else if (value) name += value;
  }
  return name;
};
Agent.prototype._getSession = function _getSession(key) {
  return this._sessionCache.map[key];
};
Agent.prototype._cacheSession = function _cacheSession(key, session) {
  if (this.maxCachedSessions === 0) return;
  const { map, list } = this._sessionCache;
  if (map[key] === undefined) {
    if (list.length >= this.maxCachedSessions) delete map[ArrayShift(list)];
    ArrayPush(list, key);
  }
  map[key] = session;
};
Agent.prototype._evictSession = function _evictSession(key) {
  const { map, list } = this._sessionCache;
  const index = ArrayIndexOf(list, key);
  if (index === -1) return;
  ArraySplice(list, index, 1);
  delete map[key];
};

const makeGlobalAgent = () =>
  new Agent({ keepAlive: true, scheduling: 'lifo', timeout: 5000, proxyEnv: require('node/http/proxy').environmentOfAgents() });

function request(...args) {
  let options = {};
  if (typeof args[0] === 'string')
    options = require('node/url/url').urlToHttpOptions(new (require('web/url/class').URL)(ArrayShift(args)));
  else if (args[0]?.href && args[0].protocol && args[0].auth === undefined)
    options = require('node/url/url').urlToHttpOptions(ArrayShift(args));
  if (args[0] && typeof args[0] !== 'function') ObjectAssign(options, ArrayShift(args));
  options._defaultAgent = exported.globalAgent;
  return new ClientRequest(options, ...intact(args));
}
function get(input, options, callback) {
  const clientRequest = request(input, options, callback);
  clientRequest.end();
  return clientRequest;
}
function createServer(options, requestListener) {
  return new Server(options, requestListener);
}

const exported = { Agent, Server, createServer, get, request };
defineLazily(exported, 'globalAgent', makeGlobalAgent);
module.exports = exported;
