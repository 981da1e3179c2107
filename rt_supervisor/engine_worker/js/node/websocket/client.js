'use strict';
// Owns: the WebSocket client: its connection, messages in both directions, and its close. The opening handshake is in
// node/websocket/handshake.
//
//     CONNECTING --101--> OPEN --close()--> CLOSING --close frame of the peer, or end of the connection--> CLOSED
//     any state --failure--> CLOSED

const runtimeParts = require('internal/parts');
const { AnySlice, AnyThen } = require('internal/any_kind');
const {
  ArrayIsArray,
  ObjectDefineProperty,
  ObjectEntries,
  PromiseThen,
  StringStartsWith,
  intact,
} = require('internal/primordials');
const { PromiseAll } = require('internal/promises');
const { shapeForConsole } = require('internal/inspect/rt_forms');
const { guardReceivers, illegalInvocation } = require('internal/receivers');
const { Event, EventTarget, defineEventHandler, makeEnumerable } = require('web/event_target');
const { MessageEvent, CloseEvent, ErrorEvent } = require('web/messaging/events');
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
const { MEMBERS } = require('node/websocket/members');
const { bytesOf } = require('internal/bytes');
const { nextTick, setTimeout: startTimer, clearTimeout: stopTimer } = require('internal/timers');
const { checkUrl, domError } = require('node/websocket/address');
const { problemIn, protocolsIn, requestFor } = require('node/websocket/handshake');

const { native } = host;
const { 0: MOST_BYTES, 1: CLOSE_MS } = [256 * 1024 * 1024, 5000];
const { 0: CONNECTING, 1: OPEN, 2: CLOSING, 3: CLOSED } = [0, 1, 2, 3];
class WebSocket extends EventTarget {
  #url;
  #state = CONNECTING;
  #protocol = '';
  #extensions = '';
  #binaryType = 'blob';
  #buffered = 0;
  #socket;
  #request;
  #reader;
  #codec;
  #closing; // { code, reason } of the peer
  #timer;
  #wasClean = false;
  #waiting; // a promise, while a Blob ahead in the queue is being read
  #isClosing = false; // the program has called close()
  #isOver = false;

  constructor(url, protocols = undefined) {
    super();
    if (arguments.length === 0) throw new TypeError('WebSocket constructor: 1 argument required, but 0 found.');
    let options = {};
    if (
      protocols !== null &&
      typeof protocols === 'object' &&
      !ArrayIsArray(protocols) &&
      typeof protocols[Symbol.iterator] !== 'function'
    ) {
      options = protocols;
      ({ protocols } = options);
    }
    this.#url = checkUrl(url);
    const names = protocolsIn(protocols);
    const proxy = options.proxy ? require('node/websocket/proxy').readProxy(options.proxy) : undefined;
    this.#connect(names, { ...options, proxy });
  }

  #connect(protocols, options) {
    const url = this.#url;
    const { ask, key } = requestFor(url, protocols, options);
    let request;
    try {
      request = ask();
    } catch (error) {
      return void nextTick(() => this.#fail(error.message, error));
    }
    this.#request = request;
    request.on('error', (error) => this.#fail(`WebSocket connection to '${url.href}' failed: ${error.message}`, error));
    request.on('response', (response) => {
      response.resume();
      request.destroy();
      this.#fail(`WebSocket connection to '${url.href}' failed: Expected 101 status code`);
    });
    request.on('upgrade', (response, socket, head) => this.#handleOpen(response, socket, head, key, protocols));
    request.end();
    return undefined;
  }

  #handleOpen(response, socket, head, key, protocols) {
    const { 'sec-websocket-protocol': protocol, 'sec-websocket-extensions': extensions } = response.headers;
    const problem = problemIn(response.headers, key, protocols);
    if (problem !== undefined || this.#state !== CONNECTING) {
      socket.destroy();
      if (problem !== undefined) this.#fail(problem);
      return;
    }
    if (extensions !== undefined) this.#codec = require('node/websocket/deflate').createCodec();
    this.#request = undefined;
    this.#socket = socket;
    this.#protocol = protocol ?? '';
    this.#extensions = extensions ?? '';
    this.#reader = new FrameReader({ isMasked: false, limit: MOST_BYTES, inflate: this.#codec?.inflate });
    this.#state = OPEN;
    socket.setNoDelay?.(true);
    socket.setTimeout?.(0);
    socket.on('data', (bytes) => this.#take(bytes));
    socket.on('error', (error) => runtimeParts.publish?.('undici:websocket:socket_error', error));
    socket.on('end', () => socket.end());
    socket.on('close', () => this.#handleClose());
    socket.resume();
    this.dispatchEvent(new Event('open'));
    if (runtimeParts.publish !== undefined) this.#publishOpen(response, socket);
    if (head.length > 0) this.#take(head);
  }

  #publishOpen(response, socket) {
    runtimeParts.publish('undici:websocket:open', {
      address: socket.address(),
      protocol: this.#protocol,
      extensions: this.#extensions,
      websocket: this,
      handshakeResponse: { status: response.statusCode, statusText: response.statusMessage, headers: response.headers },
    });
  }

  #take(bytes) {
    if (this.#isOver) return;
    try {
      this.#reader.push(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength), this.#receiver);
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      if (this.#state === OPEN) this.#write(encode(OPCODE.CLOSE, closePayload(error.closeCode, ''), { mask: newMask() }));
      this.#closing = { code: 1006, reason: error.message, error };
      this.#state = CLOSING;
      this.#isOver = true;
      this.#socket.destroy();
    }
  }

  #receiver = ((socket) => ({
    get isOver() {
      return socket.#isOver;
    },
    message(opcode, payload) {
      socket.#message(opcode, payload);
    },
    control(opcode, payload) {
      socket.#control(opcode, payload);
    },
  }))(this);

  #message(opcode, payload) {
    if (this.#state === OPEN) this.#dispatch('message', opcode === OPCODE.TEXT ? payload : this.#toBinaryType(payload));
  }
  #dispatch(type, data) {
    this.dispatchEvent(new MessageEvent(type, { data, origin: this.#url.origin }));
  }
  /** Bytes in the form of `binaryType`. */
  #toBinaryType(bytes) {
    if (this.#binaryType === 'blob') return new (require('web/blob/blob').Blob)([bytes]);
    if (this.#binaryType === 'nodebuffer') return require('node/buffer/views').asBuffer(bytes);
    return bytes.byteLength === bytes.buffer.byteLength ? bytes.buffer : AnySlice(bytes).buffer;
  }

  #control(opcode, payload) {
    if (opcode === OPCODE.PING || opcode === OPCODE.PONG) {
      if (this.#state !== OPEN) return;
      if (opcode === OPCODE.PING) this.#write(encode(OPCODE.PONG, payload, { mask: newMask() }));
      const type = opcode === OPCODE.PING ? 'ping' : 'pong';
      runtimeParts.publish?.(`undici:websocket:${type}`, { payload, websocket: this });
      this.#dispatch(type, this.#toBinaryType(payload)); // a non-standard event of the peer runtime
      return;
    }
    const closing = readClose(payload);
    this.#closing = closing;
    this.#wasClean = true;
    if (this.#state === OPEN) {
      this.#state = CLOSING;
      this.#write(encode(OPCODE.CLOSE, closing.code === 1005 ? EMPTY : closePayload(closing.code, ''), { mask: newMask() }));
    }
    this.#isOver = true;
    this.#socket.end();
    this.#limitClosing();
  }

  #limitClosing() {
    this.#timer ??= startTimer(() => this.#socket?.destroy(), CLOSE_MS);
  }

  #write(frame, size = 0) {
    if (this.#socket.destroyed) return;
    this.#buffered += size;
    this.#socket.write(frame, () => {
      this.#buffered -= size;
    });
  }

  #fail(message, error) {
    if (this.#state === CLOSED) return;
    this.#state = CLOSED;
    this.#isOver = true;
    this.dispatchEvent(new ErrorEvent('error', { message, error: error ?? new Error(message) }));
    this.#close({ code: 1006, reason: StringStartsWith(message, 'WebSocket') ? '' : message, wasClean: false });
  }

  #handleClose() {
    if (this.#state === CLOSED) return;
    stopTimer(this.#timer);
    this.#state = CLOSED;
    this.#isOver = true;
    const { code, reason, error } = this.#closing ?? { code: 1006, reason: '', error: new Error('The connection broke off') };
    if (error !== undefined) this.dispatchEvent(new ErrorEvent('error', { message: error.message, error }));
    this.#close({ code, reason, wasClean: this.#wasClean });
  }
  #close(facts) {
    this.dispatchEvent(new CloseEvent('close', facts));
    runtimeParts.publish?.('undici:websocket:close', { websocket: this, code: facts.code, reason: facts.reason });
  }

  send(data) {
    if (arguments.length === 0) throw new TypeError('WebSocket.send: 1 argument required, but 0 found.');
    if (this.#state === CONNECTING) throw domError('Sent before connected.', 'InvalidStateError');
    if (typeof data === 'object' && data !== null && typeof data.arrayBuffer === 'function' && bytesOf(data) === undefined) {
      this.#sendLater(
        OPCODE.BINARY,
        data.size,
        AnyThen(data.arrayBuffer(), (buffer) => new Uint8Array(buffer)),
      );
      return;
    }
    const bytes = bytesOf(data);
    if (this.#waiting !== undefined) {
      const copy = bytes === undefined ? native.encodeUtf8(`${data}`) : AnySlice(bytes);
      this.#sendLater(bytes === undefined ? OPCODE.TEXT : OPCODE.BINARY, copy.length, copy);
      return;
    }
    if (bytes === undefined) this.#sendBytes(OPCODE.TEXT, native.encodeUtf8(`${data}`));
    else this.#sendBytes(OPCODE.BINARY, bytes);
  }

  /** Reads a Blob's bytes before sending; later messages wait for it. */
  #sendLater(opcode, size, bytes) {
    this.#buffered += size;
    const completion = PromiseThen(PromiseAll([bytes, this.#waiting]), ({ 0: ready }) => {
      this.#buffered -= size;
      if (this.#waiting === completion) this.#waiting = undefined;
      this.#sendBytes(opcode, ready);
    });
    this.#waiting = completion;
  }

  #sendBytes(opcode, bytes) {
    if (this.#state !== OPEN) {
      this.#buffered += bytes.length;
      return;
    }
    const isSqueezed = this.#codec !== undefined;
    this.#write(encode(opcode, isSqueezed ? this.#codec.deflate(bytes) : bytes, { mask: newMask(), isSqueezed }), bytes.length);
  }

  close(code = undefined, reason = undefined) {
    if (code !== undefined) {
      code = Number(code) & 0xffff;
      if (code !== 1000 && (code < 3000 || code > 4999)) throw domError('invalid code', 'InvalidAccessError');
    }
    const { length } = native.encodeUtf8(`${reason ?? ''}`);
    if (length > 123) throw domError(`Reason must be less than 123 bytes; received ${length}`, 'SyntaxError');
    if (this.#state === CONNECTING) {
      this.#state = CLOSING;
      nextTick(() => {
        this.#request?.destroy();
        this.#state = CONNECTING;
        this.#fail('WebSocket was closed before the connection was established');
      });
      return;
    }
    if (this.#state !== OPEN || this.#isClosing) return;
    this.#isClosing = true;
    if (this.#waiting === undefined) this.#sayClose(code, reason);
    else PromiseThen(this.#waiting, () => this.#sayClose(code, reason));
  }
  #sayClose(code, reason) {
    if (this.#state !== OPEN) return;
    this.#state = CLOSING;
    this.#write(
      encode(OPCODE.CLOSE, closePayload(code ?? (reason === undefined ? undefined : 1000), `${reason ?? ''}`), {
        mask: newMask(),
      }),
    );
    this.#limitClosing();
  }

  /** Not standard; as in the peer runtime and in `ws`. */
  terminate() {
    if (this.#socket === undefined) this.close();
    else {
      this.#closing ??= { code: 1006, reason: '' };
      this.#socket.destroy();
    }
  }
  ping(data = EMPTY) {
    if (this.#state === OPEN)
      this.#write(encode(OPCODE.PING, bytesOf(data) ?? native.encodeUtf8(`${data}`), { mask: newMask() }));
  }
  pong(data = EMPTY) {
    if (this.#state === OPEN)
      this.#write(encode(OPCODE.PONG, bytesOf(data) ?? native.encodeUtf8(`${data}`), { mask: newMask() }));
  }
  ref() {
    this.#socket?.ref();
  }
  unref() {
    this.#socket?.unref();
  }

  get url() {
    return this.#url.href;
  }
  get readyState() {
    return this.#isClosing && this.#state === OPEN ? CLOSING : this.#state;
  }
  get bufferedAmount() {
    return this.#buffered;
  }
  get extensions() {
    return this.#extensions;
  }
  get protocol() {
    return this.#protocol;
  }
  get binaryType() {
    return this.#binaryType;
  }
  set binaryType(value) {
    if (value === 'blob' || value === 'arraybuffer' || value === 'nodebuffer') this.#binaryType = value;
  }
}

for (const type of intact(['open', 'error', 'close', 'message'])) defineEventHandler(WebSocket.prototype, type);
guardReceivers(WebSocket, illegalInvocation);
makeEnumerable(WebSocket, 'WebSocket');
shapeForConsole(WebSocket.prototype, MEMBERS);
for (const { 0: name, 1: value } of intact(ObjectEntries({ CONNECTING, OPEN, CLOSING, CLOSED }))) {
  for (const target of intact([WebSocket, WebSocket.prototype]))
    ObjectDefineProperty(target, name, { __proto__: null, value, enumerable: true });
}

module.exports = { WebSocket };
