'use strict';
// Owns: WebSocket with the interface of the package `ws`: an EventEmitter, for clients and servers. `setSocket` attaches it to
// a connection after the handshake.

const { AnySlice, AnySubarray } = require('internal/any_kind');
const {
  ArrayFindIndex,
  ArrayIncludes,
  ArrayIsArray,
  ArrayPush,
  ArraySome,
  ArraySplice,
  FunctionCall,
  ObjectDefineProperty,
  ObjectKeys,
  TypedArraySet,
  WeakMapDelete,
  WeakMapGet,
  WeakMapSet,
  intact,
} = require('internal/primordials');
const EventEmitter = require('node/events/events');
const {
  OPCODE,
  FrameReader,
  FrameError,
  newMask,
  encode,
  closePayload,
  readClose,
  EMPTY,
} = require('internal/web_socket/frames');
const { bytesOf } = require('internal/bytes');
const { nextTick, setTimeout: startTimer, clearTimeout: stopTimer } = require('internal/timers');
const builtins = require('node/module/builtins');

const native = host.native;
const { 0: CONNECTING, 1: OPEN, 2: CLOSING, 3: CLOSED } = [0, 1, 2, 3];
const STATES = ['CONNECTING', 'OPEN', 'CLOSING', 'CLOSED'];
const CLOSE_MS = 30_000;
const MOST_BYTES = 100 * 1024 * 1024;
const BINARY_TYPES = ['nodebuffer', 'arraybuffer', 'fragments'];

const asBuffer = (bytes) => require('node/buffer/views').asBuffer(bytes);
const closeCodeIsValid = (code) =>
  (code >= 1000 && code <= 1014 && code !== 1004 && code !== 1005 && code !== 1006) || (code >= 3000 && code <= 4999);

class WebSocket extends EventEmitter {
  #state = CONNECTING;
  #socket = null;
  #request;
  #reader;
  #squeeze;
  #isServer = false;
  #binaryType = 'nodebuffer';
  #closing = { code: 1006, reason: EMPTY };
  #hasSaidClose = false;
  #hasHeardClose = false;
  #isPaused = false;
  #autoPong = true;
  #timer;
  #protocol = '';
  #extensions = '';
  #url = '';
  #listeners = [];
  isOver = false;

  /** `address` is null for a server's socket, which `setSocket` opens. */
  constructor(address, protocols = undefined, options = undefined) {
    super();
    if (address === null) {
      this.#isServer = true;
      this.#autoPong = options?.autoPong ?? true;
      return;
    }
    if (protocols !== undefined && !ArrayIsArray(protocols)) {
      if (typeof protocols === 'object' && protocols !== null) [options, protocols] = intact([protocols, []]);
      else protocols = [protocols];
    }
    this.#autoPong = options?.autoPong ?? true;
    const { url, request } = require('rt/ws/connect').connect(address, protocols ?? [], options ?? {}, {
      opened: (response, socket, head, settings) => {
        this.#request = undefined;
        if (this.#state !== CONNECTING) return void socket.destroy();
        this.emit('upgrade', response);
        this.#protocol = settings.protocol;
        this.setSocket(socket, head, settings);
      },
      unexpected: (response) => {
        if (this.emit('unexpected-response', this.#request, response)) return;
        response.resume();
        this.#request.destroy();
        this.#fail(new Error(`Unexpected server response: ${response.statusCode}`));
      },
      failed: (error) => this.#fail(error),
    });
    this.#url = url;
    this.#request = request;
  }

  /** Starts on a socket: `settings` has maxPayload, squeezing, protocol, extensions. */
  setSocket(socket, head, settings = {}) {
    const { maxPayload = MOST_BYTES, squeezing, extensions = '', protocol } = settings;
    if (protocol !== undefined) this.#protocol = protocol;
    this.#socket = this._socket = socket;
    this.#extensions = extensions;
    this.#squeeze = squeezing;
    const limit = maxPayload > 0 ? maxPayload : Number.MAX_SAFE_INTEGER;
    this.#reader = new FrameReader({ isMasked: this.#isServer, limit, inflate: squeezing?.inflate });
    this.#state = OPEN;
    socket.setTimeout?.(0);
    socket.setNoDelay?.(true);
    socket.on('data', (bytes) => this.#take(bytes));
    socket.on('error', () => {});
    socket.on('end', () => {
      if (this.#state === OPEN) this.#state = CLOSING;
      socket.end();
    });
    socket.on('close', () => this.#handleClose());
    this.emit('open');
    if (head?.length > 0) this.#take(head);
    socket.resume();
  }

  #take(bytes) {
    if (this.isOver) return;
    try {
      this.#reader.push(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength), this.#receiver);
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      this.isOver = true;
      if (!this.#hasSaidClose) this.#frame(OPCODE.CLOSE, closePayload(error.closeCode, ''));
      this.#hasSaidClose = true;
      this.#state = CLOSING;
      const isTooBig = error.closeCode === 1009;
      const words = isTooBig ? 'Max payload size exceeded' : `Invalid WebSocket frame: ${error.message}`;
      const problem = new (error.closeCode === 1007 ? Error : RangeError)(words);
      problem.code = isTooBig ? 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH' : 'WS_ERR_INVALID_FRAME';
      this.emit('error', problem);
      this.#socket.destroySoon?.();
    }
  }

  #receiver = ((socket) => ({
    get isOver() {
      return socket.isOver;
    },
    message(opcode, payload) {
      socket.#message(opcode, payload);
    },
    control(opcode, payload) {
      socket.#control(opcode, payload);
    },
  }))(this);

  #message(opcode, payload) {
    if (this.#state !== OPEN && this.#state !== CLOSING) return;
    const isBinary = opcode !== OPCODE.TEXT;
    const bytes = isBinary ? payload : native.encodeUtf8(payload);
    let data = asBuffer(bytes);
    if (isBinary && this.#binaryType === 'arraybuffer') {
      data = payload.byteLength === payload.buffer.byteLength ? payload.buffer : AnySlice(payload).buffer;
    } else if (isBinary && this.#binaryType === 'fragments') data = [data];
    this.emit('message', data, isBinary);
  }

  #control(opcode, payload) {
    if (opcode === OPCODE.PING) {
      if (this.#autoPong) this.#frame(OPCODE.PONG, payload);
      this.emit('ping', asBuffer(payload));
    } else if (opcode === OPCODE.PONG) this.emit('pong', asBuffer(payload));
    else {
      const { code } = readClose(payload);
      this.#hasHeardClose = true;
      this.isOver = true;
      this.#closing = { code, reason: AnySubarray(payload, 2) };
      if (this.#hasSaidClose) this.#finish();
      else this.close(code === 1005 ? undefined : code, code === 1005 ? undefined : AnySubarray(payload, 2));
    }
  }

  #frame(opcode, payload, isSqueezed = false, callback = undefined, isLast = true) {
    if (this.#socket === null || this.#socket.destroyed) {
      callback?.(new Error('The socket is closed'));
      return;
    }
    const mask = this.#isServer ? undefined : newMask();
    this.#socket.write(encode(opcode, payload, { mask, isSqueezed, isLast }), callback);
  }

  /** Both sides have sent close frames: the server ends the connection, the client waits for that. */
  #finish() {
    if (this.#isServer) this.#socket.end();
    this.#timer ??= startTimer(() => this.#socket.destroy(), CLOSE_MS);
  }

  #handleClose() {
    if (this.#state === CLOSED) return;
    stopTimer(this.#timer);
    this.#state = CLOSED;
    this.isOver = true;
    this.emit('close', this.#closing.code, asBuffer(this.#closing.reason));
  }

  #fail(error) {
    if (this.#state === CLOSED) return;
    this.#state = CLOSING;
    this.isOver = true;
    nextTick(() => {
      this.emit('error', error);
      this.#handleClose();
    });
  }

  /** A server drops a connection that it does not accept. */
  emitClose() {
    this.#handleClose();
  }

  send(data, options = undefined, callback = undefined) {
    if (this.#state === CONNECTING) throw new Error('WebSocket is not open: readyState 0 (CONNECTING)');
    if (typeof options === 'function') [options, callback] = intact([undefined, options]);
    if (typeof data === 'number') data = `${data}`;
    const bytes =
      typeof data === 'string' ? native.encodeUtf8(data) : (bytesOf(data) ?? builtins.load('buffer').Buffer.from(data ?? ''));
    if (this.#state !== OPEN) {
      const error = new Error(`WebSocket is not open: readyState ${this.#state} (${STATES[this.#state]})`);
      if (callback) nextTick(callback, error);
      return;
    }
    const isBinary = options?.binary ?? typeof data !== 'string';
    const isLast = options?.fin ?? true;
    const opcode = this.#isContinued ? OPCODE.CONTINUATION : isBinary ? OPCODE.BINARY : OPCODE.TEXT;
    const isSqueezed = this.#squeeze !== undefined && (options?.compress ?? true) && isLast && !this.#isContinued;
    this.#isContinued = !isLast;
    this.#frame(opcode, isSqueezed ? this.#squeeze.deflate(bytes) : bytes, isSqueezed, callback, isLast);
  }
  #isContinued = false;

  ping(data = undefined, mask = undefined, callback = undefined) {
    this.#sendControl(OPCODE.PING, data, mask, callback);
  }
  pong(data = undefined, mask = undefined, callback = undefined) {
    this.#sendControl(OPCODE.PONG, data, mask, callback);
  }
  #sendControl(opcode, data, mask, callback) {
    if (this.#state === CONNECTING) throw new Error('WebSocket is not open: readyState 0 (CONNECTING)');
    if (typeof data === 'function') [data, callback] = intact([undefined, data]);
    else if (typeof mask === 'function') callback = mask;
    if (typeof data === 'number') data = `${data}`;
    if (this.#state !== OPEN) {
      const error = new Error(`WebSocket is not open: readyState ${this.#state} (${STATES[this.#state]})`);
      if (callback) nextTick(callback, error);
      return;
    }
    const bytes = data === undefined ? EMPTY : typeof data === 'string' ? native.encodeUtf8(data) : bytesOf(data);
    if (bytes.length > 125) throw new RangeError('The data size must not be greater than 125 bytes');
    this.#frame(opcode, bytes, false, callback);
  }

  close(code = undefined, reason = undefined) {
    if (this.#state === CLOSED) return;
    if (this.#state === CONNECTING) return void this.#abort();
    if (this.#state === CLOSING) {
      if (this.#hasSaidClose && this.#hasHeardClose) this.#socket?.end();
      return;
    }
    if (code !== undefined && !(typeof code === 'number' && closeCodeIsValid(code)))
      throw new TypeError('First argument must be a valid error code number');
    const words = typeof reason === 'string' ? native.encodeUtf8(reason) : (reason ?? EMPTY);
    if (words.length > 123) throw new RangeError('The message must not be greater than 123 bytes');
    const payload = new Uint8Array(code === undefined ? 0 : 2 + words.length);
    if (code !== undefined) {
      TypedArraySet(payload, [code >> 8, code & 0xff]);
      TypedArraySet(payload, words, 2);
    }
    this.#state = CLOSING;
    this.#frame(OPCODE.CLOSE, payload);
    this.#hasSaidClose = true;
    if (this.#hasHeardClose) this.#finish();
    else this.#timer ??= startTimer(() => this.#socket.destroy(), CLOSE_MS);
  }

  terminate() {
    if (this.#state === CLOSED) return;
    if (this.#state === CONNECTING) return void this.#abort();
    this.#state = CLOSING;
    this.#socket?.destroy();
  }

  #abort() {
    this.#request?.destroy();
    this.#fail(new Error('WebSocket was closed before the connection was established'));
  }

  pause() {
    if (this.#state === CONNECTING || this.#state === CLOSED) return;
    this.#isPaused = true;
    this.#socket.pause();
  }
  resume() {
    if (this.#state === CONNECTING || this.#state === CLOSED) return;
    this.#isPaused = false;
    this.#socket.resume();
  }

  addEventListener(type, handler, { once = false } = {}) {
    if (!(type in EVENTS) || ArraySome(this.#listeners, (each) => each.type === type && each.handler === handler)) return;
    const listener = (...given) => {
      if (once) this.removeEventListener(type, handler);
      const event = { type, target: this, ...EVENTS[type](this, ...intact(given)) };
      if (typeof handler === 'function') FunctionCall(handler, this, event);
      else handler.handleEvent(event);
    };
    ArrayPush(this.#listeners, { type, handler, listener });
    this.on(type, listener);
  }
  removeEventListener(type, handler) {
    const place = ArrayFindIndex(this.#listeners, (each) => each.type === type && each.handler === handler);
    if (place < 0) return;
    this.off(type, this.#listeners[place].listener);
    ArraySplice(this.#listeners, place, 1);
  }

  get readyState() {
    return this.#state;
  }
  get url() {
    return this.#url;
  }
  get protocol() {
    return this.#protocol;
  }
  get extensions() {
    return this.#extensions;
  }
  get isPaused() {
    return this.#isPaused;
  }
  get bufferedAmount() {
    return this.#socket?.writableLength ?? 0;
  }
  get binaryType() {
    return this.#binaryType;
  }
  set binaryType(type) {
    if (ArrayIncludes(BINARY_TYPES, type)) this.#binaryType = type;
  }
}

const EVENTS = {
  __proto__: null,
  open: () => ({}),
  message: (socket, data, isBinary) => ({ data: isBinary ? data : `${data}` }),
  close: (socket, code, reason) => ({ code, reason: `${reason}`, wasClean: code !== 1006 }),
  error: (socket, error) => ({ error, message: error.message }),
};
for (const type of intact(ObjectKeys(EVENTS))) {
  const handlers = new WeakMap();
  ObjectDefineProperty(WebSocket.prototype, `on${type}`, {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() {
      return WeakMapGet(handlers, this) ?? null;
    },
    set(handler) {
      const former = WeakMapGet(handlers, this);
      if (former) this.removeEventListener(type, former);
      WeakMapDelete(handlers, this);
      if (typeof handler !== 'function') return;
      WeakMapSet(handlers, this, handler);
      this.addEventListener(type, handler);
    },
  });
}
for (let state = 0; state < STATES.length; state++) {
  for (const target of intact([WebSocket, WebSocket.prototype]))
    ObjectDefineProperty(target, STATES[state], { __proto__: null, value: state, enumerable: true });
}

module.exports = { WebSocket };
