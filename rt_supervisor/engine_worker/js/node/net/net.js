'use strict';
// Owns: the exports of node:net.

const { ObjectDefineProperty, intact } = require('internal/primordials');
const { isIP, isIPv4, isIPv6 } = require('node/net/address');
const { Socket } = require('node/net/socket');
const { Server } = require('node/net/server');
const { normalizeArgs } = require('node/net/arguments');
const connecting = require('node/net/connect');

function connect(...args) {
  const normalized = normalizeArgs(args);
  const { 0: options } = normalized;
  const socket = new Socket(options);
  if (options.timeout) socket.setTimeout(options.timeout);
  return socket.connect(normalized); // as one array, which programs that replace `connect` inspect
}

module.exports = {
  _normalizeArgs: normalizeArgs,
  connect,
  createConnection: connect,
  createServer: (options, listener) => new Server(options, listener),
  isIP,
  isIPv4,
  isIPv6,
  Server,
  Socket,
  Stream: Socket,
  getDefaultAutoSelectFamily: () => connecting.autoSelects(),
  setDefaultAutoSelectFamily: connecting.setAutoSelect,
  getDefaultAutoSelectFamilyAttemptTimeout: () => connecting.attemptTimeout(),
  setDefaultAutoSelectFamilyAttemptTimeout: connecting.setAttemptTimeout,
};
for (const name of intact(['BlockList', 'SocketAddress'])) {
  ObjectDefineProperty(module.exports, name, {
    __proto__: null,
    enumerable: true,
    configurable: true,
    get: () => require('node/net/blocklist')[name],
  });
}
