// @ts-check
'use strict';
// Owns: ports that connect two engines. Each end is a mailbox of the native module, identified by a number; a message is
// serialized once, where it is posted. Ports in a message are sent as the numbers of their mailboxes and recreated on arrival.

const { isArrayBuffer, isMap, isSet } = require('internal/brands');
const {
  ArrayIncludes,
  ArrayIndexOf,
  ArrayIsArray,
  ArrayMap,
  ArrayPush,
  ArraySlice,
  MapGet,
  MapHas,
  MapKeys,
  MapSet,
  ObjectFreeze,
  ObjectKeys,
  SetAdd,
  WeakSetHas,
  intact,
} = require('internal/primordials');
const { native } = host;
const {
  IMMOVABLE,
  NEEDS_TRANSFER,
  UNSUPPORTED,
  admitsEnvironment,
  holdsOwn,
  isOrdinary,
  dataCloneError,
} = require('web/messaging/structured_clone');
const ports = require('web/messaging/port');
const { kindOf, unpackObject, untransferable } = require('internal/cloneable');

const MARK = 'rt.port';
const MOVED = 'rt.moved';
const NONE = /** @type {any} */ (ObjectFreeze([])); // for transfer lists and for the ports of an event

/** Opens a pair of mailboxes: each is the inbox of one end and the outbox of the other. Returns their numbers. */
const openPair = () => [native.mailboxOpen(), native.mailboxOpen()];

/** Returns a port that receives from mailbox `inbox` and posts to `outbox`. */
const acrossPort = (inbox, outbox) => attach(ports.newPort(), inbox, outbox);

function attach(port, inbox, outbox) {
  let isOver = false;
  const stop = () => {
    if (isOver) return;
    isOver = true;
    native.mailboxListen(inbox, undefined);
  };
  /** Delivers the messages that have arrived. */
  const pump = () => {
    while (!isOver) {
      const packet = takeFrom(inbox);
      if (packet === undefined) return;
      if (packet === null) {
        stop();
        native.mailboxClose(outbox);
        ports.linkClosed(port);
        return;
      }
      ports.hear(port, packet);
    }
  };
  ports.connect(port, {
    send: (message, transfer) => send(outbox, message, transfer, port),
    pump,
    close() {
      native.mailboxClose(outbox);
      stop();
    },
    /** Detaches from the mailbox, because the port moves to another engine. */
    leave() {
      stop();
      return { inbox, outbox };
    },
  });
  native.mailboxListen(inbox, pump, outbox);
  return port;
}

/** Returns the next message of a mailbox: `{ data, ports }`, with `error` if it cannot be deserialized, or null at the end. */
function takeFrom(inbox) {
  let packet;
  try {
    packet = native.mailboxTake(inbox);
  } catch (error) {
    return { error, data: error, ports: NONE };
  }
  if (packet === undefined || packet === null) return packet;
  const { 0: data, 1: numbers, 2: shown } = packet;
  if (numbers === undefined) return { data, ports: NONE };
  const ports = ArrayMap(numbers, ({ inbox, outbox }) => acrossPort(inbox, outbox));
  return {
    data: replaceAll(data, (value) => {
      if (value === null || typeof value !== 'object') return undefined;
      if (MARK in value) return ports[value[MARK]];
      if (!(MOVED in value)) return undefined;
      return unpackObject(value[MOVED], { facts: value.facts, ports: ArrayMap(value.ports, (place) => ports[place]) });
    }),
    ports: ArraySlice(ports, 0, shown),
  };
}

/** Posts `message` to a mailbox. Returns whether it has a receiver; throws DataCloneError for a value that cannot be cloned. */
function send(outbox, message, transfer, source) {
  if (transfer.length > 0 || holdsOwn(message)) return sendWith(outbox, message, transfer, source);
  try {
    return post(outbox, message, undefined, false);
  } catch (error) {
    if (!admitsEnvironment(error) || !holdsOwn(message)) throw error;
    return sendWith(outbox, message, transfer, source);
  }
}

function post(outbox, value, buffers, isList) {
  try {
    return native.mailboxPost(outbox, value, buffers, isList);
  } catch (error) {
    throw error?.name === 'DataCloneError' && error.code === 25 ? dataCloneError(error.message) : error;
  }
}

function sendWith(outbox, message, transfer, source) {
  const buffers = [];
  const moving = [];
  const packed = new Map();
  for (const each of intact(transfer)) {
    if (each === source && source !== undefined) throw dataCloneError('Transfer list contains source port');
    if (WeakSetHas(untransferable, each)) throw dataCloneError(IMMOVABLE);
    const kind = kindOf(each);
    const list = isArrayBuffer(each) ? buffers : ports.isPort(each) ? moving : undefined;
    if (list === undefined && kind?.pack === undefined) throw dataCloneError('Found invalid value in transferList.');
    if (list === undefined ? MapHas(packed, each) : ArrayIncludes(list, each))
      throw dataCloneError(`Transfer list contains duplicate ${each.constructor.name}`);
    if (list === undefined) MapSet(packed, each, undefined);
    else ArrayPush(list, each);
  }
  for (const each of intact(MapKeys(packed))) MapSet(packed, each, { kind: kindOf(each), ...kindOf(each).pack(each) });
  if (moving.length > 0 || packed.size > 0 || holdsOwn(message)) {
    const offset = moving.length; // the ports of moved streams follow these
    const copies = new Map(); // so that two references to one object remain one object
    const data = replaceAll(message, (value) => {
      const own = MapGet(packed, value);
      if (own !== undefined) {
        own.wire ??= {
          [MOVED]: own.kind.name,
          facts: own.facts,
          ports: ArrayMap(own.ports, (port) => ArrayPush(moving, port) - 1),
        };
        return own.wire;
      }
      const kind = kindOf(value);
      if (kind?.serialize !== undefined) {
        if (!MapHas(copies, value)) MapSet(copies, value, { [MOVED]: kind.name, facts: kind.serialize(value), ports: [] });
        return MapGet(copies, value);
      }
      if (kind?.pack !== undefined) throw dataCloneError(NEEDS_TRANSFER);
      if (kind?.isUnsupported) throw dataCloneError(UNSUPPORTED);
      if (!ports.isPort(value)) return undefined;
      const place = ArrayIndexOf(moving, value);
      if (place < 0) throw dataCloneError(NEEDS_TRANSFER);
      return { [MARK]: place };
    });
    return post(outbox, [data, ArrayMap(moving, expel), offset], buffers, true);
  }
  return post(outbox, message, buffers, false);
}

/** Converts a port of this engine to the numbers of its mailboxes, for another engine. */
function expel(port) {
  const { link, messages } = ports.expel(port);
  if (link === null) throw dataCloneError('MessagePort in transfer list is already detached');
  let numbers;
  if (link.leave !== undefined) numbers = link.leave();
  else {
    // Both ends are here: the one that stays now communicates through mailboxes.
    const [inbox, outbox] = intact(openPair());
    attach(link.peer(), outbox, inbox);
    numbers = { inbox, outbox };
  }
  for (const { data } of intact(messages)) native.mailboxPost(numbers.inbox, data);
  return numbers;
}

function replaceAll(value, replace, seen = new Map()) {
  const other = replace(value);
  if (other !== undefined) return other;
  if (typeof value !== 'object' || value === null) return value;
  if (MapHas(seen, value)) return MapGet(seen, value);
  if (ArrayIsArray(value)) {
    const copy = [];
    MapSet(seen, value, copy);
    for (const each of intact(value)) ArrayPush(copy, replaceAll(each, replace, seen));
    return copy;
  }
  if (isMap(value)) {
    const copy = new Map();
    MapSet(seen, value, copy);
    for (const { 0: key, 1: each } of intact(value))
      MapSet(copy, replaceAll(key, replace, seen), replaceAll(each, replace, seen));
    return copy;
  }
  if (isSet(value)) {
    const copy = new Set();
    MapSet(seen, value, copy);
    for (const each of intact(value)) SetAdd(copy, replaceAll(each, replace, seen));
    return copy;
  }
  if (!isOrdinary(value)) return value;
  const copy = {};
  MapSet(seen, value, copy);
  for (const key of intact(ObjectKeys(value))) copy[key] = replaceAll(value[key], replace, seen);
  return copy;
}

module.exports = { openPair, acrossPort, takeFrom, send };
