'use strict';
// Owns: the exports of node:http.

const runtimeParts = require('internal/parts');
const { ObjectDefineProperty, intact } = require('internal/primordials');
const { METHODS } = require('node/http/methods');
const { STATUS_CODES } = require('node/http/status_codes');
const { validateHeaderName, validateHeaderValue, maxHeaderSize } = require('node/http/fields');
const { Agent, globalAgent, setGlobalAgent } = require('node/http/agent');
const { ClientRequest } = require('node/http/client');
const { IncomingMessage } = require('node/http/incoming');
const { OutgoingMessage } = require('node/http/outgoing');
const { ServerResponse } = require('node/http/response');
const { Server, connectionListener } = require('node/http/server');
const { validateInteger } = require('internal/validators');

function createServer(options, requestListener) {
  return new Server(options, requestListener);
}
function request(url, options, callback) {
  return new ClientRequest(url, options, callback);
}
function get(url, options, callback) {
  const clientRequest = request(url, options, callback);
  clientRequest.end();
  return clientRequest;
}

module.exports = {
  _connectionListener: connectionListener,
  METHODS,
  STATUS_CODES,
  Agent,
  ClientRequest,
  IncomingMessage,
  OutgoingMessage,
  Server,
  ServerResponse,
  createServer,
  validateHeaderName: (...args) => validateHeaderName(...intact(args)),
  validateHeaderValue: (...args) => validateHeaderValue(...intact(args)),
  get,
  request,
  setMaxIdleHTTPParsers(max) {
    validateInteger(max, 'max', 1);
    require('node/http/common_module').parsers.max = max;
  },
  setGlobalProxyFromEnv(env = runtimeParts.process.process.env) {
    return require('node/http/proxy').setGlobalProxy(env);
  },
};
const accessor = (name, get, set) =>
  ObjectDefineProperty(module.exports, name, { __proto__: null, get, set, enumerable: true, configurable: true });
accessor('maxHeaderSize', maxHeaderSize);
accessor('globalAgent', globalAgent, setGlobalAgent);
for (const name of intact(['WebSocket', 'CloseEvent', 'MessageEvent'])) accessor(name, () => globalThis[name]);
