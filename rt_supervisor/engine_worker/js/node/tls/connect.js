'use strict';
// Owns: tls.connect: a client's socket, its handshake, and verification of the server.

const runtimeParts = require('internal/parts');
const { ObjectAssign, intact } = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { forgetPlace } = require('internal/errors/places');
const { validateFunction, validateNumber } = require('internal/validators');
const context = require('internal/async/context');
const { isIP } = require('node/net/address');
const { normalizeArgs } = require('node/net/arguments');
const { kResource } = require('node/net/connect');
const { TLSSocket, kConnectOptions, kIsVerified, kPendingSession } = require('node/tls/socket');

let hasWarned = false;
/** Whether the environment disables verification; emits the warning once. */
function trustsAll() {
  const trusts = runtimeParts.process.process.env.NODE_TLS_REJECT_UNAUTHORIZED === '0';
  if (trusts && !hasWarned) {
    hasWarned = true;
    host.emitWarning(
      "Setting the NODE_TLS_REJECT_UNAUTHORIZED environment variable to '0' makes TLS connections and HTTPS requests insecure by disabling certificate verification.",
    );
  }
  return trusts;
}

const identityOf = (options) => options.servername || options.host || (options.socket && options.socket._host) || 'localhost';

function onSecure() {
  const options = this[kConnectOptions];
  const key = this.getEphemeralKeyInfo();
  if (key?.type === 'DH' && key.size < options.minDHSize) {
    this.emit('error', new codes.ERR_TLS_DH_PARAM_SIZE(key.size));
    this.destroy();
    return;
  }
  let problem = this._handle.verifyError();
  if (!problem && !this.isSessionReused())
    problem = options.checkServerIdentity(identityOf(options), this.getPeerCertificate(true));
  if (problem) {
    this.authorized = false;
    this.authorizationError = problem.code || problem.message;
    if (options.rejectUnauthorized !== false) {
      this.destroy(problem);
      return;
    }
  } else this.authorized = true;
  this.secureConnecting = false;
  forgetPlace(this);
  this.emit('secureConnect');
  this[kIsVerified] = true;
  const session = this[kPendingSession];
  this[kPendingSession] = null;
  if (session) this.emit('session', session);
  this.removeListener('end', onEnd);
}

/** The server closed the connection before it was verified. */
function onEnd() {
  if (this._hadError) return;
  this._hadError = true;
  const { path, host: name, port, localAddress } = this[kConnectOptions];
  const error = new Error('Client network socket disconnected before secure TLS connection was established');
  this.destroy(ObjectAssign(error, { code: 'ECONNRESET', path, host: name, port, localAddress }));
}

function connect(...args) {
  const [first, callback] = intact(normalizeArgs(args));
  const more = args[1] !== null && typeof args[1] === 'object' ? args[1] : args[2];
  const settings = ObjectAssign(first, typeof more === 'object' ? more : undefined);
  const trustsEverybody = trustsAll();
  const tls = require('node/tls/tls');
  const options = {
    rejectUnauthorized: !trustsEverybody,
    ciphers: tls.DEFAULT_CIPHERS,
    checkServerIdentity: tls.checkServerIdentity,
    minDHSize: 1024,
    ...settings,
  };
  validateFunction(options.checkServerIdentity, 'options.checkServerIdentity');
  validateNumber(options.minDHSize, 'options.minDHSize', 1);
  const secureContext = options.secureContext || tls.createSecureContext(options);
  if (options.servername && isIP(options.servername)) {
    throw new codes.ERR_INVALID_ARG_VALUE(
      'options.servername',
      options.servername,
      'Setting the TLS ServerName to an IP address is not permitted.',
    );
  }
  const {
    socket: below,
    allowHalfOpen,
    session,
    ALPNProtocols,
    enableTrace,
    highWaterMark,
    onread,
    signal,
    noDelay,
    keepAlive,
    keepAliveInitialDelay,
    pskCallback,
    requestOCSP,
  } = options;
  options.rejectUnauthorized = options.rejectUnauthorized !== false;
  const socket = new TLSSocket(below, {
    allowHalfOpen,
    secureContext,
    isServer: false,
    requestCert: true,
    rejectUnauthorized: options.rejectUnauthorized,
    session,
    ALPNProtocols,
    enableTrace,
    highWaterMark,
    onread,
    signal,
    noDelay,
    keepAlive,
    keepAliveInitialDelay,
    pskCallback,
    requestOCSP,
  });
  socket[kConnectOptions] = options;
  if (callback) socket.once('secureConnect', callback);
  if (!below) {
    if (options.timeout) socket.setTimeout(options.timeout);
    if (context.isUsed) socket[kResource] = context.initResource({}, 'TLSWRAP');
    socket.connect(options, socket._start);
  }
  socket._releaseControl();
  if (session) socket.setSession(session);
  if (options.servername) socket.setServername(options.servername);
  socket.on('secure', onSecure);
  socket.prependListener('end', onEnd);
  if (below) socket._start();
  return socket;
}

module.exports = { connect };
