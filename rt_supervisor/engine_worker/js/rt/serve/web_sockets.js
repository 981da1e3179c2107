'use strict';
// Owns: web sockets of RT.serve: the object passed to a program's handlers, topics, backpressure, and closing. The handshake is
// in rt/serve/web_socket_upgrade.
//
// open --close()--> closing --the other side's close, or the end of the connection--> closed

const { AnyThen } = require('internal/any_kind');
const {
  FunctionCall,
  MapDelete,
  MapGet,
  MapSet,
  MathMax,
  SetAdd,
  SetClear,
  SetDelete,
  SetHas,
  WeakMapGet,
  WeakMapSet,
  intact,
} = require('internal/primordials');
const { OPCODE, FrameReader, FrameError, encode, closePayload, readClose, EMPTY } = require('internal/web_socket/frames');
const {
  asBinaryType,
  binaryMessageOf,
  binaryTypeOf,
  compressOf,
  controlOf,
  messageOf,
  textMessageOf,
  topicOf,
} = require('rt/serve/web_socket_arguments');
const { validateFunction } = require('internal/validators');
const { call } = require('internal/timers');
const { consoleForm } = require('internal/inspect/rt_forms');

const native = host.native;
const GOING_AWAY = 1001;
const STATE = { OPEN: 1, CLOSING: 2, CLOSED: 3 };

const socketParts = new WeakMap();

/** The connection's side of a web socket. */
class Wire {
  #reader;
  #state = STATE.OPEN;
  #closing; // { code, reason } received from the other side
  isOver = false;
  topics = new Set();
  #lastReceivedAt = native.now();
  #isRequested = false;

  constructor(server, connection, options, squeeze) {
    this.server = server;
    this.connection = connection;
    this.options = options;
    this.squeeze = squeeze;
    this.#reader = new FrameReader({ isMasked: true, limit: options.maxPayload, inflate: squeeze?.inflate });
  }

  get state() {
    return this.#state;
  }

  open() {
    SetAdd(this.options.sockets, this.socket);
    this.#callHandler('open');
  }

  #callHandler(name, ...args) {
    const handler = this.options[name];
    if (handler === undefined) return;
    // Each handler runs in its own turn: an error that it throws does not affect the caller.
    call(
      () => {
        let result;
        try {
          result = FunctionCall(handler, this.options, this.socket, ...intact(args));
        } catch (error) {
          const { error: onError } = this.options;
          if (onError === undefined) throw error;
          result = FunctionCall(onError, undefined, error, this.socket);
        }
        if (typeof result?.then === 'function')
          AnyThen(result, undefined, (error) => {
            throw error;
          });
      },
      undefined,
      [],
    );
  }

  take(bytes) {
    if (this.isOver) return;
    this.#lastReceivedAt = native.now();
    this.#isRequested = false;
    try {
      this.#reader.push(bytes, this);
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      this.#fail(error.closeCode, error.message);
    }
  }

  message(opcode, payload) {
    if (this.#state !== STATE.OPEN) return;
    this.#callHandler('message', opcode === OPCODE.TEXT ? payload : asBinaryType(payload, this.socket.binaryType));
  }

  control(opcode, payload) {
    if (opcode === OPCODE.PING) {
      if (this.#state === STATE.OPEN) this.#write(encode(OPCODE.PONG, payload));
      this.#callHandler('ping', asBinaryType(payload, this.socket.binaryType));
    } else if (opcode === OPCODE.PONG) {
      this.#callHandler('pong', asBinaryType(payload, this.socket.binaryType));
    } else {
      const answer = readClose(payload);
      // The side that closed first determines the reason.
      const closing = this.#state === STATE.CLOSING ? this.#closing : answer;
      this.#closing = closing;
      if (this.#state === STATE.OPEN)
        this.#write(encode(OPCODE.CLOSE, closing.code === 1005 ? EMPTY : closePayload(closing.code, closing.reason)));
      this.#end(closing.code, closing.reason);
    }
  }

  /** Called when the other side violated the protocol. */
  #fail(code, reason) {
    if (this.#state === STATE.OPEN) this.#write(encode(OPCODE.CLOSE, closePayload(code, reason)));
    this.#end(code, reason);
  }

  #end(code, reason) {
    if (this.isOver) return;
    this.isOver = true;
    this.#state = STATE.CLOSED;
    this.#leave();
    this.connection.finish();
    this.#callHandler('close', code, reason);
  }

  #leave() {
    SetDelete(this.options.sockets, this.socket);
    for (const topic of intact(this.topics)) unsubscribe(this.server, this.socket, topic);
    SetClear(this.topics);
  }

  /** Called when the connection ended without a close frame. */
  handleClose() {
    if (this.isOver) return;
    this.isOver = true;
    this.#state = STATE.CLOSED;
    this.#leave();
    const { code, reason } = this.#closing ?? { code: 1006, reason: '' };
    this.#callHandler('close', code, reason);
  }

  handleDrain() {
    if (this.#state === STATE.OPEN) this.#callHandler('drain');
  }

  #write(frame) {
    return this.connection.write(0, frame, undefined);
  }

  get buffered() {
    return this.isOver ? 0 : this.connection.source.waiting(this.connection.number);
  }

  /** Returns the number of bytes sent, -1 if they are queued, 0 if they were dropped. */
  send(opcode, payload, compress) {
    if (this.#state !== STATE.OPEN) return 0;
    const { backpressureLimit, closesOnLimit } = this.options;
    if (this.buffered > backpressureLimit) {
      if (closesOnLimit) this.terminate();
      return 0;
    }
    const squeezed = this.squeeze !== undefined && compress && opcode < 8;
    const body = squeezed ? this.squeeze.deflate(payload) : payload;
    const outcome = this.#write(encode(opcode, body, { isSqueezed: squeezed }));
    return outcome === 0 ? MathMax(payload.length, 1) : outcome === 1 ? -1 : 0;
  }

  close(code, reason) {
    if (this.#state !== STATE.OPEN) return;
    this.#write(encode(OPCODE.CLOSE, closePayload(code ?? 1000, reason)));
    this.#state = STATE.CLOSING;
    this.#closing = { code: code ?? 1000, reason: reason ?? '' };
    this.#lastReceivedAt = native.now();
  }

  /** Called when the server stops immediately: sends a close frame and does not wait for the answer. */
  handleServerStop() {
    if (this.#state === STATE.OPEN && this.buffered === 0) this.#fail(GOING_AWAY, 'Server closed');
    else this.terminate();
  }

  terminate() {
    if (this.isOver) return;
    this.#closing ??= { code: 1006, reason: '' };
    this.#state = STATE.CLOSED;
    this.connection.destroy();
  }

  sweep(now, { idleMs, sendsPings }) {
    const silence = now - this.#lastReceivedAt;
    if (silence > idleMs || (this.#state === STATE.CLOSING && silence > 5000)) this.terminate();
    else if (sendsPings && !this.#isRequested && silence > idleMs / 2 && this.#state === STATE.OPEN) {
      this.#isRequested = true;
      this.#write(encode(OPCODE.PING, EMPTY));
    }
  }
}

class ServerWebSocket {
  #wire;
  #binaryType = 'nodebuffer';

  constructor(wire, data) {
    this.#wire = wire;
    this.data = data;
    wire.socket = this;
    WeakMapSet(socketParts, this, wire);
  }

  get readyState() {
    return this.#wire.state;
  }
  get remoteAddress() {
    const { connection } = this.#wire;
    return connection.isGone ? '' : (connection.source.peer(connection.number)?.address ?? '');
  }
  get subscriptions() {
    return [...intact(this.#wire.topics)];
  }

  get binaryType() {
    return this.#binaryType;
  }
  set binaryType(value) {
    this.#binaryType = binaryTypeOf(value);
  }

  send(data, compress = undefined) {
    return this.#send(messageOf(data, 'send'), compressOf(compress, 'send'));
  }
  sendText(data, compress = undefined) {
    return this.#send(textMessageOf(data, 'sendText'), compressOf(compress, 'sendText'));
  }
  sendBinary(data, compress = undefined) {
    return this.#send(binaryMessageOf(data, 'sendBinary'), compressOf(compress, 'sendBinary'));
  }
  #send({ 0: opcode, 1: payload }, compress) {
    return this.#wire.send(opcode, payload, compress);
  }
  ping(data = undefined) {
    return this.#wire.send(OPCODE.PING, controlOf(data ?? EMPTY, 'ping'), false);
  }
  pong(data = undefined) {
    return this.#wire.send(OPCODE.PONG, controlOf(data ?? EMPTY, 'pong'), false);
  }
  close(code = undefined, reason = undefined) {
    this.#wire.close(code, reason === undefined ? undefined : `${reason}`);
  }
  terminate() {
    this.#wire.terminate();
  }
  getBufferedAmount() {
    return this.#wire.buffered;
  }
  cork(callback) {
    validateFunction(callback, 'callback');
    return FunctionCall(callback, this, this);
  }

  subscribe(topic) {
    const { server, topics } = this.#wire;
    const name = topicOf(topic, 'subscribe');
    if (this.#wire.state !== STATE.OPEN) return false;
    let subscribers = MapGet(server.topics, name);
    if (subscribers === undefined) MapSet(server.topics, name, (subscribers = new Set()));
    SetAdd(subscribers, this);
    SetAdd(topics, name);
    return true;
  }
  unsubscribe(topic) {
    const name = topicOf(topic, 'unsubscribe');
    SetDelete(this.#wire.topics, name);
    return unsubscribe(this.#wire.server, this, name);
  }
  isSubscribed(topic) {
    return SetHas(this.#wire.topics, topicOf(topic, 'isSubscribed'));
  }
  publish(topic, data, compress = undefined) {
    return this.#publish(topic, messageOf, data, compress, 'publish');
  }
  publishText(topic, data, compress = undefined) {
    return this.#publish(topic, textMessageOf, data, compress, 'publishText');
  }
  publishBinary(topic, data, compress = undefined) {
    return this.#publish(topic, binaryMessageOf, data, compress, 'publishBinary');
  }
  #publish(topic, read, data, compress, method) {
    const name = topicOf(topic, method);
    return deliver(this.#wire.server, this, name, read(data, method), compressOf(compress, method));
  }

  [consoleForm](printer) {
    const { data, readyState, binaryType, remoteAddress } = this;
    printer.object({ binaryType, data, readyState, remoteAddress }, 'ServerWebSocket');
  }
}

function unsubscribe(server, socket, topic) {
  const subscribers = MapGet(server.topics, topic);
  if (subscribers === undefined || !SetDelete(subscribers, socket)) return false;
  if (subscribers.size === 0) MapDelete(server.topics, topic);
  return true;
}

/** Publishes on behalf of the server, which is not itself a subscriber. */
function publish(server, topic, data, compress) {
  const name = topicOf(topic, 'publish');
  return deliver(server, undefined, name, messageOf(data, 'publish'), compressOf(compress, 'publish'));
}

/**
 * Sends to all subscribers of a topic except the publisher. Returns the bytes sent, -1 if some are queued, 0 without
 * subscribers.
 */
function deliver(server, publisher, topic, { 0: opcode, 1: payload }, compress) {
  const subscribers = MapGet(server.topics, topic);
  if (subscribers === undefined) return 0;
  let outcome = 0;
  for (const socket of intact(subscribers)) {
    const wire = WeakMapGet(socketParts, socket);
    if (socket === publisher && !wire.options.publishesToSelf) continue;
    const status = wire.send(opcode, payload, compress);
    if (status === -1 || outcome === -1) outcome = -1;
    else if (status > 0) outcome = MathMax(payload.length, 1);
  }
  return outcome;
}

/** Validates the option `websocket`. */
const optionsOf = (options) => new (require('rt/serve/web_socket_options').WebSocketOptions)(options, socketParts);

module.exports = { ServerWebSocket, Wire, optionsOf, publish };
