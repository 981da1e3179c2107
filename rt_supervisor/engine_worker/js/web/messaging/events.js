// @ts-check
'use strict';
// Owns: events with data: MessageEvent, CloseEvent, ErrorEvent, PromiseRejectionEvent.

const { ArraySort, ObjectDefineProperty, ObjectFreeze, StringToWellFormed, intact } = require('internal/primordials');
const { consoleForm, shapeForConsole } = require('internal/inspect/rt_forms');
const { guardReceivers, illegalInvocation } = require('internal/receivers');
const { Event } = require('web/event_target');

/** Defines the members of `Class`, each [name, default, conversion], as enumerable getters. */
function eventClass(name, members) {
  const usualValues = {};
  for (const { 0: member, 1: usual } of intact(members)) usualValues[member] = usual;
  // The order in which the standard reads a dictionary.
  const inOrder = ArraySort([...intact(members)], ({ 0: one }, { 0: other }) => (one < other ? -1 : 1));
  const Class = {
    [name]: class extends Event {
      #values = usualValues;
      constructor(type, eventInitDict = undefined) {
        if (arguments.length === 0) throw new TypeError(`${name} constructor: 1 argument required, but 0 found.`);
        super(type, eventInitDict);
        if (eventInitDict === undefined || eventInitDict === null) return;
        const values = {};
        for (let index = 0; index < inOrder.length; index++) {
          const { 0: member, 1: usual, 2: convert } = inOrder[index];
          const value = eventInitDict[member];
          values[member] = value === undefined ? usual : convert(value);
        }
        this.#values = values;
      }

      static read(event, member) {
        return event.#values[member];
      }

      static write(event, values) {
        event.#values = values;
      }
    },
  }[name];
  const { read, write } = Class;
  delete (/** @type {any} */ (Class).read);
  delete (/** @type {any} */ (Class).write);
  for (const { 0: member } of intact(members)) {
    ObjectDefineProperty(Class.prototype, member, {
      __proto__: null,
      configurable: true,
      enumerable: true,
      get: {
        [member]() {
          return read(this, member);
        },
      }[member],
    });
  }
  ObjectDefineProperty(Class.prototype, Symbol.toStringTag, { __proto__: null, configurable: true, value: name });
  return [Class, write];
}

const text = (value) => StringToWellFormed(`${value}`);
const whole = (value) => Number(value) >>> 0;
const asIs = (value) => value;

function portsOf(value) {
  if (typeof value !== 'object' || typeof value?.[Symbol.iterator] !== 'function') {
    throw new TypeError(`MessageEvent constructor: eventInitDict.ports (${value}) is not iterable.`);
  }
  const ports = [...intact(value)];
  for (let index = 0; index < ports.length; index++) {
    if (!require('web/messaging/port').isPort(ports[index]))
      throw new TypeError(
        `MessageEvent constructor: Expected eventInitDict.ports[${index}] ("${ports[index] === null ? null : '{}'}") to be an instance of MessagePort.`,
      );
  }
  return ObjectFreeze(ports);
}

function sourceOf(value) {
  if (value === null || value instanceof require('web/messaging/port').MessagePort) return value;
  const text = require('internal/inspect/inspect').inspect(value);
  throw new TypeError(`MessageEvent constructor: Expected eventInitDict.source ("${text}") to be an instance of MessagePort.`);
}

const [MessageEvent, write] = intact(
  eventClass('MessageEvent', [
    ['data', null, asIs],
    ['origin', '', text],
    ['lastEventId', '', text],
    ['source', null, sourceOf],
    ['ports', ObjectFreeze([]), portsOf],
  ]),
);
ObjectDefineProperty(MessageEvent.prototype, 'initMessageEvent', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  writable: true,
  value: function initMessageEvent(
    type,
    bubbles = false,
    cancelable = false,
    data = null,
    origin = '',
    lastEventId = '',
    source = null,
    ports = [],
  ) {
    this.initEvent(type, bubbles, cancelable);
    write(this, { data, origin, lastEventId, source, ports: ObjectFreeze([...intact(ports)]) });
  },
});
const [CloseEvent] = intact(
  eventClass('CloseEvent', [
    ['wasClean', false, Boolean],
    ['code', 0, (value) => Number(value) & 0xffff],
    ['reason', '', text],
  ]),
);
const [ErrorEvent] = intact(
  eventClass('ErrorEvent', [
    ['message', '', text],
    ['filename', '', text],
    ['lineno', 0, whole],
    ['colno', 0, whole],
    ['error', undefined, asIs],
  ]),
);
const [PromiseRejectionEvent] = intact(
  eventClass('PromiseRejectionEvent', [
    ['promise', undefined, asIs],
    ['reason', undefined, asIs],
  ]),
);

for (const Class of intact([MessageEvent, CloseEvent, ErrorEvent])) guardReceivers(Class, illegalInvocation);
shapeForConsole(CloseEvent.prototype, ['wasClean', 'code', 'reason'], ['isTrusted']);
shapeForConsole(PromiseRejectionEvent.prototype, ['promise', 'reason'], ['isTrusted']);
/** Makes the console print an event of its usual type by its data, and one of another type like any event. */
function briefForConsole(name, usual, { prototype }, members) {
  function print(printer) {
    if (printer.isTooDeep()) return printer.tooDeep(name);
    const fields = {};
    for (const member of intact(members)) fields[member] = this[member];
    return printer.object(fields, name);
  }
  ObjectDefineProperty(prototype, consoleForm, {
    __proto__: null,
    get() {
      return this !== prototype && this.type === usual ? print : undefined;
    },
  });
}
shapeForConsole(MessageEvent.prototype, ['origin', 'lastEventId', 'source', 'data', 'ports', 'initMessageEvent'], ['isTrusted']);
shapeForConsole(ErrorEvent.prototype, ['message', 'filename', 'lineno', 'colno', 'error'], ['isTrusted']);
briefForConsole('MessageEvent', 'message', MessageEvent, ['type', 'data']);
briefForConsole('ErrorEvent', 'error', ErrorEvent, ['type', 'message', 'error']);

/** Creates the event of a received message; its data may be undefined. */
function messageEvent(type, values) {
  const event = new MessageEvent(type);
  write(event, { data: values.data, origin: '', lastEventId: '', source: null, ports: ObjectFreeze(values.ports) });
  return event;
}

module.exports = { messageEvent, MessageEvent, CloseEvent, ErrorEvent, PromiseRejectionEvent };
