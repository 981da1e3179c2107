// @ts-check
'use strict';
// Owns: EventEmitter and the module node:events. Functions for emitters and EventTargets are in node/events/functions.js,
// async iteration in node/events/async.js. Uses nextTick and emitWarning of the host.

const {
  ArrayFilter,
  ArrayMap,
  ArrayPush,
  ArrayShift,
  ArraySlice,
  ArraySplice,
  ArrayUnshift,
  FunctionCall,
  ObjectAssign,
  ObjectDefineProperties,
  ObjectDefineProperty,
  ObjectGetPrototypeOf,
  ReflectApply,
  ReflectOwnKeys,
  SymbolFor,
  intact,
} = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { kMaxEventTargetListeners, kMaxEventTargetListenersWarned } = require('internal/listener_limits');
const { validateBoolean, validateFunction, validateNumber } = require('internal/validators');
const { limits, limitOf, warnAboutLeak } = require('node/events/limits');
const { getEventListeners, getMaxListeners, listenerCount, setMaxListeners } = require('node/events/functions');

const kCapture = Symbol('kCapture');
const kShapeMode = Symbol('shapeMode');
const errorMonitor = Symbol('events.errorMonitor');
const captureRejectionSymbol = SymbolFor('nodejs.rejection');

function EventEmitter(options) {
  FunctionCall(EventEmitter.init, this, options);
}

EventEmitter.prototype._events = undefined;
EventEmitter.prototype._eventsCount = 0;
EventEmitter.prototype._maxListeners = undefined;
ObjectDefineProperty(EventEmitter.prototype, kCapture, { __proto__: null, value: false, writable: true, enumerable: false });

/**
 * A constructor that has made `_events` with the names of its own events keeps that shape: their listeners come first and in that
 * order, and a name without listeners stays.
 * @this {any}
 */
EventEmitter.init = function init(options) {
  if (this._events === undefined || this._events === ObjectGetPrototypeOf(this)._events) {
    this._events = { __proto__: null };
    this._eventsCount = 0;
    this[kShapeMode] = false;
  } else {
    this[kShapeMode] = true;
  }
  this._maxListeners = this._maxListeners || undefined;
  if (options?.captureRejections) {
    validateBoolean(options.captureRejections, 'options.captureRejections');
    this[kCapture] = Boolean(options.captureRejections);
  } else {
    this[kCapture] = EventEmitter.prototype[kCapture];
  }
};

EventEmitter.prototype.setMaxListeners = function setMaxListeners(n) {
  validateNumber(n, 'setMaxListeners', 0);
  this._maxListeners = n;
  return this;
};

EventEmitter.prototype.getMaxListeners = function getMaxListeners() {
  return limitOf(this);
};

/** With captureRejections: emits 'error' when a promise returned by a listener rejects. */
function watchResult(emitter, result, type, args) {
  if (!emitter[kCapture]) return;
  try {
    const { then } = result;
    if (typeof then === 'function') {
      FunctionCall(then, result, undefined, (error) => host.nextTick(emitRejection, emitter, error, type, args));
    }
  } catch (error) {
    emitter.emit('error', error);
  }
}

function emitRejection(emitter, error, type, args) {
  if (typeof emitter[captureRejectionSymbol] === 'function') {
    emitter[captureRejectionSymbol](error, type, ...intact(args));
    return;
  }
  const before = emitter[kCapture];
  // If the promise of an 'error' listener rejects, too, that must not recurse.
  try {
    emitter[kCapture] = false;
    emitter.emit('error', error);
  } finally {
    emitter[kCapture] = before;
  }
}

function throwUnhandled(error) {
  if (error instanceof Error) throw error;
  let text;
  try {
    text = require('internal/inspect/inspect').inspect(error);
  } catch {
    text = error;
  }
  const wrapped = /** @type {any} */ (new codes.ERR_UNHANDLED_ERROR(text));
  wrapped.context = error;
  throw wrapped;
}

EventEmitter.prototype.emit = function emit(type, ...args) {
  const events = this._events;
  if (type === 'error') {
    if (events !== undefined && events[errorMonitor] !== undefined) this.emit(errorMonitor, ...intact(args));
    if (events === undefined || events.error === undefined) throwUnhandled(args[0]);
  }
  const handler = events?.[type];
  if (handler === undefined) return false;
  if (typeof handler === 'function') {
    const result = ReflectApply(handler, this, args);
    if (result !== undefined && result !== null) watchResult(this, result, type, args);
    return true;
  }
  const listeners = ArraySlice(handler);
  for (let i = 0; i < listeners.length; i++) {
    const result = ReflectApply(listeners[i], this, args);
    if (result !== undefined && result !== null) watchResult(this, result, type, args);
  }
  return true;
};

function add(emitter, type, listener, isFirst) {
  validateFunction(listener, 'listener');
  let events = emitter._events;
  if (events === undefined) {
    events = emitter._events = { __proto__: null };
    emitter._eventsCount = 0;
  } else if (events.newListener !== undefined) {
    // Emitted before the listener is added: the first listener of 'newListener' is not reported to itself.
    emitter.emit('newListener', type, listener.listener ?? listener);
    events = emitter._events;
  }
  const existing = events[type];
  if (existing === undefined) {
    events[type] = listener;
    emitter._eventsCount++;
    return emitter;
  }
  let list;
  if (typeof existing === 'function') {
    list = events[type] = isFirst ? [listener, existing] : [existing, listener];
  } else {
    list = existing;
    if (isFirst) ArrayUnshift(list, listener);
    else ArrayPush(list, listener);
  }
  const limit = limitOf(emitter);
  if (limit > 0 && list.length > limit && !list.warned) {
    list.warned = true;
    warnAboutLeak(emitter, type, list.length, limit);
  }
  return emitter;
}

EventEmitter.prototype.addListener = function addListener(type, listener) {
  return add(this, type, listener, false);
};
EventEmitter.prototype.on = EventEmitter.prototype.addListener;

EventEmitter.prototype.prependListener = function prependListener(type, listener) {
  return add(this, type, listener, true);
};

function onceWrapper(emitter, type, listener) {
  let hasFired = false;
  function wrapper(...args) {
    if (hasFired) return undefined;
    emitter.removeListener(type, wrapper);
    hasFired = true;
    return ReflectApply(listener, emitter, args);
  }
  wrapper.listener = listener;
  return wrapper;
}

EventEmitter.prototype.once = function once(type, listener) {
  validateFunction(listener, 'listener');
  return this.on(type, onceWrapper(this, type, listener));
};

EventEmitter.prototype.prependOnceListener = function prependOnceListener(type, listener) {
  validateFunction(listener, 'listener');
  return this.prependListener(type, onceWrapper(this, type, listener));
};

EventEmitter.prototype.removeListener = function removeListener(type, listener) {
  validateFunction(listener, 'listener');
  const events = this._events;
  const list = events?.[type];
  if (list === undefined) return this;
  let removed = listener; // as in Node: the only listener is reported as passed to once(), otherwise as passed to this function
  if (list === listener || list.listener === listener) {
    if (this[kShapeMode]) {
      this._eventsCount--;
      events[type] = undefined;
    } else {
      dropType(this, type);
    }
    removed = list.listener ?? listener;
  } else if (typeof list !== 'function') {
    let position = list.length - 1;
    while (position >= 0 && list[position] !== listener && list[position].listener !== listener) position--;
    if (position < 0) return this;
    if (position === 0) ArrayShift(list);
    else ArraySplice(list, position, 1);
    if (list.length === 1) events[type] = list[0];
  } else {
    return this;
  }
  if (events.removeListener !== undefined) this.emit('removeListener', type, removed);
  return this;
};
EventEmitter.prototype.off = EventEmitter.prototype.removeListener;

function dropType(emitter, type) {
  if (--emitter._eventsCount === 0) emitter._events = { __proto__: null };
  else delete emitter._events[type];
}

function dropAll(emitter) {
  emitter._events = { __proto__: null };
  emitter._eventsCount = 0;
  emitter[kShapeMode] = false;
}

EventEmitter.prototype.removeAllListeners = function removeAllListeners(type) {
  const events = this._events;
  if (events === undefined) return this;
  if (events.removeListener === undefined) {
    // Without a 'removeListener' listener.
    if (arguments.length === 0) {
      dropAll(this);
    } else if (events[type] !== undefined) {
      dropType(this, type);
    }
    return this;
  }
  if (arguments.length === 0) {
    for (const key of intact(ReflectOwnKeys(events))) if (key !== 'removeListener') this.removeAllListeners(key);
    this.removeAllListeners('removeListener');
    dropAll(this);
    return this;
  }
  const list = events[type];
  if (typeof list === 'function') {
    this.removeListener(type, list);
  } else if (list !== undefined) {
    for (let i = list.length - 1; i >= 0; i--) this.removeListener(type, list[i]);
  }
  return this;
};

const listOf = (emitter, type) => {
  const list = emitter._events?.[type];
  if (list === undefined) return [];
  return typeof list === 'function' ? [list] : ArraySlice(list);
};

EventEmitter.prototype.listeners = function listeners(type) {
  return ArrayMap(listOf(this, type), (listener) => listener.listener ?? listener);
};

EventEmitter.prototype.rawListeners = function rawListeners(type) {
  return listOf(this, type);
};

EventEmitter.prototype.listenerCount = function listenerCount(type, listener) {
  const list = listOf(this, type);
  if (listener == null) return list.length;
  return ArrayFilter(list, (one) => one === listener || one.listener === listener).length;
};

EventEmitter.prototype.eventNames = function eventNames() {
  return this._eventsCount > 0 ? ArrayFilter(ReflectOwnKeys(this._events), (key) => this._events[key] !== undefined) : [];
};

module.exports = EventEmitter;
ObjectAssign(EventEmitter, {
  addAbortListener: (signal, listener) => require('web/abort').addAbortListener(signal, listener),
  once: (emitter, name, options) => require('node/events/async').once(emitter, name, options),
  on: (emitter, name, options) => require('node/events/async').on(emitter, name, options),
  getEventListeners,
  getMaxListeners,
  listenerCount,
  EventEmitter,
  usingDomains: false,
  captureRejectionSymbol,
  errorMonitor,
  setMaxListeners,
});

ObjectDefineProperties(EventEmitter, {
  kMaxEventTargetListeners: { __proto__: null, value: kMaxEventTargetListeners },
  kMaxEventTargetListenersWarned: { __proto__: null, value: kMaxEventTargetListenersWarned },
  EventEmitterAsyncResource: {
    __proto__: null,
    get: () => require('node/events/async_resource').EventEmitterAsyncResource,
    enumerable: true,
    configurable: true,
  },
  captureRejections: {
    __proto__: null,
    get: () => EventEmitter.prototype[kCapture],
    set(value) {
      validateBoolean(value, 'EventEmitter.captureRejections');
      EventEmitter.prototype[kCapture] = value;
    },
    enumerable: true,
  },
  defaultMaxListeners: {
    __proto__: null,
    get: () => limits.default,
    set(value) {
      validateNumber(value, 'defaultMaxListeners', 0);
      limits.default = value;
    },
    enumerable: true,
  },
});
