'use strict';
// Owns: TLS 1.2 renegotiation: requesting one, and a server's limit.

const { DateNow, intact } = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { nextTick } = require('internal/timers');
const { validateFunction, validateObject } = require('internal/validators');

const kIsDisabled = Symbol('disable-renegotiation');

/** Counts the handshakes of a server's connection: too many within a window are treated as an attack. */
function watch(socket, handle) {
  handle.lastHandshakeTime = 0;
  handle.handshakes = 0;
  handle.onhandshakestart = () => {
    const { CLIENT_RENEG_LIMIT: limit, CLIENT_RENEG_WINDOW: seconds } = require('node/tls/tls');
    const now = DateNow();
    const isFirst = handle.lastHandshakeTime === 0;
    if (now - handle.lastHandshakeTime >= seconds * 1000) handle.handshakes = 0;
    handle.lastHandshakeTime = now;
    if (isFirst) return;
    if (++handle.handshakes > limit) socket._emitTLSError(new codes.ERR_TLS_SESSION_ATTACK());
    else if (socket[kIsDisabled]) socket._emitTLSError(new codes.ERR_TLS_RENEGOTIATION_DISABLED());
  };
}

function disable(socket) {
  socket[kIsDisabled] = true;
}

function renegotiate(socket, options, callback) {
  validateObject(options, 'options');
  if (callback !== undefined) validateFunction(callback, 'callback');
  if (socket.destroyed) return undefined;
  const { requestCert = socket._requestCert, rejectUnauthorized = socket._rejectUnauthorized } = options;
  if (Boolean(requestCert) !== socket._requestCert || Boolean(rejectUnauthorized) !== socket._rejectUnauthorized) {
    socket._requestCert = Boolean(requestCert);
    socket._rejectUnauthorized = Boolean(rejectUnauthorized);
    socket._handle.call('tls_request_certificate', socket._requestCert, socket._rejectUnauthorized);
  }
  const finish = (...args) => {
    socket.removeListener('secure', onSecure);
    callback(...intact(args));
  };
  const onSecure = () => finish(null);
  if (callback) socket.once('secure', onSecure);
  try {
    socket._handle.renegotiate();
  } catch (error) {
    if (callback) nextTick(finish, error);
    return false;
  }
  return true;
}

module.exports = { watch, disable, renegotiate };
