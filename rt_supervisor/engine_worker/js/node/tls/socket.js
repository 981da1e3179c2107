'use strict';
// Owns: tls.TLSSocket: a net.Socket whose handle runs TLS over another socket, or over any Duplex.

const {
  ObjectAssign,
  ObjectDefineProperty,
  ObjectSetPrototypeOf,
  ReflectConstruct,
  RegExpTest,
} = require('internal/primordials');
const startValues = require('internal/start_values');
const { codes } = require('internal/errors/errors');
const { nextTick } = require('internal/timers');
const { validateBoolean, validateFunction, validateInt32, validateString } = require('internal/validators');
const { Socket } = require('node/net/socket');
const { NativeSecureContext, SecureContext, createSecureContext } = require('node/tls/context');
const { kResource } = require('node/net/connect');
const { TLSWrap } = require('node/tls/handle');
const { convertALPNProtocols } = require('node/tls/identity');
const preshared = require('node/tls/preshared');
const renegotiation = require('node/tls/renegotiation');
const serverChoices = require('node/tls/server_choices');
const facts = require('node/tls/socket_facts');
const { SocketTransport, StreamTransport } = require('node/tls/transport');
const { verifyError } = require('node/tls/verify');

const kConnectOptions = Symbol('connect-options');
const kPendingSession = Symbol('pendingSession');
const kIsVerified = Symbol('verified');

class TLSSocket extends Socket {
  #plain; // the stream below: a net.Socket or a Duplex
  #context;
  #isCarried = false;
  #problem; // an error before there was a connection

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
    if (options.pskCallback) validateFunction(options.pskCallback, 'pskCallback');
    if (options.ALPNCallback) validateFunction(options.ALPNCallback, 'options.ALPNCallback');
    if (options.SNICallback) {
      validateFunction(options.SNICallback, 'options.SNICallback');
      this._SNICallback = options.SNICallback;
    }
    this.on('error', this._tlsError);
    this.on('close', () => {
      if (!this.#isCarried) {
        this.#plain?.destroy?.(); // nothing was started on it yet
        this.ssl?.close();
      }
      this.ssl = null;
      this[kPendingSession] = null;
    });
    if (options.handshakeTimeout > 0) this.setTimeout(options.handshakeTimeout, this._handleTimeout);
    if (options.enableTrace) this.enableTrace();
    this._wrapHandle(socket, socket?._handle ?? null);
  }

  // --- the stream below

  /** Programs replace this method; if a replacement omits the handle below, TLS has no transport. */
  _wrapHandle(wrap, handle = undefined) {
    this.#make();
    if (!wrap) this.connecting = true;
    else if (handle !== undefined) this.#carry(wrap);
    else {
      this.#plain = this._parent = wrap;
      this._handle = this.ssl;
      this.connecting = Boolean(wrap.connecting) || !wrap._handle;
    }
    return this.ssl;
  }
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
          if (this._tlsOptions.isServer) this._start();
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
    // A client starts its handshake on request (tls.connect), or on its first write.
    nextTick(() => {
      if (this._tlsOptions.isServer) this._start();
      else if (this._handle !== null && !this.connecting) this.read(0);
    });
  }
  /** Attaches a handle opened by node/net/connect. */
  attach(handle) {
    if (handle instanceof TLSWrap) super.attach(handle);
    else this.#open(handle);
  }

  #open(transport) {
    if (this.ssl === null) this.#make();
    this.#isCarried = true;
    this.ssl.carry(transport, this[kResource]);
    this.attach(this.ssl);
    if (this.#problem !== undefined) this.#handleFailure(this.#problem);
  }

  #make() {
    const options = this._tlsOptions;
    const handle = new TLSWrap(this.#context, {
      isServer: !!options.isServer,
      protocols: options.ALPNProtocols,
      servername: this.#servername,
      session: this.#session || options.session || undefined,
    });
    this.ssl = handle;
    if (options.isServer && (this._requestCert || this._rejectUnauthorized))
      handle.call('tls_request_certificate', this._requestCert, this._rejectUnauthorized);
    handle.onhandshakedone = () => this._finishInit();
    handle.onerror = (error) => this.#handleFailure(error);
    handle.onsession = (session) => this.#onSession(session);
    handle.onnewsession = (_, session) => this.#onSession(session); // Node's name for it
    handle.onkeylog = (line) => {
      if (startValues.tls?.tlsKeylog !== undefined) require('node/tls/keylog').keep(line);
      this.emit('keylog', line);
    };
    handle.verifyError = () => verifyError(handle.fact('verify'));
    if (options.isServer) {
      serverChoices.prepare(this, handle);
      renegotiation.watch(this, handle);
    } else if (options.requestOCSP) {
      handle.call('tls_request_status');
      handle.onstatus = (response) => this.emit('OCSPResponse', response);
    }
    if (options.pskCallback) this.#problem = preshared.prepare(this, handle);
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

  #handleFailure(error) {
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

  _finishInit() {
    if (this._newSessionPending) {
      this._securePending = true;
      return;
    }
    if (!this._handle) return;
    this.alpnProtocol = this._handle.getALPNNegotiatedProtocol();
    if (this.servername === null) this.servername = this._handle.fact('servername') ?? false;
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
    const reported = this._tlsError(error);
    if (reported) this.emit('error', reported);
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

  // --- properties

  #servername;
  #session;
  setServername(name) {
    validateString(name, 'name');
    if (this._tlsOptions.isServer) throw new codes.ERR_TLS_SNI_FROM_SERVER();
    this.#servername = name;
    this.ssl?.call('tls_set_servername', name);
  }
  setSession(session) {
    if (typeof session === 'string') session = require('node/buffer/buffer').Buffer.from(session, 'latin1');
    this.#session = session;
    this.ssl?.call('tls_set_session', session);
  }
  setMaxSendFragment(size) {
    validateInt32(size, 'size');
    return this._handle?.call('tls_max_fragment', size) ?? false;
  }
  setKeyCert(context) {
    const secureContext = context instanceof SecureContext ? context : createSecureContext(context);
    this.ssl?.call('tls_resume', undefined, secureContext.context.number);
  }
  disableRenegotiation() {
    renegotiation.disable(this);
  }
  enableTrace() {
    throw new codes.ERR_NOT_IMPLEMENTED('tls', 'enableTrace');
  }
  renegotiate(options, callback) {
    return renegotiation.renegotiate(this, options, callback);
  }
}

function contextIn(options) {
  const secureContext = options.secureContext || options.credentials || createSecureContext(options);
  if (!(secureContext.context instanceof NativeSecureContext)) throw new codes.ERR_TLS_INVALID_CONTEXT('context');
  return secureContext.context;
}

/** The class, callable without `new`, as in Node. */
const callable = function TLSSocket(socket, opts) {
  return ReflectConstruct(Class, [socket, opts], new.target ?? callable);
};
const Class = TLSSocket;
ObjectAssign(Class.prototype, facts);
ObjectSetPrototypeOf(callable, Socket);
callable.prototype = Class.prototype;
Class.prototype.constructor = callable;

module.exports = { TLSSocket: callable, kConnectOptions, kPendingSession, kIsVerified };
