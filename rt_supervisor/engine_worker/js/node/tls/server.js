'use strict';
// Owns: tls.Server: a net.Server that emits connections once they are secure.

const runtimeParts = require('internal/parts');
const { AnySlice } = require('internal/any_kind');
const {
  ArrayFindLast,
  ArrayJoin,
  ArrayPush,
  ObjectAssign,
  ObjectKeys,
  ObjectSetPrototypeOf,
  ReflectConstruct,
  RegExpReplace,
  RegExpTest,
  StringReplaceAll,
  SymbolFor,
  intact,
} = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { validateBuffer, validateFunction, validateNumber, validateObject, validateString } = require('internal/validators');
const net = require('node/net/net');
const { SecureContext, createSecureContext } = require('node/tls/context');
const { convertALPNProtocols } = require('node/tls/identity');
const { TLSSocket } = require('node/tls/socket');

const HANDSHAKE_MS = 120 * 1000;
const kHandshakeTimeout = Symbol('handshake-timeout');
const kSNICallback = Symbol('snicallback');
const kPreshared = Symbol('pskcallback');
const kIdentityHint = Symbol('pskidentityhint');
const kErrorEmitted = Symbol('error-emitted');
const CONTEXT_OPTIONS = [
  'pfx',
  'key',
  'passphrase',
  'cert',
  'clientCertEngine',
  'ca',
  'minVersion',
  'maxVersion',
  'secureProtocol',
  'crl',
  'sigalgs',
  'ciphers',
  'ecdhCurve',
  'dhparam',
  'secureOptions',
  'sessionIdContext',
  'ticketKeys',
  'sessionTimeout',
  'privateKeyIdentifier',
  'privateKeyEngine',
];

function resetError() {
  return ObjectAssign(new Error('socket hang up'), { code: 'ECONNRESET' });
}

function onSecure() {
  if (this._requestCert) {
    const problem = this._handle.verifyError();
    const hasCertificate = ObjectKeys(this.getPeerCertificate()).length > 0;
    if (problem || !hasCertificate) {
      this.authorizationError = problem ? problem.code : 'UNABLE_TO_GET_ISSUER_CERT';
      if (this._rejectUnauthorized) this.destroy();
    } else this.authorized = true;
  }
  if (!this.destroyed && this._releaseControl()) {
    this.secureConnecting = false;
    this._tlsOptions.server.emit('secureConnection', this);
  }
}

function reportError(socket, error) {
  if (socket._controlReleased || socket[kErrorEmitted]) return;
  socket[kErrorEmitted] = true;
  socket._tlsOptions.server.emit('tlsClientError', error, socket);
}
function onError(error) {
  reportError(this, error);
}
function onClose(hadError) {
  if (!hadError) reportError(this, resetError());
}

/** The context of the most recently added pattern that matches. */
function defaultSNICallback(servername, callback) {
  callback(null, ArrayFindLast(this.server._contexts, ({ 0: pattern }) => RegExpTest(pattern, servername))?.[1]);
}
defaultSNICallback.isDefault = true;

function onConnection(rawSocket) {
  const socket = new TLSSocket(rawSocket, {
    secureContext: this._sharedCreds,
    isServer: true,
    server: this,
    requestCert: this.requestCert,
    rejectUnauthorized: this.rejectUnauthorized,
    handshakeTimeout: this[kHandshakeTimeout],
    ALPNProtocols: this.ALPNProtocols,
    ALPNCallback: this.ALPNCallback,
    SNICallback: this[kSNICallback] || defaultSNICallback,
    pskCallback: this[kPreshared],
    pskIdentityHint: this[kIdentityHint],
    pauseOnConnect: this.pauseOnConnect,
  });
  if (this.pauseOnConnect) socket.pause();
  socket.on('secure', onSecure);
  if (this.listenerCount('keylog') > 0) socket.on('keylog', (line) => this.emit('keylog', line, socket));
  socket[kErrorEmitted] = false;
  socket.on('close', onClose);
  socket.on('_tlsError', onError);
  socket.on('error', onError);
}

class Server extends net.Server {
  constructor(options, listener) {
    if (typeof options === 'function') [options, listener] = intact([{}, options]);
    else if (options == null) options = {};
    else if (typeof options !== 'object') throw new codes.ERR_INVALID_ARG_TYPE('options', 'Object', options);
    super(options, onConnection);
    this._contexts = [];
    this.requestCert = options.requestCert === true;
    this.rejectUnauthorized = options.rejectUnauthorized !== false;
    this.ALPNCallback = options.ALPNCallback;
    if (this.ALPNCallback && options.ALPNProtocols) throw new codes.ERR_TLS_ALPN_CALLBACK_WITH_PROTOCOLS();
    if (options.ALPNProtocols) convertALPNProtocols(options.ALPNProtocols, this);
    this.setSecureContext(options);
    this[kHandshakeTimeout] = options.handshakeTimeout || HANDSHAKE_MS;
    this[kSNICallback] = options.SNICallback;
    validateNumber(this[kHandshakeTimeout], 'options.handshakeTimeout');
    if (this[kSNICallback]) validateFunction(this[kSNICallback], 'options.SNICallback');
    if (options.pskCallback) validateFunction(options.pskCallback, 'options.pskCallback');
    if (options.pskIdentityHint) validateString(options.pskIdentityHint, 'options.pskIdentityHint');
    this[kPreshared] = options.pskCallback;
    this[kIdentityHint] = options.pskIdentityHint;
    if (listener) this.on('secureConnection', listener);
  }

  [SymbolFor('nodejs.rejection')](error, event, ...args) {
    if (event === 'secureConnection') args[0].destroy(error);
    else super[SymbolFor('nodejs.rejection')](error, event, ...intact(args));
  }

  setSecureContext(options) {
    validateObject(options, 'options');
    for (const name of intact(CONTEXT_OPTIONS)) this[name] = options[name] || undefined;
    this.honorCipherOrder = options.honorCipherOrder === undefined ? true : !!options.honorCipherOrder;
    if (!options.sessionIdContext) {
      this.sessionIdContext = AnySlice(
        require('node/crypto/hash').hash('sha1', ArrayJoin(runtimeParts.process.process.argv, ' ')),
        0,
        32,
      );
    }
    const settings = { honorCipherOrder: this.honorCipherOrder };
    for (const name of intact(CONTEXT_OPTIONS)) settings[name] = this[name];
    this._sharedCreds = createSecureContext(settings);
  }
  _getServerData() {
    return { ticketKeys: this.getTicketKeys().toString('hex') };
  }
  _setServerData(data) {
    this.setTicketKeys(require('node/buffer/buffer').Buffer.from(data.ticketKeys, 'hex'));
  }
  getTicketKeys() {
    return this._sharedCreds.context.getTicketKeys();
  }
  setTicketKeys(keys) {
    validateBuffer(keys);
    if (keys.byteLength !== 48) require('node/assert/assert')(false, 'Session ticket keys must be a 48-byte buffer');
    this._sharedCreds.context.setTicketKeys(keys);
  }
  addContext(servername, context) {
    if (!servername) throw new codes.ERR_TLS_REQUIRED_SERVER_NAME();
    const pattern = StringReplaceAll(
      RegExpReplace(/[.^$+?\-\\[\]{}]/g, servername, (each) => `\\${each}`),
      '*',
      '[^.]*',
    );
    const secureContext = context instanceof SecureContext ? context : createSecureContext(context);
    ArrayPush(this._contexts, [new RegExp(`^${pattern}$`, 'i'), secureContext.context]);
  }
}

const callable = function Server(options, listener) {
  return ReflectConstruct(Class, [options, listener], new.target ?? callable);
};
const Class = Server;
ObjectSetPrototypeOf(callable, net.Server);
callable.prototype = Class.prototype;
Class.prototype.constructor = callable;

module.exports = {
  Server: callable,
  createServer: function createServer(options, listener) {
    return new callable(options, listener);
  },
};
