// @ts-check
'use strict';
// Owns: Event, CustomEvent and EventTarget of the DOM standard, without a tree: a target is its entire path. Errors of
// listeners are reported to the host (host.reportException), never thrown to the dispatcher.

const { AnyThen } = require('internal/any_kind');
const {
  ArrayFilter,
  ArrayFind,
  ArrayForEach,
  ArrayMap,
  ArraySome,
  FunctionCall,
  MapDelete,
  MapGet,
  MapSet,
  NumberIsInteger,
  ObjectDefineProperty,
  ObjectGetOwnPropertyDescriptor,
  ObjectGetOwnPropertyNames,
  ObjectHasOwn,
  SymbolFor,
  WeakMapDelete,
  WeakMapGet,
  WeakMapSet,
  intact,
} = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { limits } = require('internal/listener_limits');
const { defineListenerLimit, warnAboutLeak } = require('web/listener_limits');
const { validateObject } = require('internal/validators');
const { shapeForConsole } = require('internal/inspect/rt_forms');

const custom = SymbolFor('nodejs.util.inspect.custom');
const NONE = 0;
const AT_TARGET = 2;

/** Access to the private state of events and targets, for this module only. */
let internals;

class Event {
  #type;
  #bubbles;
  #cancelable;
  #composed;
  #timeStamp = host.now();
  #target = null;
  #currentTarget = null;
  #phase = NONE;
  #isDispatching = false;
  #isStopped = false;
  #isStoppedNow = false;
  #isCanceled = false;
  #isPassive = false;
  #isTrusted = false;

  /** @param {string} type @param {{ bubbles?: boolean, cancelable?: boolean, composed?: boolean }} [options] */
  constructor(type, options = undefined) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('type');
    if (options != null) validateObject(options, 'options', { allowArray: true, allowFunction: true });
    this.#type = `${type}`;
    this.#bubbles = Boolean(options?.bubbles);
    this.#cancelable = Boolean(options?.cancelable);
    this.#composed = Boolean(options?.composed);
  }

  get type() {
    return this.#type;
  }
  get target() {
    return this.#target;
  }
  get currentTarget() {
    return this.#currentTarget;
  }
  get srcElement() {
    return this.#target;
  }
  get bubbles() {
    return this.#bubbles;
  }
  get cancelable() {
    return this.#cancelable;
  }
  get composed() {
    return this.#composed;
  }
  get defaultPrevented() {
    return this.#isCanceled;
  }
  get timeStamp() {
    return this.#timeStamp;
  }
  get eventPhase() {
    return this.#phase;
  }
  get isTrusted() {
    return this.#isTrusted;
  }
  get returnValue() {
    return !this.#isCanceled;
  }
  set returnValue(value) {
    if (!value) this.preventDefault();
  }
  get cancelBubble() {
    return this.#isStopped;
  }
  set cancelBubble(value) {
    if (value) this.#isStopped = true;
  }

  composedPath() {
    return this.#isDispatching ? [this.#currentTarget] : [];
  }
  preventDefault() {
    if (this.#cancelable && !this.#isPassive) this.#isCanceled = true;
  }
  stopPropagation() {
    this.#isStopped = true;
  }
  stopImmediatePropagation() {
    this.#isStopped = this.#isStoppedNow = true;
  }

  initEvent(type, bubbles = false, cancelable = false) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('type');
    if (this.#isDispatching) return;
    this.#type = `${type}`;
    this.#bubbles = Boolean(bubbles);
    this.#cancelable = Boolean(cancelable);
    this.#isCanceled = this.#isStopped = this.#isStoppedNow = false;
  }

  [custom](depth, options) {
    const name = this.constructor.name;
    if (depth < 0) return name;
    const { inspect } = require('internal/inspect/inspect');
    const { type, defaultPrevented, cancelable, timeStamp } = this;
    return `${name} ${inspect({ type, defaultPrevented, cancelable, timeStamp }, { ...options, depth: NumberIsInteger(options.depth) ? options.depth - 1 : options.depth })}`;
  }

  static {
    internals = {
      isDispatching: (event) => event.#isDispatching,
      isStopped: (event) => event.#isStopped,
      isStoppedNow: (event) => event.#isStoppedNow,
      typeOf: (event) => event.#type,
      setPassive(event, isPassive) {
        event.#isPassive = isPassive;
      },
      trust(event) {
        event.#isTrusted = true;
        return event;
      },
      start(event, target) {
        event.#isDispatching = true;
        event.#target = event.#currentTarget = target;
        event.#phase = AT_TARGET;
      },
      finish(event) {
        event.#isDispatching = event.#isStopped = event.#isStoppedNow = false;
        event.#currentTarget = null;
        event.#phase = NONE;
      },
    };
  }
}

ArrayForEach(['NONE', 'CAPTURING_PHASE', 'AT_TARGET', 'BUBBLING_PHASE'], (name, value) => {
  const descriptor = { __proto__: null, value, enumerable: true };
  ObjectDefineProperty(Event, name, descriptor);
  ObjectDefineProperty(Event.prototype, name, descriptor);
});

class CustomEvent extends Event {
  #detail;

  /** @param {string} type @param {any} [options] those of Event, and `detail` */
  constructor(type, options = undefined) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('type');
    super(type, options);
    this.#detail = options?.detail ?? null;
  }

  get detail() {
    return this.#detail;
  }

  initCustomEvent(type, bubbles = false, cancelable = false, detail = null) {
    if (internals.isDispatching(this)) return;
    this.initEvent(type, bubbles, cancelable);
    this.#detail = detail;
  }
}

/** An option of addEventListener: the listener runs even if another listener stops propagation. */
const kUnstoppable = Symbol('kUnstoppable');

/** Called with a target whose 'abort' listeners have changed: a signal stays alive while it has listeners. */
let followAborts = (target) => void target;
const setFollower = (follow) => {
  followAborts = follow;
};

const isCapturing = (entry) => entry.capture;
const isUnstoppable = (entry) => entry.isUnstoppable;

const flatten = (options) => (typeof options === 'boolean' ? { capture: options } : (options ?? {}));

class EventTarget {
  #listeners = new Map(); // type -> [{ callback, capture, once, passive, isRemoved }]

  /** @param {string} type @param {any} callback @param {any} [options] */
  addEventListener(type, callback, options = undefined) {
    if (arguments.length < 2) throw new codes.ERR_MISSING_ARGS('type', 'listener');
    const { capture = false, once = false, passive = false, signal, [kUnstoppable]: isUnstoppable = false } = flatten(options);
    if (signal !== undefined) require('internal/validators').validateAbortSignal(signal, 'options.signal');
    if (callback == null) return;
    if (typeof callback !== 'function' && typeof callback !== 'object') {
      throw new codes.ERR_INVALID_ARG_TYPE('listener', 'EventListener', callback);
    }
    if (signal?.aborted) return;
    type = `${type}`;
    const isCapture = Boolean(capture);
    const target = targetBehind(this);
    const list = MapGet(target.#listeners, type) ?? [];
    if (ArraySome(list, (entry) => entry.callback === callback && entry.capture === isCapture)) return;
    // A new array each time: a running dispatch continues with the list that it started with.
    MapSet(target.#listeners, type, [
      ...intact(list),
      { callback, capture: isCapture, once: Boolean(once), passive: Boolean(passive), isUnstoppable, isRemoved: false },
    ]);
    if (type === 'abort') followAborts(target);
    warnAboutLeak(target, type, list.length + 1);
    signal?.addEventListener('abort', () => this.removeEventListener(type, callback, isCapture), { once: true });
  }

  /** @param {string} type @param {any} callback @param {any} [options] */
  removeEventListener(type, callback, options = undefined) {
    if (arguments.length < 2) throw new codes.ERR_MISSING_ARGS('type', 'listener');
    type = `${type}`;
    const isCapture = Boolean(flatten(options).capture);
    const target = targetBehind(this);
    const list = MapGet(target.#listeners, type);
    const entry = list == null ? undefined : ArrayFind(list, (one) => one.callback === callback && one.capture === isCapture);
    if (entry === undefined) return;
    entry.isRemoved = true;
    const rest = ArrayFilter(list, (one) => one !== entry);
    if (rest.length === 0) MapDelete(target.#listeners, type);
    else MapSet(target.#listeners, type, rest);
    if (type === 'abort') followAborts(target);
  }

  dispatchEvent(event) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('event');
    if (!(event instanceof Event)) throw new codes.ERR_INVALID_ARG_TYPE('event', 'Event', event);
    if (internals.isDispatching(event)) {
      const { DOMException } = require('internal/dom_exception');
      throw new DOMException(`The event "${event.type}" is already being dispatched`, 'InvalidStateError');
    }
    targetBehind(this).#dispatch(event);
    return !event.defaultPrevented;
  }

  #dispatch(event) {
    internals.start(event, this);
    const list = MapGet(this.#listeners, internals.typeOf(event));
    if (list !== undefined) {
      // At the target, capturing listeners run before the others.
      const isOver = ArraySome(list, isCapturing) && this.#visit(list, true, event);
      if (!isOver) this.#visit(list, false, event);
    }
    internals.finish(event);
  }

  /** Calls the listeners of one phase. Returns whether the remaining ones are skipped. */
  #visit(list, isCapture, event) {
    for (let index = 0; index < list.length; index++) {
      const entry = list[index];
      if (entry.isRemoved || entry.capture !== isCapture) continue;
      if (internals.isStoppedNow(event) && !entry.isUnstoppable) continue;
      if (entry.once) this.removeEventListener(event.type, entry.callback, entry.capture);
      this.#call(entry, event);
    }
    return internals.isStopped(event) && !ArraySome(list, isUnstoppable);
  }

  #call({ callback, passive }, event) {
    if (passive) internals.setPassive(event, true);
    try {
      const result = typeof callback === 'function' ? FunctionCall(callback, this, event) : callback.handleEvent(event);
      // A rejection of an async listener is reported like an error that a listener throws.
      if (result !== undefined && result !== null && typeof result.then === 'function') {
        AnyThen(result, undefined, (error) => host.reportException(error));
      }
    } catch (error) {
      host.reportException(error);
    }
    if (passive) internals.setPassive(event, false);
  }

  [custom](depth, options) {
    const name = this.constructor.name;
    return depth < 0 ? name : `${name} ${require('internal/inspect/inspect').inspect({}, options)}`;
  }

  static hasListeners(target, type) {
    return MapGet(target.#listeners, type) !== undefined;
  }

  static isTarget(value) {
    return typeof value === 'object' && value !== null && #listeners in value;
  }

  static listenersOf(target, type) {
    return ArrayMap(MapGet(target.#listeners, type) ?? [], (entry) => entry.callback);
  }
}

const { hasListeners, isTarget, listenersOf } = EventTarget;
delete (/** @type {any} */ (EventTarget).hasListeners);
delete (/** @type {any} */ (EventTarget).isTarget);
delete (/** @type {any} */ (EventTarget).listenersOf);

defineListenerLimit(EventTarget.prototype, () => limits.default);

/** Returns the target that `value` is or stands for. Throws if there is none. */
function targetBehind(value) {
  if (isTarget(value)) return value;
  const target = require('internal/receivers').instanceBehind(value, isTarget);
  if (!isTarget(target)) throw new codes.ERR_INVALID_THIS('EventTarget');
  return target;
}

/** Defines an `onname` attribute. Its handler keeps its position among the listeners when it is replaced. */
function defineEventHandler(prototype, type) {
  const handlers = new WeakMap(); // target -> { handler, listener }
  const name = `on${type}`;
  const attribute = {
    get [name]() {
      if (!isTarget(this)) throw new codes.ERR_INVALID_THIS('EventTarget');
      return WeakMapGet(handlers, this)?.handler ?? null;
    },
    set [name](value) {
      if (!isTarget(this)) throw new codes.ERR_INVALID_THIS('EventTarget');
      const handler = typeof value === 'function' || (typeof value === 'object' && value !== null) ? value : null;
      const state = WeakMapGet(handlers, this);
      if (state === undefined) {
        if (handler === null) return;
        const fresh = {
          handler,
          listener: (event) => (typeof fresh.handler === 'function' ? FunctionCall(fresh.handler, this, event) : undefined),
        };
        WeakMapSet(handlers, this, fresh);
        this.addEventListener(type, fresh.listener);
      } else if (handler === null) {
        this.removeEventListener(type, state.listener);
        WeakMapDelete(handlers, this);
      } else {
        state.handler = handler;
      }
    },
  };
  ObjectDefineProperty(prototype, name, { ...ObjectGetOwnPropertyDescriptor(attribute, name), __proto__: null });
}

function makeEnumerable(Class, tag) {
  for (const name of intact(ObjectGetOwnPropertyNames(Class.prototype))) {
    if (name !== 'constructor') ObjectDefineProperty(Class.prototype, name, { __proto__: null, enumerable: true });
  }
  ObjectDefineProperty(Class.prototype, Symbol.toStringTag, { __proto__: null, value: tag, configurable: true });
  if (ObjectHasOwn(Class.prototype, custom))
    ObjectDefineProperty(Class.prototype, custom, { __proto__: null, enumerable: false });
}

makeEnumerable(Event, 'Event');
makeEnumerable(CustomEvent, 'CustomEvent');
makeEnumerable(EventTarget, 'EventTarget');

// prettier-ignore
shapeForConsole(
  Event.prototype,
  [
    'type', 'target', 'currentTarget', 'eventPhase', 'cancelBubble', 'bubbles', 'cancelable', 'defaultPrevented', 'composed',
    'timeStamp', 'srcElement', 'returnValue', 'composedPath', 'stopPropagation', 'stopImmediatePropagation', 'preventDefault',
    'initEvent', 'NONE', 'CAPTURING_PHASE', 'AT_TARGET', 'BUBBLING_PHASE',
  ],
  ['isTrusted'],
);
shapeForConsole(CustomEvent.prototype, ['detail', 'initCustomEvent'], ['isTrusted']);
shapeForConsole(EventTarget.prototype, ['addEventListener', 'removeEventListener', 'dispatchEvent']);

module.exports = {
  Event,
  CustomEvent,
  EventTarget,
  defineEventHandler,
  kUnstoppable,
  makeEnumerable,
  hasListeners,
  listenersOf,
  setFollower,
  trust: internals.trust,
};
