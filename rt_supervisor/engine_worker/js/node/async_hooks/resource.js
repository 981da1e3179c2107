// @ts-check
'use strict';
// Owns: AsyncResource: an operation defined by the program, with async IDs and the context in which it was created.

const {
  FinalizationRegistryRegister,
  NumberIsSafeInteger,
  ObjectDefineProperty,
  ReflectApply,
  intact,
} = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { validateFunction, validateString } = require('internal/validators');
const tracking = require('internal/async/tracking');
const hooks = require('internal/async/hooks');

const { kId, kTrigger } = tracking;
const kFrame = Symbol('context_frame');
const kDestroyed = Symbol('destroyed');

let registry;

/** Calls the destroy hooks when `resource` is garbage-collected, unless the program has called emitDestroy. */
function watch(resource, id) {
  const state = { destroyed: false };
  resource[kDestroyed] = state;
  registry ??= new FinalizationRegistry(({ id, state }) => {
    if (!state.destroyed) tracking.queueDestroy(id);
  });
  FinalizationRegistryRegister(registry, resource, { id, state });
}

class AsyncResource {
  constructor(type, opts = { __proto__: null }) {
    validateString(type, 'type');
    const isOptions = typeof opts !== 'number';
    const trigger = isOptions ? (opts.triggerAsyncId === undefined ? tracking.executionAsyncId() : opts.triggerAsyncId) : opts;
    if (!NumberIsSafeInteger(trigger) || trigger < -1) throw new codes.ERR_INVALID_ASYNC_ID('triggerAsyncId', trigger);
    this[kFrame] = tracking.currentFrame();
    const id = tracking.newId();
    this[kId] = id;
    this[kTrigger] = trigger;
    if (hooks.counts.init > 0) {
      if (type.length === 0) throw new codes.ERR_ASYNC_TYPE(type);
      hooks.emitInit(id, type, trigger, this);
    }
    if (!(isOptions && opts.requireManualDestroy) && hooks.counts.destroy > 0) watch(this, id);
  }

  runInAsyncScope(fn, thisArg, ...args) {
    const id = this[kId];
    tracking.enter(id, this[kTrigger], this);
    const prior = tracking.exchangeFrame(this[kFrame]);
    try {
      return ReflectApply(fn, thisArg, args);
    } finally {
      tracking.setFrame(prior);
      tracking.exit(id);
    }
  }

  emitDestroy() {
    if (this[kDestroyed] !== undefined) this[kDestroyed].destroyed = true;
    tracking.queueDestroy(this[kId]);
    return this;
  }

  asyncId() {
    return this[kId];
  }

  triggerAsyncId() {
    return this[kTrigger];
  }

  bind(fn, thisArg) {
    validateFunction(fn, 'fn');
    const resource = this;
    const bound =
      thisArg === undefined
        ? function bound(...args) {
            return resource.runInAsyncScope(fn, this, ...intact(args));
          }
        : (...args) => resource.runInAsyncScope(fn, thisArg, ...intact(args));
    ObjectDefineProperty(bound, 'length', { __proto__: null, value: fn.length, configurable: true });
    if (thisArg !== undefined)
      ObjectDefineProperty(bound, 'name', { __proto__: null, value: 'bound runInAsyncScope', configurable: true });
    return bound;
  }

  static bind(fn, type, thisArg) {
    type ||= fn.name;
    return new AsyncResource(type || 'bound-anonymous-fn').bind(fn, thisArg);
  }
}

module.exports = { AsyncResource };
