// @ts-check
'use strict';
// Owns: NodeEventTarget: an EventTarget with the methods of an EventEmitter. Listeners added with `on` receive what
// `kArgumentOf` returns for an event.

const {
  ArrayFilter,
  ArrayFind,
  ArraySome,
  FunctionCall,
  MapGet,
  MapKeys,
  MapSet,
  ObjectAssign,
  WeakMapGet,
  WeakMapHas,
  WeakMapSet,
  intact,
} = require('internal/primordials');
const { limits, kMaxEventTargetListeners } = require('internal/listener_limits');
const { shapeForConsole } = require('internal/inspect/rt_forms');
const { EventTarget, Event } = require('web/event_target');
const { setLimit } = require('web/listener_limits');
const { validateFunction, validateNumber } = require('internal/validators');

const kArgumentOf = Symbol('argumentOf');
/** Methods of subclasses, called with the type of a listener that was added or removed. */
const kListenerAdded = Symbol('listenerAdded');
const kListenerRemoved = Symbol('listenerRemoved');

const emitted = new WeakMap(); // an event made by `emit` -> its argument

class NodeEventTarget extends EventTarget {
  #added = new Map(); // type -> [{ listener, wrapped }]

  /** Returns the argument for listeners added with `on`; subclasses override it. */
  [kArgumentOf](event) {
    return event;
  }

  addEventListener(type, listener, options = undefined) {
    super.addEventListener(type, listener, options);
    /** @type {any} */ (this)[kListenerAdded]?.(type);
  }

  removeEventListener(type, listener, options = undefined) {
    super.removeEventListener(type, listener, options);
    /** @type {any} */ (this)[kListenerRemoved]?.(type);
  }

  #add(type, listener, once) {
    validateFunction(listener, 'listener');
    const list = MapGet(this.#added, type) ?? [];
    if (ArraySome(list, (each) => each.listener === listener)) return this;
    const wrapped = (event) => {
      if (once) this.off(type, listener);
      FunctionCall(listener, this, WeakMapHas(emitted, event) ? WeakMapGet(emitted, event) : this[kArgumentOf](event));
    };
    MapSet(this.#added, type, [...intact(list), { listener, wrapped }]);
    this.addEventListener(type, wrapped);
    return this;
  }

  on(type, listener) {
    return this.#add(type, listener, false);
  }

  addListener(type, listener) {
    return this.#add(type, listener, false);
  }

  once(type, listener) {
    return this.#add(type, listener, true);
  }

  off(type, listener) {
    const list = MapGet(this.#added, type) ?? [];
    const entry = ArrayFind(list, (each) => each.listener === listener);
    if (entry === undefined) {
      this.removeEventListener(type, listener);
      return this;
    }
    MapSet(
      this.#added,
      type,
      ArrayFilter(list, (each) => each !== entry),
    );
    this.removeEventListener(type, entry.wrapped);
    return this;
  }

  removeListener(type, listener) {
    return this.off(type, listener);
  }

  removeAllListeners(type = undefined) {
    for (const name of intact(type === undefined ? [...intact(MapKeys(this.#added))] : [type])) {
      for (const { listener } of intact(MapGet(this.#added, name) ?? [])) this.off(name, listener);
    }
    return this;
  }

  emit(type, argument) {
    const hadListeners = this.listenerCount(type) > 0;
    const event = argument instanceof Event ? argument : ObjectAssign(new Event(type), { detail: argument ?? null });
    if (event !== argument) WeakMapSet(emitted, event, argument);
    this.dispatchEvent(event);
    return hadListeners;
  }

  eventNames() {
    return ArrayFilter([...intact(MapKeys(this.#added))], (type) => this.listenerCount(type) > 0);
  }

  listenerCount(type) {
    return require('web/event_target').listenersOf(this, type).length;
  }

  setMaxListeners(n = limits.default) {
    validateNumber(n, 'setMaxListeners', 0);
    setLimit(this, n);
  }

  getMaxListeners() {
    return this[kMaxEventTargetListeners];
  }
}

shapeForConsole(NodeEventTarget.prototype, []); // the console shows the members that browsers have

module.exports = { NodeEventTarget, kArgumentOf, kListenerAdded, kListenerRemoved };
