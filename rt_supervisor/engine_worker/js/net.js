'use strict';
// Owns: the exports of node:net.

const { isIP, isIPv4, isIPv6 } = require('./net_address');
const { Socket } = require('./net_socket');
const { Server } = require('./net_server');
const { normalized } = require('./net_arguments');
const connecting = require('./net_connect');

function connect(...args) {
  const [options, callback] = normalized(args);
  const socket = new Socket(options);
  if (options.timeout) socket.setTimeout(options.timeout);
  return socket.connect(...(callback === null ? [options] : [options, callback]));
}

module.exports = {
  _normalizeArgs: normalized,
  connect,
  createConnection: connect,
  createServer: (options, listener) => new Server(options, listener),
  isIP,
  isIPv4,
  isIPv6,
  Server,
  Socket,
  Stream: Socket,
  getDefaultAutoSelectFamily: () => connecting.settings.autoSelectFamily,
  setDefaultAutoSelectFamily: connecting.setAutoSelect,
  getDefaultAutoSelectFamilyAttemptTimeout: () => connecting.settings.attemptTimeoutMs,
  setDefaultAutoSelectFamilyAttemptTimeout: connecting.setAttemptTimeout,
};
for (const name of ['BlockList', 'SocketAddress']) {
  Object.defineProperty(module.exports, name, { enumerable: true, configurable: true, get: () => require('./net_blocklist')[name] });
}
