// @ts-check
'use strict';
// Owns: node:trace_events: the objects with which a program enables categories. `recorder` counts the uses of each category.

const runtimeParts = require('internal/parts');
const { ArrayJoin, ArraySlice, SetAdd, SetDelete, SymbolFor } = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { validateObject, validateStringArray } = require('internal/validators');

if (runtimeParts.worker !== undefined) throw new codes.ERR_TRACE_EVENTS_UNAVAILABLE();

const recorder = require('node/trace_events/recorder');

const MOST_TRACINGS = 10; // more enabled objects are likely a leak
const enabled = new Set();

class Tracing {
  #categories;
  #isEnabled = false;

  constructor(categories) {
    this.#categories = categories;
  }

  enable() {
    if (this.#isEnabled) return;
    this.#isEnabled = true;
    recorder.enable(this.#categories);
    SetAdd(enabled, this);
    if (enabled.size > MOST_TRACINGS) {
      host.emitWarning(
        `Possible trace_events memory leak detected. There are more than ${MOST_TRACINGS} enabled Tracing objects.`,
      );
    }
  }

  disable() {
    if (!this.#isEnabled) return;
    this.#isEnabled = false;
    recorder.disable(this.#categories);
    SetDelete(enabled, this);
  }

  get enabled() {
    return this.#isEnabled;
  }

  get categories() {
    return ArrayJoin(this.#categories, ',');
  }

  /** @returns {any} */
  [SymbolFor('nodejs.util.inspect.custom')](depth, options) {
    if (typeof depth === 'number' && depth < 0) return this;
    const { inspect } = require('internal/inspect/inspect');
    return `Tracing ${inspect({ enabled: this.enabled, categories: this.categories }, { ...options, depth: options.depth === null ? null : options.depth - 1 })}`;
  }
}

function createTracing(options) {
  validateObject(options, 'options');
  validateStringArray(options.categories, 'options.categories');
  if (options.categories.length <= 0) throw new codes.ERR_TRACE_EVENTS_CATEGORY_REQUIRED();
  return new Tracing(ArraySlice(options.categories));
}

module.exports = { createTracing, getEnabledCategories: recorder.enabledCategories };
