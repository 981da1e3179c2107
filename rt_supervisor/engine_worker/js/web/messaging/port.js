// @ts-check
'use strict';
// Owns: MessagePort and MessageChannel: two ends, each with a queue of received messages. A message is cloned when it is posted
// and delivered in a later turn, once the receiving end has a listener. An end with a listener keeps the program alive until it
// is closed or unref'd.
//
// The ends are connected by a link, `{ post(message), close() }`, which calls `arrived(port, message)` and `linkClosed(port)`
// for the other end. In this file both ends are in one engine; a worker's are in two.

const {
  ArrayFilter,
  ArrayForEach,
  ArrayIncludes,
  ArrayMap,
  ObjectAssign,
  ObjectFreeze,
  ObjectDefineProperty,
  ObjectSetPrototypeOf,
  ReflectApply,
  SymbolFor,
  intact,
} = require('internal/primordials');
const timers = require('internal/timers');
const context = require('internal/async/context');
const { addHandle, removeHandle } = require('internal/active_handles');
const { Queue } = require('internal/queue');
const { registerCloneable } = require('internal/cloneable');
const { cloneWith, dataCloneError } = require('web/messaging/structured_clone');
const { messageEvent } = require('web/messaging/events');
const { NodeEventTarget, kArgumentOf, kListenerAdded, kListenerRemoved } = require('web/messaging/node_event_target');
const { shapeForConsole } = require('internal/inspect/rt_forms');
const { Event } = require('web/event_target');
const { inspectNamed } = require('internal/inspect/named');

const NONE = /** @type {any} */ (ObjectFreeze([])); // the ports of most messages
const inspectSymbol = SymbolFor('nodejs.util.inspect.custom');
const nameOf = () => 'MessagePort'; // in process.getActiveResourcesInfo
let inner; // access to MessagePort's private members, for the functions below

/** The class of ports. Programs see `MessagePort`, which shares its prototype and creates none. */
class Port extends NodeEventTarget {
  #queue = new Queue();
  /** @type {any} */
  #link = null;
  #isStarted = false;
  #isDelivering = false;
  #isClosed = false;
  #isMoved = false;
  #isReferenced = false; // whether it keeps the program alive
  #handlers = { message: null, messageerror: null };

  constructor() {
    super();
    if (context.isUsed) context.initResource(this, 'MESSAGEPORT');
  }

  [kArgumentOf](event) {
    return event.type === 'message' || event.type === 'messageerror' ? event.data : event;
  }

  static {
    inner = {
      isPort: (value) => typeof value === 'object' && value !== null && #queue in value,
      connect: (port, link) => {
        port.#link = link;
      },
      link: (port) => port.#link,
      isGone: (port) => port.#isClosed || port.#isMoved,
      isActive: (port) => !port.#isClosed && !port.#isMoved,
      isReferenced: (port) => port.#isReferenced,
      take: (port) => port.#queue.shift(),
      push(port, message) {
        if (port.#isClosed) return;
        port.#queue.push(message);
        port.#deliverSoon();
      },
      /** Moves the state of a port to another one; the old one becomes unusable. */
      move(from, to) {
        to.#queue = from.#queue;
        from.#queue = new Queue();
        to.#link = from.#link;
        from.#link = null;
        from.#isMoved = true;
        from.unref();
        return to;
      },
      end(port) {
        port.#end();
      },
      /** Like `push`, but delivers in the current turn, which began for this message. */
      hear(port, message) {
        if (port.#isClosed) return;
        port.#queue.push(message);
        if (port.#isStarted && !port.#isDelivering) port.#deliver();
      },
      /** Removes a port from this engine. Returns its link and the undelivered messages. */
      expel(port) {
        const link = port.#isClosed ? null : port.#link;
        const messages = port.#queue.clear();
        port.#link = null;
        port.#isMoved = true;
        port.unref();
        return { link, messages };
      },
    };
  }

  postMessage(message, transferOrOptions = undefined) {
    if (arguments.length === 0)
      throw ObjectAssign(new TypeError('Not enough arguments to MessagePort.postMessage'), { code: 'ERR_MISSING_ARGS' });
    const transfer = transferList(transferOrOptions);
    if (this.#link?.send !== undefined && !inner.isGone(this)) return this.#link.send(message, transfer) || undefined;
    const target = this.#link?.peer?.();
    const isLost = target !== undefined && ArrayIncludes(transfer, target);
    const { 0: data, 1: moved } = cloneWith(message, transfer, this);
    if (inner.isGone(this)) return undefined;
    if (isLost) {
      host.emitWarning('The target port was posted to itself, and the communication channel was lost');
      ArrayForEach(ArrayFilter(moved, inner.isPort), (port) => port.close());
      this.close();
      return true;
    }
    this.#link?.post({ data, ports: moved.length === 0 ? NONE : ArrayFilter(moved, inner.isPort) });
    return true;
  }

  start() {
    this.#isStarted = true;
    this.#deliverSoon();
  }

  close(callback = undefined) {
    if (typeof callback === 'function') this.once('close', callback);
    if (this.#isClosed || this.#isMoved) return;
    const link = this.#link;
    timers.setImmediate(() => {
      this.#end();
      link?.close();
    });
    this.#isClosed = true;
  }

  ref() {
    if (this.#isReferenced || (this.#isClosed && this.#queue.size === 0)) return;
    this.#isReferenced = true;
    timers.hold();
    addHandle(this, nameOf);
  }

  unref() {
    if (!this.#isReferenced) return;
    this.#isReferenced = false;
    timers.release();
    removeHandle(this);
  }

  hasRef() {
    return this.#isReferenced;
  }

  get onmessage() {
    return this.#handlers.message;
  }
  set onmessage(listener) {
    this.#setHandler('message', listener);
    if (typeof listener === 'function') {
      this.ref();
      this.start();
    } else if (this.listenerCount('message') === 0) this.unref();
  }

  get onmessageerror() {
    return this.#handlers.messageerror;
  }
  set onmessageerror(listener) {
    this.#setHandler('messageerror', listener);
  }

  #setHandler(type, listener) {
    const before = this.#handlers[type];
    if (before !== null) super.removeEventListener(type, before);
    this.#handlers[type] = typeof listener === 'function' ? listener : null;
    if (this.#handlers[type] !== null) super.addEventListener(type, listener);
  }

  // As in Node, the first listener starts the port; removing the last one stops it and lets the program end.
  [kListenerAdded](type) {
    if (type !== 'message' || this.#isClosed) return;
    this.ref();
    this.start();
  }

  [kListenerRemoved](type) {
    if (type !== 'message' || this.listenerCount('message') > 0) return;
    this.unref();
    this.#isStarted = false; // messages wait for the next listener
  }

  #deliverSoon() {
    if (!this.#isStarted || this.#isDelivering || this.#queue.size === 0) return;
    this.#isDelivering = true;
    timers.setImmediate(() => this.#deliver());
  }

  #deliver() {
    this.#isDelivering = false;
    if (!this.#isStarted) return;
    const count = this.#queue.size; // messages that arrive meanwhile wait for another turn
    for (let each = 0; each < count && this.#queue.size > 0; each++) {
      const { data, ports, error } = this.#queue.shift();
      this.dispatchEvent(messageEvent(error === undefined ? 'message' : 'messageerror', { data, ports }));
      timers.drain();
    }
    this.#deliverSoon();
  }

  #end() {
    if (this.#isMoved) return;
    this.#isClosed = true;
    this.#link = null;
    if (this.#queue.size > 0 && this.#isStarted) this.#deliver();
    this.unref();
    this.dispatchEvent(new Event('close'));
  }

  /** @returns {any} */
  [inspectSymbol](depth, options, inspect) {
    if (depth < 0) return this;
    const fields = { active: inner.isActive(this), refed: inner.isReferenced(this) };
    return inspectNamed('MessagePort [EventTarget]', fields, options, inspect);
  }
}

function MessagePort() {
  throw ObjectAssign(new TypeError('Constructor cannot be called'), { code: 'ERR_CONSTRUCT_CALL_INVALID' });
}
ObjectSetPrototypeOf(MessagePort, NodeEventTarget);
ObjectDefineProperty(MessagePort, 'prototype', { __proto__: null, value: Port.prototype, writable: false });
ObjectDefineProperty(Port.prototype, 'constructor', { __proto__: null, value: MessagePort });

for (const name of intact(['postMessage', 'start', 'close', 'ref', 'unref', 'hasRef', 'onmessage', 'onmessageerror'])) {
  ObjectDefineProperty(MessagePort.prototype, name, { __proto__: null, enumerable: true });
}
ObjectDefineProperty(MessagePort.prototype, Symbol.toStringTag, { __proto__: null, configurable: true, value: 'MessagePort' });
// prettier-ignore
shapeForConsole(MessagePort.prototype, [
  'onmessage', 'onmessageerror', 'postMessage', 'start', 'close', 'ref', 'unref', 'hasRef',
]);

/** Returns whether `value` has an iterator with a `next` method. */
function isIterable(value) {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  const { [Symbol.iterator]: begin } = value;
  if (typeof begin !== 'function') return false;
  const iterator = ReflectApply(begin, value, []);
  return typeof iterator === 'object' && iterator !== null && typeof iterator.next === 'function';
}

function transferList(transfer) {
  if (transfer === undefined || transfer === null) return [];
  const isList = typeof transfer !== 'object' || transfer[Symbol.iterator] !== undefined;
  const list = isList ? transfer : transfer.transfer;
  if (list === undefined) return [];
  if (!isIterable(list)) {
    const what = list === transfer ? 'Optional transferList argument' : 'Optional options.transfer argument';
    throw ObjectAssign(new TypeError(`${what} must be an iterable`), { code: 'ERR_INVALID_ARG_TYPE' });
  }
  return [...intact(list)];
}

/** Creates two connected ports in one engine. A port that moves keeps its link. */
function entangle() {
  const ends = [{ port: new Port() }, { port: new Port() }];
  ArrayForEach(ends, (end, place) => {
    const other = ends[1 - place];
    end.port = ObjectAssign(end, {
      link: {
        end,
        post: (message) => inner.push(other.port, message),
        close: () => inner.end(other.port),
        peer: () => other.port,
      },
    }).port;
    inner.connect(end.port, end.link);
  });
  return ArrayMap(ends, (end) => end.port);
}

/** Creates a port whose other end is elsewhere: posted messages go to `link`. */
function linkedPort(link) {
  const port = new Port();
  inner.connect(port, link);
  return port;
}

registerCloneable(inner.isPort, undefined, (port) => {
  if (inner.isGone(port)) throw dataCloneError('MessagePort in transfer list is already detached');
  const successor = inner.move(port, new Port());
  const link = inner.link(successor);
  if (link?.end) link.end.port = successor;
  return successor;
});

function MessageChannel() {
  if (new.target === undefined) {
    throw ObjectAssign(new TypeError('Cannot call constructor without `new`'), { code: 'ERR_CONSTRUCT_CALL_REQUIRED' });
  }
  [this.port1, this.port2] = intact(entangle());
}

/** Removes and returns the oldest message of a port synchronously. */
function receiveMessageOnPort(port) {
  if (!inner.isPort(port)) {
    const { BroadcastChannel, takeMessage } = require('web/messaging/broadcast');
    if (!(port instanceof BroadcastChannel))
      throw ObjectAssign(new TypeError('The "port" argument must be a MessagePort instance'), { code: 'ERR_INVALID_ARG_TYPE' });
    const message = takeMessage(port);
    return message && { message: message[0] };
  }
  inner.link(port)?.pump?.(); // messages that another engine posted and no turn has delivered
  const message = inner.take(port);
  return message === undefined ? undefined : { message: message.data };
}

module.exports = {
  MessagePort,
  MessageChannel,
  receiveMessageOnPort,
  entangle,
  linkedPort,
  arrived: inner.push,
  linkClosed: inner.end,
  isPort: inner.isPort,
  isGone: inner.isGone,
  linkOf: inner.link,
  hear: inner.hear,
  connect: inner.connect,
  expel: inner.expel,
  newPort: () => new Port(),
};
