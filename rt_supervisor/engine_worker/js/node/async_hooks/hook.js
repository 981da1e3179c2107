// @ts-check
'use strict';
// Owns: async_hooks.createHook.

const { WeakMapGet, WeakMapSet, intact } = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { validateBoolean } = require('internal/validators');
const hooks = require('internal/async/hooks');
const promises = require('internal/async/promises');

const EVENTS = ['init', 'before', 'after', 'destroy', 'promiseResolve'];
const entries = new WeakMap();
hooks.setOnChange(promises.update);

class AsyncHook {
  constructor(options) {
    const { trackPromises } = options;
    const callbacks = { __proto__: null };
    for (const event of intact(EVENTS)) {
      const callback = options[event];
      if (callback !== undefined && typeof callback !== 'function') throw new codes.ERR_ASYNC_CALLBACK(`hook.${event}`);
      callbacks[event] = callback;
    }
    if (trackPromises !== undefined) validateBoolean(trackPromises, 'trackPromises');
    if (trackPromises === false && callbacks.promiseResolve !== undefined) {
      throw new codes.ERR_INVALID_ARG_VALUE('trackPromises', trackPromises, 'must not be false when promiseResolve is enabled');
    }
    WeakMapSet(entries, this, { hook: this, callbacks, skipsPromises: trackPromises === false });
  }

  enable() {
    if (!hooks.isEnabled(this)) hooks.enable(WeakMapGet(entries, this));
    return this;
  }

  disable() {
    if (hooks.isEnabled(this)) hooks.disable(this);
    return this;
  }
}

function createHook(fns) {
  return new AsyncHook(fns);
}

module.exports = { createHook };
