'use strict';
// Owns: AsyncLocalStorage: one store in the current frame. Entering a store creates a new frame; only `disable` changes an
// existing one, as in Node.

const {
  MapDelete,
  MapEntries,
  MapGet,
  MapHas,
  MapSet,
  ObjectGetPrototypeOf,
  ObjectIs,
  ReflectApply,
  intact,
} = require('internal/primordials');
const { validateObject } = require('internal/validators');
const { currentFrame, setFrame } = require('internal/async/tracking');
const { AsyncResource } = require('node/async_hooks/resource');

const { prototype: MapPrototype } = Map;
const MapIteratorPrototype = ObjectGetPrototypeOf(MapEntries(new Map()));
const { set, entries } = MapPrototype;
const { next } = MapIteratorPrototype;
const { iterator } = Symbol;
// Whether Map's constructor can copy a map without calling code of the program.
const isIntact = () => MapPrototype.set === set && MapPrototype[iterator] === entries && MapIteratorPrototype.next === next;

/** A frame. The name is Node's: `console.log` shows it, for example in a timer. */
class AsyncContextFrame extends Map {
  constructor(prior) {
    const isCopied = isIntact();
    super(isCopied ? prior : undefined);
    if (!isCopied && prior !== undefined) for (const { 0: storage, 1: store } of intact(prior)) MapSet(this, storage, store);
  }
}

function frameWith(storage, store) {
  const frame = new AsyncContextFrame(currentFrame());
  MapSet(frame, storage, store);
  return frame;
}

class RunScope {
  #storage;
  #previous;
  #isDisposed = false;

  constructor(storage, store) {
    this.#storage = storage;
    this.#previous = storage.getStore();
    storage.enterWith(store);
  }

  dispose() {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#storage.enterWith(this.#previous);
  }

  [Symbol.dispose]() {
    this.dispose();
  }
}

class AsyncLocalStorage {
  #defaultValue = undefined;
  #name = undefined;

  constructor(options = { __proto__: null }) {
    validateObject(options, 'options');
    this.#defaultValue = options.defaultValue;
    if (options.name !== undefined) this.#name = `${options.name}`;
  }

  get name() {
    return this.#name || '';
  }

  static bind(fn) {
    return AsyncResource.bind(fn);
  }

  static snapshot() {
    return AsyncLocalStorage.bind((callback, ...args) => callback(...intact(args)));
  }

  disable() {
    const frame = currentFrame();
    if (frame !== undefined) MapDelete(frame, this);
  }

  enterWith(data) {
    setFrame(frameWith(this, data));
  }

  run(data, fn, ...args) {
    const prior = this.getStore();
    if (ObjectIs(prior, data)) return ReflectApply(fn, null, args);
    this.enterWith(data);
    try {
      return ReflectApply(fn, null, args);
    } finally {
      this.enterWith(prior);
    }
  }

  exit(fn, ...args) {
    return this.run(undefined, fn, ...intact(args));
  }

  getStore() {
    const frame = currentFrame();
    return frame !== undefined && MapHas(frame, this) ? MapGet(frame, this) : this.#defaultValue;
  }

  withScope(store) {
    return new RunScope(this, store);
  }
}

module.exports = { AsyncLocalStorage };
