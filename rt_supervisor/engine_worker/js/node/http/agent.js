'use strict';
// Owns: Agent: a pool of connections by target, kept for later requests and limited in number; further requests are queued.

const { AnyIncludes, AnyIndexOf, AnySlice } = require('internal/any_kind');
const {
  ArrayPop,
  ArrayPush,
  ArrayShift,
  ArraySplice,
  FunctionCall,
  NumberIsFinite,
  NumberParseInt,
  ObjectKeys,
  ObjectSetPrototypeOf,
  RegExpExec,
  StringSplit,
  StringStartsWith,
  intact,
} = require('internal/primordials');
const EventEmitter = require('node/events/events');
const net = require('node/net/net');
const { validateNumber, validateOneOf, validateString } = require('internal/validators');

const kRequestOptions = Symbol('requestOptions');
const kOnKeylog = Symbol('onkeylog');
const kProxyConfig = Symbol('kProxyConfig'); // null or undefined without a proxy

function freeSocketErrorListener() {
  this.destroy();
  this.emit('agentRemove');
}

function Agent(options) {
  if (!(this instanceof Agent)) return new Agent(options);
  FunctionCall(EventEmitter, this);
  this.options = { __proto__: null, ...options };
  if (this.options.noDelay === undefined) this.options.noDelay = true;
  // Agents connect to hosts, not to paths.
  this.options.path = null;
  this.defaultPort = 80;
  this.protocol = 'http:';
  this.requests = { __proto__: null };
  this.sockets = { __proto__: null };
  this.freeSockets = { __proto__: null };
  this.keepAliveMsecs = this.options.keepAliveMsecs || 1000;
  this.keepAlive = this.options.keepAlive || false;
  this.maxSockets = this.options.maxSockets || Agent.defaultMaxSockets;
  this.maxFreeSockets = this.options.maxFreeSockets || 256;
  this.scheduling = this.options.scheduling || 'lifo';
  this.maxTotalSockets = this.options.maxTotalSockets;
  this.totalSocketCount = 0;
  this.agentKeepAliveTimeoutBuffer =
    typeof this.options.agentKeepAliveTimeoutBuffer === 'number' &&
    this.options.agentKeepAliveTimeoutBuffer >= 0 &&
    NumberIsFinite(this.options.agentKeepAliveTimeoutBuffer)
      ? this.options.agentKeepAliveTimeoutBuffer
      : 1000;
  validateOneOf(this.scheduling, 'scheduling', ['fifo', 'lifo']);
  if (this.maxTotalSockets !== undefined) validateNumber(this.maxTotalSockets, 'maxTotalSockets', 1);
  else this.maxTotalSockets = Infinity;
  const { proxyEnv } = this.options;
  if (typeof proxyEnv === 'object' && proxyEnv !== null)
    this[kProxyConfig] = require('node/http/proxy').configOf(proxyEnv, this.options.protocol ?? 'http:');
  this.on('free', (socket, place) => onFree(this, socket, place));
  this.on('newListener', handleKeylogListener);
}
ObjectSetPrototypeOf(Agent.prototype, EventEmitter.prototype);
ObjectSetPrototypeOf(Agent, EventEmitter);
Agent.defaultMaxSockets = Infinity;

/** A 'keylog' listener receives the keys of all the agent's connections, existing and new. */
function handleKeylogListener(event) {
  if (event !== 'keylog' || this[kOnKeylog] !== undefined) return;
  const agent = this;
  function onKeys(line) {
    agent.emit('keylog', line, this);
  }
  this[kOnKeylog] = onKeys;
  for (const sockets of intact([this.sockets, this.freeSockets]))
    for (const name of intact(ObjectKeys(sockets)))
      for (const socket of intact(sockets[name])) socket.on('keylog', this[kOnKeylog]);
}

/** Handles a free connection: assigns it to a queued request, keeps it, or destroys it. */
function onFree(agent, socket, place) {
  const name = agent.getName(place);
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const waiting = agent.requests[name];
  if (waiting?.length) {
    const request = ArrayShift(waiting);
    const isWritable = socket._httpMessage === undefined || socket._httpMessage === null;
    setRequestSocket(agent, request, socket);
    if (waiting.length === 0) delete agent.requests[name];
    return isWritable;
  }
  // The request or the agent does not keep connections alive.
  const request = socket._httpMessage;
  if (!request?.shouldKeepAlive || !agent.keepAlive) {
    socket.destroy();
    return undefined;
  }
  const free = agent.freeSockets[name] || [];
  const count = free.length + (agent.sockets[name]?.length ?? 0);
  if (
    agent.totalSocketCount > agent.maxTotalSockets ||
    count > agent.maxSockets ||
    free.length >= agent.maxFreeSockets ||
    !agent.keepSocketAlive(socket)
  ) {
    socket.destroy();
    return undefined;
  }
  agent.freeSockets[name] = free;
  socket._httpMessage = null;
  agent.removeSocket(socket, place);
  socket.once('error', freeSocketErrorListener);
  ArrayPush(free, socket);
  return undefined;
}

Agent.prototype.createConnection = function createConnection(...args) {
  const proxy = this[kProxyConfig];
  if (proxy && typeof args[0] === 'object' && args[0] !== null && proxy.serves(args[0])) return proxy.connect();
  return net.createConnection(...intact(args));
};

Agent.prototype.getName = function getName(options = {}) {
  let name = options.host || 'localhost';
  name += ':';
  if (options.port) name += options.port;
  name += ':';
  if (options.localAddress) name += options.localAddress;
  // Only an explicit family: without one, a connection to either kind of address will do.
  if (options.family === 4 || options.family === 6) name += `:${options.family}`;
  if (options.socketPath) name += `:${options.socketPath}`;
  return name;
};

Agent.prototype.addRequest = function addRequest(request, options, port, localAddress) {
  if (typeof options === 'string') options = { __proto__: null, host: options, port, localAddress };
  options = { __proto__: null, ...options, ...this.options };
  if (options.socketPath) options.path = options.socketPath;
  normalizeServerName(options, request);
  const name = this.getName(options);
  this.sockets[name] ||= [];
  const free = this.freeSockets[name];
  let socket;
  if (free) {
    while (free.length && free[0].destroyed) ArrayShift(free);
    socket = this.scheduling === 'fifo' ? ArrayShift(free) : ArrayPop(free);
    if (free.length === 0) delete this.freeSockets[name];
  }
  const count = (free ? free.length : 0) + this.sockets[name].length;
  if (socket) {
    this.reuseSocket(socket, request);
    setRequestSocket(this, request, socket);
    ArrayPush(this.sockets[name], socket);
  } else if (count < this.maxSockets && this.totalSocketCount < this.maxTotalSockets) {
    this.createSocket(request, options, (error, made) => {
      if (error) request.onSocket(made, error);
      else setRequestSocket(this, request, made);
    });
  } else {
    ArrayPush((this.requests[name] ||= []), request);
    request[kRequestOptions] = options;
  }
};

Agent.prototype.createSocket = function createSocket(request, options, callback) {
  options = { __proto__: null, ...options, ...this.options };
  if (options.socketPath) options.path = options.socketPath;
  normalizeServerName(options, request);
  const timeout = request.timeout || this.options.timeout;
  if (timeout) options.timeout = timeout;
  options._agentKey = this.getName(options); // node:https caches TLS sessions under this key
  options.encoding = null;
  if (this.keepAlive) {
    options.keepAlive = true;
    options.keepAliveInitialDelay = this.keepAliveMsecs;
  }
  let isCalled = false;
  const onCreate = (error, socket) => {
    if (isCalled) return;
    isCalled = true;
    if (error) {
      callback(error);
      return;
    }
    ArrayPush((this.sockets[options._agentKey] ||= []), socket);
    this.totalSocketCount++;
    installListeners(this, socket, options);
    callback(null, socket);
  };
  const socket = this.createConnection(options, onCreate);
  if (socket && typeof socket.then !== 'function') onCreate(null, socket);
};

function normalizeServerName(options, request) {
  if (options.servername || options.servername === '') return;
  options.servername = options.host;
  const host = request.getHeader?.('host');
  if (host) {
    validateString(host, 'options.headers.host');
    options.servername = StringStartsWith(host, '[') ? AnySlice(host, 1, AnyIndexOf(host, ']')) : StringSplit(host, ':', 1)[0];
  }
  if (net.isIP(options.servername)) options.servername = '';
}

function installListeners(agent, socket, options) {
  const onFreed = () => {
    agent.emit('free', socket, options);
  };
  const onClose = () => {
    agent.totalSocketCount--;
    agent.removeSocket(socket, options);
  };
  const onTimeout = () => {
    // Connections without a request are destroyed.
    for (const name of intact(ObjectKeys(agent.freeSockets))) {
      if (AnyIncludes(agent.freeSockets[name], socket)) {
        socket.destroy();
        return;
      }
    }
  };
  const onRemove = () => {
    agent.totalSocketCount--;
    agent.removeSocket(socket, options);
    socket.removeListener('close', onClose);
    socket.removeListener('free', onFreed);
    socket.removeListener('timeout', onTimeout);
    socket.removeListener('agentRemove', onRemove);
  };
  if (agent[kOnKeylog] !== undefined) socket.on('keylog', agent[kOnKeylog]);
  socket.on('free', onFreed);
  socket.on('close', onClose);
  socket.on('timeout', onTimeout);
  socket.on('agentRemove', onRemove);
}

Agent.prototype.removeSocket = function removeSocket(socket, options) {
  const name = this.getName(options);
  const lists = [this.sockets];
  if (!socket.writable) ArrayPush(lists, this.freeSockets);
  for (let at = 0; at < lists.length; at++) {
    const sockets = lists[at];
    const index = (sockets[name] == null ? undefined : AnyIndexOf(sockets[name], socket)) ?? -1;
    if (index === -1) continue;
    ArraySplice(sockets[name], index, 1);
    if (sockets[name].length === 0) delete sockets[name];
  }
  let request = this.requests[name]?.length ? this.requests[name][0] : undefined;
  if (request === undefined) {
    // The limit may be the total: a request queued for another target can proceed.
    const other = ObjectKeys(this.requests)[0];
    if (other !== undefined && !this.sockets[other]?.length) request = this.requests[other][0];
  }
  if (request && request[kRequestOptions]) {
    // The total may then exceed the limit by one: the next connection that becomes free is destroyed instead of kept.
    const place = request[kRequestOptions];
    request[kRequestOptions] = undefined;
    this.createSocket(request, place, (error, made) => {
      if (error) request.onSocket(made, error);
      else made.emit('free');
    });
  }
};

Agent.prototype.keepSocketAlive = function keepSocketAlive(socket) {
  socket.setKeepAlive(true, this.keepAliveMsecs);
  socket.unref();
  let timeout = this.options.timeout || 0;
  const hint = socket._httpMessage?.res?.headers['keep-alive'];
  if (hint) {
    const seconds = RegExpExec(/^timeout=(\d+)/, hint)?.[1];
    if (seconds !== undefined) {
      // Close before the server does: a request sent to a closing connection is lost.
      const serverMs = NumberParseInt(seconds) * 1000 - this.agentKeepAliveTimeoutBuffer;
      if (serverMs <= 0) return false;
      if (timeout === 0 || serverMs < timeout) timeout = serverMs;
    }
  }
  if (socket.timeout !== timeout) socket.setTimeout(timeout);
  return true;
};

Agent.prototype.reuseSocket = function reuseSocket(socket, request) {
  socket.removeListener('error', freeSocketErrorListener);
  request.reusedSocket = true;
  socket.ref();
};

Agent.prototype.destroy = function destroy() {
  for (const set of intact([this.freeSockets, this.sockets])) {
    for (const key of intact(ObjectKeys(set))) for (const socket of intact([...intact(set[key])])) socket.destroy();
  }
};

function setRequestSocket(agent, request, socket) {
  request.onSocket(socket);
  const agentTimeout = agent.options.timeout || 0;
  if (request.timeout === undefined || request.timeout === agentTimeout) return;
  socket.setTimeout(request.timeout);
}

const globals = { agent: undefined };
const globalAgent = () =>
  (globals.agent ??= new Agent({
    keepAlive: true,
    scheduling: 'lifo',
    timeout: 5000,
    proxyEnv: require('node/http/proxy').environmentOfAgents(),
  }));
const setGlobalAgent = (agent) => {
  globals.agent = agent;
};

module.exports = { Agent, globalAgent, kProxyConfig, setGlobalAgent };
