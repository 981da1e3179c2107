'use strict';
// Owns: settings that a program applies to a request's connection, which may not exist yet.

const { intact } = require('internal/primordials');
const { listenTimeout } = require('node/http/client_connection');
const { durationFor } = require('internal/timer_delays');

function _deferToConnect(method, args) {
  const call = () => {
    if (method) this.socket[method](...intact(args));
    if (typeof args === 'function') args();
  };
  if (!this.socket)
    this.once('socket', (socket) => (socket.writable && !socket.connecting ? call() : socket.once('connect', call)));
  else if (this.socket.writable && !this.socket.connecting) call();
  else this.socket.once('connect', call);
}

function setTimeout(msecs, callback) {
  if (this._ended) return this;
  listenTimeout(this);
  msecs = durationFor(msecs, 'msecs');
  if (callback) this.once('timeout', callback);
  if (this.socket) setSocketTimeout(this.socket, msecs);
  else this.once('socket', (socket) => setSocketTimeout(socket, msecs));
  return this;
}

function setSocketTimeout(socket, msecs) {
  if (socket.connecting) socket.once('connect', () => socket.setTimeout(msecs));
  else socket.setTimeout(msecs);
}
function setNoDelay(noDelay) {
  this._deferToConnect('setNoDelay', [noDelay]);
}

function setSocketKeepAlive(enable, initialDelay) {
  this._deferToConnect('setKeepAlive', [enable, initialDelay]);
}

function clearTimeout(callback) {
  this.setTimeout(0, callback);
}

module.exports = { settingMethods: { _deferToConnect, setTimeout, setNoDelay, setSocketKeepAlive, clearTimeout } };
