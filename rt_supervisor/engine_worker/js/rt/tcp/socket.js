'use strict';
// Owns: the sockets of RT.listen and RT.connect: Bun's methods and handlers over a socket of node:net or node:tls. Data that
// the system does not accept is not buffered: `write` returns how much was accepted, and 'drain' reports new room.
//
// connecting --open--> open --end, shutdown or the other side--> closed

const { intact } = require('internal/primordials');
const { isAnyArrayBuffer } = require('internal/brands');
const { Handlers, wrong } = require('rt/tcp/handlers');
const { codes } = require('internal/errors/errors');

const PIECE = 64 * 1024; // bytes in one write to Node's socket; each is a copy, because the program may change its buffer
const OPEN = 1;
const CLOSED = -1;

/** Returns the bytes to write for (data), (text, encoding), (data, offset, length). */
function bytesOf(data, offset, length) {
  const { Buffer } = require('node/buffer/buffer');
  const { asBuffer } = require('node/buffer/views');
  if (data === undefined || data === null) return Buffer.alloc(0);
  let bytes;
  if (typeof data === 'string') {
    if (typeof offset === 'string') return Buffer.from(data, offset);
    bytes = Buffer.from(data, typeof length === 'string' ? length : 'utf8');
  } else if (ArrayBuffer.isView(data)) bytes = asBuffer(data);
  else if (isAnyArrayBuffer(data)) bytes = Buffer.from(data);
  else if (data instanceof require('web/blob/blob').Blob) bytes = Buffer.concat(require('web/blob/blob').piecesOf(data));
  else {
    const error = new codes.ERR_INVALID_ARG_TYPE('data', 'string', data);
    error.message = error.message.replace('of type string.', 'of type string, buffer, or blob.');
    throw error;
  }
  if (typeof offset !== 'number') return bytes;
  return bytes.subarray(offset, typeof length === 'number' ? offset + length : undefined);
}

/** Returns why the other side's certificate is not trusted, if trust is not required. */
function verifyError({ authorizationError }) {
  if (!authorizationError) return null;
  const code = authorizationError.code ?? authorizationError;
  return Object.assign(new Error(authorizationError.message ?? code), { code });
}

class TCPSocket {
  #socket;
  #handlers;
  #state = OPEN;
  #isSecure;
  #written = 0;
  #isShut = false;
  #names = {};

  /** `socket` is one of node:net or node:tls. */
  constructor(socket, { handlers, data, listener, isSecure }) {
    this.#socket = socket;
    this.#handlers = handlers;
    this.#isSecure = isSecure;
    this.data = data;
    this.listener = listener;
    this.#hear();
  }

  #hear() {
    const socket = this.#socket;
    socket.on('data', (chunk) => {
      if (this.#state === OPEN) this.#handlers.call('data', this, this.#handlers.shape(chunk));
    });
    socket.on('end', () => {
      if (this.#state === OPEN && !this.#isShut) this.#handlers.call('end', this);
    });
    socket.on('drain', () => {
      if (this.#state === OPEN) this.#handlers.call('drain', this);
    });
    socket.on('timeout', () => {
      if (this.#state === OPEN) this.#handlers.call('timeout', this);
    });
    socket.on('error', (error) => {
      if (this.#state !== OPEN) return;
      const isRefused = this.#isSecure && !socket.wasSecure;
      if (isRefused) this.#handlers.call('handshake', this, false, error);
      this.#close(isRefused ? undefined : error);
    });
    socket.on('close', () => this.#close());
    if (!this.#isSecure) return;
    socket.on(socket.isServerSide ? 'secure' : 'secureConnect', () => {
      socket.wasSecure = true;
      this.#handlers.call('handshake', this, true, verifyError(socket));
    });
  }

  /** Access for the other files of this folder; deleted below, so that programs do not see it. */
  static inside = { open: (socket) => socket.#handlers.call('open', socket), underlying: (socket) => socket.#socket };

  #close(error) {
    if (this.#state === CLOSED) return;
    this.#state = CLOSED;
    this.#handlers.call('close', this, error);
  }

  get readyState() {
    return this.#state;
  }
  get fd() {
    return this.#socket._handle?.fd ?? -1;
  }
  get bytesWritten() {
    return this.#written;
  }
  #name(what) {
    return (this.#names[what] = this.#socket[what] ?? this.#names[what]);
  }
  get localAddress() {
    return this.#name('localAddress');
  }
  get localPort() {
    return this.#name('localPort');
  }
  get localFamily() {
    return this.#name('localFamily');
  }
  get remoteAddress() {
    return this.#name('remoteAddress');
  }
  get remotePort() {
    return this.#name('remotePort');
  }
  get remoteFamily() {
    return this.#name('remoteFamily');
  }
  get alpnProtocol() {
    return this.#socket.alpnProtocol ?? false;
  }
  getTLSVersion() {
    return this.#isSecure ? this.#socket.getProtocol() : false;
  }
  getServername() {
    return this.#isSecure ? this.#socket.servername || undefined : undefined;
  }
  getAuthorizationError() {
    return this.#socket.authorizationError ?? null;
  }
  get authorized() {
    return this.#isSecure && this.#socket.authorized === true;
  }

  /** Returns the number of accepted bytes, or -1 if the socket is closed. */
  write(data, offset, length) {
    const bytes = bytesOf(data, offset, length);
    if (this.#state !== OPEN || !this.#socket.writable) return CLOSED;
    if (this.#socket.writableNeedDrain) return 0;
    let accepted = 0;
    while (accepted < bytes.length) {
      const piece = Uint8Array.prototype.slice.call(bytes, accepted, accepted + PIECE);
      accepted += piece.length;
      if (!this.#socket.write(piece)) break;
    }
    this.#written += accepted;
    return accepted;
  }
  flush() {}

  /** Writes, then closes once the data is sent. Returns the number of accepted bytes. */
  end(data, offset, length) {
    if (this.#state !== OPEN) return CLOSED;
    const bytes = bytesOf(data, offset, length);
    this.#written += bytes.length;
    this.#close();
    this.#socket.end(Uint8Array.prototype.slice.call(bytes));
    this.#socket.resume(); // remaining input is discarded
    return bytes.length;
  }
  close() {
    this.end();
  }
  /** Ends the writing side; with `true`, the reading side as well. */
  shutdown(isHalf) {
    if (isHalf) {
      this.end();
      return;
    }
    this.#isShut = true;
    this.#socket.end();
  }
  terminate() {
    this.#close();
    this.#socket.resetAndDestroy();
  }

  timeout(seconds) {
    this.#socket.setTimeout((Number(seconds) || 0) * 1000);
  }
  pause() {
    this.#socket.pause();
  }
  resume() {
    this.#socket.resume();
  }
  ref() {
    this.#socket.ref();
  }
  unref() {
    this.#socket.unref();
  }
  setNoDelay(isOn = true) {
    this.#socket.setNoDelay(isOn);
    return true;
  }
  setKeepAlive(isOn = false, delayMs = 0) {
    this.#socket.setKeepAlive(isOn, delayMs);
    return true;
  }

  /** Replaces the handlers. */
  reload(options) {
    if (arguments.length === 0) throw new Error('Expected 1 argument');
    if (options?.socket === undefined) throw new Error('Expected "socket" option');
    this.#handlers = new Handlers(options.socket);
  }

  /** Starts TLS. Returns [this, the secure socket]. */
  upgradeTLS(options) {
    if (arguments.length === 0) throw new Error('Expected 1 arguments');
    if (this.#isSecure || this.#state !== OPEN) throw new TypeError('upgradeTLS requires an established socket');
    if (typeof options !== 'object' || options === null) throw wrong('Expected options object');
    const handlers = new Handlers(options.socket);
    if (options.tls === undefined) throw wrong('Expected "tls" option');
    const { nodeOptions } = require('rt/tcp/options');
    const raw = this.#socket;
    for (const name of intact(['data', 'end', 'drain', 'timeout'])) raw.removeAllListeners(name);
    const tlsOptions = nodeOptions(options.tls === true ? {} : options.tls);
    const tls = require('node/tls/tls');
    const secure = this.listener
      ? new tls.TLSSocket(raw, { ...tlsOptions, isServer: true, secureContext: tls.createSecureContext(tlsOptions) })
      : tls.connect({ ...tlsOptions, socket: raw });
    secure.isServerSide = Boolean(this.listener);
    const socket = new TCPSocket(secure, { handlers, data: options.data, listener: this.listener, isSecure: true });
    open(socket);
    return [this, socket];
  }

  [Symbol.dispose]() {
    this.end();
  }
}

const { open, underlying } = TCPSocket.inside;
delete TCPSocket.inside;

// Methods that forward to the node:tls method of the same name.
const OF_TLS =
  'exportKeyingMaterial getCertificate getCipher getEphemeralKeyInfo getPeerCertificate getSession getSharedSigalgs getTLSTicket isSessionReused setMaxSendFragment disableRenegotiation setServername setSession renegotiate getTypeOfService setTypeOfService';
for (const name of intact(OF_TLS.split(' '))) {
  Object.defineProperty(TCPSocket.prototype, name, {
    __proto__: null,
    value: {
      [name](...args) {
        return underlying(this)[name]?.(...intact(args));
      },
    }[name],
    writable: true,
    configurable: true,
  });
}

const makeSocket = (socket, options) => new TCPSocket(socket, options);

module.exports = { makeSocket, open };
