'use strict';
// Owns: tls.TLSSocket: a net.Socket whose handle speaks TLS over another one, or over any Duplex.

const {
  ArrayIncludes,
  FunctionCall,
  ObjectAssign,
  ObjectDefineProperty,
  ObjectSetPrototypeOf,
  ReflectConstruct,
  RegExpTest,
  intact,
} = require('internal/primordials');
const startValues = require('internal/start_values');
const { asBuffer, encodeText } = require('internal/crypto/input');
const { codes } = require('internal/errors/errors');
const { nextTick } = require('internal/timers');
const {
  validateBoolean,
  validateBuffer,
  validateFunction,
  validateInt32,
  validateObject,
  validateString,
  validateUint32,
} = require('internal/validators');
const { legacyChain, wrapChain, wrapX509 } = require('node/crypto/x509');
const { Socket } = require('node/net/socket');
const { NativeSecureContext, SecureContext, createSecureContext } = require('node/tls/context');
const { kResource } = require('node/net/connect');
const { TLSWrap } = require('node/tls/handle');
const { convertALPNProtocols, protocolNames } = require('node/tls/identity');
const { SocketTransport, StreamTransport } = require('node/tls/transport');
const { verifyError } = require('node/tls/verify');

const kConnectOptions = Symbol('connect-options');
const kPendingSession = Symbol('pendingSession');
const kIsVerified = Symbol('verified');

class TLSSocket extends Socket {
  #plain; // what carries us: a net.Socket or a Duplex
  #context;

  constructor(socket, opts) {
    const options = { ...opts };
    if (options.enableTrace != null) validateBoolean(options.enableTrace, 'options.enableTrace');
    if (options.ALPNProtocols) convertALPNProtocols(options.ALPNProtocols, options);
    super({
      allowHalfOpen: socket ? socket.allowHalfOpen : options.allowHalfOpen,
      highWaterMark: options.highWaterMark,
      onread: socket ? undefined : options.onread,
      signal: options.signal,
      noDelay: options.noDelay,
      keepAlive: options.keepAlive,
      keepAliveInitialDelay: options.keepAliveInitialDelay,
    });
    this._tlsOptions = options;
    this._secureEstablished = false;
    this._securePending = false;
    this._newSessionPending = false;
    this._controlReleased = false;
    this.secureConnecting = true;
    this._SNICallback = null;
    this.servername = null;
    this.alpnProtocol = null;
    this.authorized = false;
    this.authorizationError = null;
    this[kPendingSession] = null;
    this[kIsVerified] = false;
    this.encrypted = true;
    this.ssl = null;
    this.server = options.server;
    this._requestCert = !!options.requestCert || !options.isServer;
    this._rejectUnauthorized = !!options.rejectUnauthorized;
    this.#context = contextIn(options);
    if (options.ALPNCallback) validateFunction(options.ALPNCallback, 'options.ALPNCallback');
    if (options.SNICallback) {
      validateFunction(options.SNICallback, 'options.SNICallback');
      this._SNICallback = options.SNICallback;
    }
    this.on('error', this._tlsError);
    this.on('close', () => {
      if (this.ssl === null) this.#plain?.destroy?.(); // nothing has begun on it yet
      this.ssl = null;
      this[kPendingSession] = null;
    });
    if (options.handshakeTimeout > 0) this.setTimeout(options.handshakeTimeout, this._handleTimeout);
    if (socket) this.#carry(socket);
    else {
      this.connecting = true;
      this.once('connect', this._start);
    }
  }

  // --- what is below

  #carry(socket) {
    this.#plain = socket;
    socket.on('close', () => this.destroy());
    socket.on('error', (error) => this._emitTLSError(error));
    if (socket instanceof Socket) {
      this._parent = socket;
      if (socket.connecting || socket._handle === null) {
        this.connecting = true;
        socket.once('connect', () => {
          if (this.destroyed) {
            socket.destroy();
            return;
          }
          this.connecting = false;
          this.#open(new SocketTransport(socket));
          this.emit('connect');
          this._start();
        });
        return;
      }
      this.#open(new SocketTransport(socket));
    } else {
      this.#open(new StreamTransport(socket));
      ObjectDefineProperty(this._handle, '_parentWrap', {
        __proto__: null,
        configurable: true,
        get: () => new (require('node/tls/stream_socket').JSStreamSocket)(socket),
      });
    }
    nextTick(() => this._start());
  }
  /** A handle that node/net/connect has opened. */
  attach(handle) {
    if (handle instanceof TLSWrap) super.attach(handle);
    else this.#open(handle);
  }

  #open(transport) {
    const options = this._tlsOptions;
    const wants = this[kConnectOptions] ?? {};
    const handle = new TLSWrap(transport, this.#context, {
      isServer: !!options.isServer,
      protocols: options.ALPNProtocols,
      servername: wants.servername || this.#servername || undefined,
      session: this.#session || options.session || undefined,
      stopsAtHello: !!options.isServer && this.#choosesAtHello(),
      resource: this[kResource],
    });
    this.ssl = handle;
    if (options.isServer && (this._requestCert || this._rejectUnauthorized))
      handle.call('tls_request_certificate', this._requestCert, this._rejectUnauthorized);
    handle.onhandshakedone = () => this._finishInit();
    handle.onerror = (error) => this.#failed(error);
    handle.onsession = (session) => this.#onSession(session);
    handle.onkeylog = (line) => {
      if (startValues.tls?.tlsKeylog !== undefined) require('node/tls/keylog').keep(line);
      this.emit('keylog', line);
    };
    handle.onhello = () => this.#onHello();
    handle.verifyError = () => verifyError(handle.fact('verify'));
    this.attach(handle);
  }
  #choosesAtHello() {
    const { SNICallback, ALPNCallback, server } = this._tlsOptions;
    return Boolean(ALPNCallback) || (Boolean(SNICallback) && (!SNICallback.isDefault || server?._contexts.length > 0));
  }

  _start() {
    if (this.connecting) {
      this.once('connect', this._start);
      return;
    }
    if (this._handle === null) return;
    this._handle.start?.();
    if (this._handle !== null) this.read(0);
  }

  // --- the handshake

  #failed(error) {
    if (this._hadError) return;
    this._hadError = true;
    if (!this._secureEstablished) {
      this._closeAfterHandlingError = true;
      this.destroy(error);
    } else if (
      this._tlsOptions.isServer &&
      this._rejectUnauthorized &&
      RegExpTest(/peer did not return a certificate/, error.message)
    )
      this.destroy();
    else this._emitTLSError(error);
  }

  #onHello() {
    const handle = this._handle;
    const [name, offered] = intact(handle.call('tls_hello'));
    if (name) this.servername = name; // also where the handshake fails
    const go = (error, context) => {
      if (this.destroyed || this._handle !== handle) return;
      if (error) {
        this.destroy(error);
        return;
      }
      let chosen;
      if (context !== undefined && context !== null) {
        chosen = context instanceof SecureContext ? context.context : context;
        if (!(chosen instanceof NativeSecureContext)) {
          this.#failed(new TypeError('Invalid SNI context'));
          return;
        }
      }
      const protocol = this.#chooseProtocol(name, offered);
      if (!this.destroyed) handle.goOn(chosen, protocol);
    };
    if (!name || !this._SNICallback) {
      go();
      return;
    }
    let isCalled = false;
    this._SNICallback(name, (error, context) => {
      if (isCalled) {
        this.destroy(new codes.ERR_MULTIPLE_CALLBACK());
        return;
      }
      isCalled = true;
      go(error, context);
    });
  }
  /** Bytes of what ALPNCallback chose, none for a refusal; undefined where the list decides. */
  #chooseProtocol(servername, offered) {
    const { ALPNCallback } = this._tlsOptions;
    if (!ALPNCallback || offered.length === 0) return undefined;
    const protocols = protocolNames(offered);
    const chosen = FunctionCall(ALPNCallback, this, { servername: servername ?? '', protocols });
    if (chosen === undefined) return new Uint8Array(0);
    if (!ArrayIncludes(protocols, chosen)) {
      this.destroy(new codes.ERR_TLS_ALPN_CALLBACK_INVALID_RESULT(chosen, protocols));
      return undefined;
    }
    return encodeText(chosen, 'latin1');
  }

  _finishInit() {
    if (!this._handle) return;
    this.alpnProtocol = this._handle.fact('alpn') ?? false;
    if (this.servername === null) this.servername = this._handle.fact('servername') ?? (this._tlsOptions.isServer ? false : null);
    this._secureEstablished = true;
    if (this._tlsOptions.handshakeTimeout > 0) this.setTimeout(0, this._handleTimeout);
    this.emit('secure');
  }

  #onSession(session) {
    if (this._tlsOptions.isServer) return;
    if (this[kIsVerified]) this.emit('session', session);
    else this[kPendingSession] = session;
  }

  _handleTimeout() {
    this._emitTLSError(new codes.ERR_TLS_HANDSHAKE_TIMEOUT());
  }
  _emitTLSError(error) {
    const told = this._tlsError(error);
    if (told) this.emit('error', told);
  }
  _tlsError(error) {
    this.emit('_tlsError', error);
    return this._controlReleased ? error : null;
  }
  _releaseControl() {
    if (this._controlReleased) return false;
    this._controlReleased = true;
    this.removeListener('error', this._tlsError);
    return true;
  }
  _destroySSL() {
    this.ssl = null;
  }

  // --- what can be asked and told

  #servername;
  #session;
  setServername(name) {
    validateString(name, 'name');
    if (this._tlsOptions.isServer) throw new codes.ERR_TLS_SNI_FROM_SERVER();
    this.#servername = name;
    this._handle?.call?.('tls_set_servername', name);
  }
  setSession(session) {
    if (typeof session === 'string') session = require('node/buffer/buffer').Buffer.from(session, 'latin1');
    this.#session = session;
    this._handle?.call?.('tls_set_session', session);
  }
  getSession() {
    return this.#bytes('session');
  }
  /** Whether there is a connection, or there will be one: then what is asked for too early is undefined, else null. */
  get #isThere() {
    return this._handle !== null || this.connecting;
  }
  #bytes(what) {
    const bytes = this.#fact(what);
    return bytes && asBuffer(bytes);
  }
  #fact(what) {
    return this._handle?.fact?.(what);
  }
  getPeerCertificate(detailed) {
    return this._handle ? legacyChain(this.#fact('peer') ?? [], Boolean(detailed)) : null;
  }
  getCertificate() {
    if (!this._handle) return null;
    const own = this.#fact('own');
    return own === undefined ? {} : legacyChain([own], false);
  }
  getPeerX509Certificate() {
    const chain = this.#fact('peer') ?? [];
    return chain.length === 0 ? undefined : wrapChain(chain);
  }
  getX509Certificate() {
    const own = this.#fact('own');
    return own === undefined ? undefined : wrapX509(own);
  }
  getCipher() {
    if (!this._handle) return null;
    const found = this.#fact('cipher');
    return found === undefined ? undefined : { name: found[0], standardName: found[1], version: found[2] };
  }
  getEphemeralKeyInfo() {
    if (!this._handle || this._tlsOptions.isServer) return null;
    const found = this.#fact('ephemeral');
    if (found === undefined) return {};
    const [type, name, size] = intact(found);
    return name === undefined ? { type, size } : { type, name, size };
  }
  getFinished() {
    return this.#isThere ? this.#bytes('finished') : null;
  }
  getPeerFinished() {
    return this.#isThere ? this.#bytes('peerFinished') : null;
  }
  getProtocol() {
    return this._handle ? this.#fact('protocol') : null;
  }
  getSharedSigalgs() {
    return this._handle ? [] : null;
  }
  getTLSTicket() {
    return this._handle ? this.#bytes('ticket') : null;
  }
  isSessionReused() {
    return this._handle ? this.#fact('reused') : null;
  }
  exportKeyingMaterial(length, label, context) {
    validateUint32(length, 'length', true);
    validateString(label, 'label');
    if (context !== undefined) validateBuffer(context, 'context');
    if (!this._secureEstablished) throw new codes.ERR_TLS_INVALID_STATE();
    return asBuffer(this._handle.call('tls_export', length, label, context));
  }
  setMaxSendFragment(size) {
    validateInt32(size, 'size');
    return this._handle?.call('tls_max_fragment', size) ?? false;
  }
  setKeyCert(context) {
    const made = context instanceof SecureContext ? context : createSecureContext(context);
    this._handle?.call('tls_go_on', made.context.number);
  }
  disableRenegotiation() {}
  enableTrace() {}
  renegotiate(options, callback) {
    validateObject(options, 'options');
    if (callback !== undefined) validateFunction(callback, 'callback');
    if (this.destroyed) return undefined;
    const error = ObjectAssign(new Error('error:0A00010A:SSL routines::wrong ssl version'), {
      library: 'SSL routines',
      reason: 'wrong ssl version',
      code: 'ERR_SSL_WRONG_SSL_VERSION',
    });
    if (callback) nextTick(callback, error);
    return false;
  }
}

function contextIn(options) {
  const found = options.secureContext || options.credentials || createSecureContext(options);
  if (!(found.context instanceof NativeSecureContext)) throw new codes.ERR_TLS_INVALID_CONTEXT('context');
  return found.context;
}

/** The class, callable without `new` as the older ones of Node are. */
const callable = function TLSSocket(socket, opts) {
  return ReflectConstruct(Class, [socket, opts], new.target ?? callable);
};
const Class = TLSSocket;
ObjectSetPrototypeOf(callable, Socket);
callable.prototype = Class.prototype;
Class.prototype.constructor = callable;

module.exports = { TLSSocket: callable, kConnectOptions, kPendingSession, kIsVerified };
