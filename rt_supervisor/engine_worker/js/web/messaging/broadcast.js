// @ts-check
'use strict';
// Owns: BroadcastChannel: a message posted to one channel is delivered to all others of its name in a later turn. Channels with
// listeners keep the program alive.

const {
  ArrayPush,
  ArrayShift,
  MapDelete,
  MapGet,
  MapSet,
  ObjectDefineProperty,
  SetAdd,
  SetDelete,
  SymbolFor,
  intact,
} = require('internal/primordials');
const timers = require('internal/timers');
const { codes } = require('internal/errors/errors');
const { cloneWith } = require('web/messaging/structured_clone');
const { messageEvent } = require('web/messaging/events');
const { EventTarget, defineEventHandler } = require('web/event_target');
const { addHandle, removeHandle } = require('internal/active_handles');
const { inspectNamed } = require('internal/inspect/named');
const { guardReceivers, invalidThis } = require('internal/receivers');

const channels = new Map(); // name -> open channels, oldest first
const nameOf = () => 'MessagePort'; // in process.getActiveResourcesInfo: Node's name for both
let inner; // access to private members, for the functions below

// Mailboxes shared with the process's other engines: one for each name and engine.
const boxes = new Map();
const elsewhere = {
  join(name) {
    const box = host.native.mailboxOpen();
    MapSet(boxes, name, box);
    host.native.mailboxListen(box, () => elsewhere.bring(name, inner.hear));
    host.native.workers_join(name, box);
  },
  /** Receives messages posted by other engines; `deliver(channel)` delivers one to a channel. */
  bring(name, deliver) {
    const { takeFrom } = require('web/messaging/across');
    for (let packet; (packet = takeFrom(MapGet(boxes, name)));) {
      for (const channel of intact(MapGet(channels, name) ?? [])) {
        inner.push(channel, packet.data);
        deliver(channel);
      }
    }
  },
  leave(name) {
    const box = MapGet(boxes, name);
    MapDelete(boxes, name);
    host.native.workers_leave(name, box);
    host.native.mailboxListen(box, undefined);
    host.native.mailboxClose(box);
  },
  post(name, message) {
    const { send } = require('web/messaging/across');
    for (const box of intact(host.native.workers_others(name, MapGet(boxes, name)))) send(box, message, [], undefined);
  },
};

const inspectSymbol = SymbolFor('nodejs.util.inspect.custom');

class BroadcastChannel extends EventTarget {
  #name;
  #isClosed = false;
  /** @type {unknown[]} */
  #waiting = []; // messages not yet delivered
  #isReferenced = false; // whether it keeps the program alive

  constructor(name) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('name');
    super();
    this.#name = `${name}`;
    this.ref();
    const others = MapGet(channels, this.#name) ?? new Set();
    MapSet(channels, this.#name, SetAdd(others, this));
    if (others.size === 1) elsewhere.join(this.#name);
  }

  get name() {
    return this.#name;
  }

  postMessage(message) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('message');
    if (this.#isClosed) {
      const { DOMException } = require('internal/dom_exception');
      throw new DOMException('BroadcastChannel is closed.', 'InvalidStateError');
    }
    const others = MapGet(channels, this.#name);
    if (others.size === 1) cloneWith(message, []); // values that cannot be cloned are rejected even without listeners
    for (const other of intact(others)) {
      if (other === this) continue;
      const [data] = intact(cloneWith(message, []));
      ArrayPush(other.#waiting, data);
      timers.setImmediate(() => other.#deliverNext());
    }
    elsewhere.post(this.#name, message);
  }

  close() {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.unref();
    const others = MapGet(channels, this.#name);
    SetDelete(others, this);
    if (others.size === 0) {
      MapDelete(channels, this.#name);
      elsewhere.leave(this.#name);
    }
  }

  /** Delivers the oldest message. */
  #deliverNext() {
    if (this.#isClosed || this.#waiting.length === 0) return;
    const data = ArrayShift(this.#waiting);
    this.dispatchEvent(messageEvent('message', { data, ports: [] }));
  }

  static {
    inner = {
      __proto__: null,
      push: (channel, data) => ArrayPush(channel.#waiting, data),
      hear: (channel) => channel.#deliverNext(),
      take: (channel) => (channel.#waiting.length > 0 ? [ArrayShift(channel.#waiting)] : undefined),
    };
  }

  ref() {
    if (this.#isClosed || this.#isReferenced) return this;
    this.#isReferenced = true;
    timers.hold();
    addHandle(this, nameOf);
    return this;
  }

  unref() {
    if (!this.#isReferenced) return this;
    this.#isReferenced = false;
    timers.release();
    removeHandle(this);
    return this;
  }

  [inspectSymbol](depth, options, inspect) {
    if (!(#name in Object(this))) throw new codes.ERR_INVALID_THIS('BroadcastChannel');
    if (depth < 0) return 'BroadcastChannel';
    const fields = { name: this.#name, active: !this.#isClosed };
    return inspectNamed('BroadcastChannel', fields, options, inspect);
  }
}
for (const type of intact(['message', 'messageerror'])) defineEventHandler(BroadcastChannel.prototype, type);
guardReceivers(BroadcastChannel, invalidThis('BroadcastChannel'));
for (const name of intact(['name', 'close', 'postMessage'])) {
  ObjectDefineProperty(BroadcastChannel.prototype, name, { __proto__: null, enumerable: true });
}
ObjectDefineProperty(BroadcastChannel.prototype, Symbol.toStringTag, {
  __proto__: null,
  configurable: true,
  value: 'BroadcastChannel',
});

/** Removes and returns the oldest message of a channel synchronously: `[data]`, or undefined. */
function takeMessage(channel) {
  const { name } = channel;
  if (MapGet(boxes, name) !== undefined) elsewhere.bring(name, (each) => timers.setImmediate(() => inner.hear(each)));
  return inner.take(channel);
}

module.exports = { BroadcastChannel, takeMessage };
