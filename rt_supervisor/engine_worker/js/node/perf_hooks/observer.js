'use strict';
// Owns: PerformanceObserver: its callback receives all new entries at once, in a separate turn.

const {
  ArrayFilter,
  ArrayIncludes,
  ArrayIsArray,
  ArrayPush,
  ArraySlice,
  ArraySome,
  ArraySort,
  ObjectDefineProperty,
  ObjectFreeze,
  SetAdd,
  SetClear,
  SetDelete,
  SetHas,
  SymbolFor,
  intact,
} = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { validateFunction, validateObject, validateThisInternalField } = require('internal/validators');
const { kOwn } = require('node/perf_hooks/entries');
const { inspectNamed } = require('internal/inspect/named');

const SUPPORTED = ObjectFreeze(['dns', 'function', 'gc', 'http', 'http2', 'mark', 'measure', 'net', 'quic', 'resource']);
const TIMED = ['dns', 'http', 'http2', 'net'];
const observers = new Set();
const pending = new Set();
const kBuffer = Symbol('kBuffer');
const kMaybeBuffer = Symbol('kMaybeBuffer');
const kDispatch = Symbol('kDispatch');
const kHasType = Symbol('kHasType');
const inspectSymbol = SymbolFor('nodejs.util.inspect.custom');
let isQueued = false;
let isWatching = false; // garbage collections
let buffered = () => []; // (name, type) -> the buffered entries

const invalidModification = (kind) => {
  const { DOMException } = require('internal/dom_exception');
  return new DOMException(`PerformanceObserver can not change to ${kind}`, 'InvalidModificationError');
};

function queue(observer) {
  SetAdd(pending, observer);
  if (isQueued) return;
  isQueued = true;
  require('internal/timers').setImmediate(() => {
    isQueued = false;
    const due = [...intact(pending)];
    SetClear(pending);
    for (const each of intact(due)) each[kDispatch]();
  });
}

/** Whether this type of entries has an observer. */
function isObserved(type) {
  for (const observer of intact(observers)) if (observer[kHasType](type)) return true;
  return false;
}

/** Subscribes to garbage collections while they have an observer. */
function watchCollections() {
  const isWanted = isObserved('gc');
  if (isWanted === isWatching) return;
  isWatching = isWanted;
  require('node/perf_hooks/collections').watch(isWanted, enqueue);
}

/** Passes an entry to the observers of its type. */
function enqueue(entry) {
  for (const observer of intact(observers)) observer[kMaybeBuffer](entry);
}

class PerformanceObserverEntryList {
  constructor(token = undefined, entries = []) {
    if (token !== kOwn) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
    this[kBuffer] = ArraySort(entries, (first, second) => first.startTime - second.startTime);
  }

  getEntries() {
    validateThisInternalField(this, kBuffer, 'PerformanceObserverEntryList');
    return ArraySlice(this[kBuffer]);
  }

  getEntriesByType(type) {
    validateThisInternalField(this, kBuffer, 'PerformanceObserverEntryList');
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('type');
    type = `${type}`;
    return ArrayFilter(this[kBuffer], (entry) => entry.entryType === type);
  }

  getEntriesByName(name, type = undefined) {
    validateThisInternalField(this, kBuffer, 'PerformanceObserverEntryList');
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('name');
    name = `${name}`;
    return ArrayFilter(this[kBuffer], (entry) => entry.name === name && (type == null || entry.entryType === type));
  }

  [inspectSymbol](depth, options, inspect) {
    if (depth < 0) return this;
    return inspectNamed('PerformanceObserverEntryList', this[kBuffer], options, inspect);
  }
}

class PerformanceObserver {
  #buffer = [];
  #entryTypes = new Set();
  #isSingle; // observing one type, several, or (undefined) nothing yet
  #callback;

  constructor(callback) {
    validateFunction(callback, 'callback');
    this.#callback = callback;
  }

  observe(options = {}) {
    validateObject(options, 'options');
    const { entryTypes, type, buffered: wantsKept } = options;
    if (entryTypes === undefined && type === undefined) throw new codes.ERR_MISSING_ARGS('options.entryTypes', 'options.type');
    if (entryTypes != null && type != null) {
      throw new codes.ERR_INVALID_ARG_VALUE(
        'options.entryTypes',
        entryTypes,
        'options.entryTypes can not set with options.type together',
      );
    }
    if (this.#isSingle === undefined) this.#isSingle = type !== undefined;
    else if (this.#isSingle && entryTypes !== undefined) throw invalidModification('multiple observations');
    else if (!this.#isSingle && type !== undefined) throw invalidModification('single observation');
    if (this.#isSingle) this.#observeOne(type, wantsKept);
    else this.#observeSeveral(entryTypes);
    if (this.#entryTypes.size > 0) {
      SetAdd(observers, this);
      if (ArraySome(TIMED, (type) => this[kHasType](type))) require('node/perf_hooks/timing');
    } else this.disconnect();
    watchCollections();
  }

  #observeOne(type, wantsKept) {
    if (!ArrayIncludes(SUPPORTED, type)) return;
    SetAdd(this.#entryTypes, type);
    if (!wantsKept) return;
    ArrayPush(this.#buffer, ...intact(buffered(undefined, type)));
    queue(this);
  }

  #observeSeveral(entryTypes) {
    if (!ArrayIsArray(entryTypes)) throw new codes.ERR_INVALID_ARG_TYPE('options.entryTypes', 'string[]', entryTypes);
    SetClear(this.#entryTypes);
    for (const type of intact(entryTypes)) if (ArrayIncludes(SUPPORTED, type)) SetAdd(this.#entryTypes, type);
  }

  disconnect() {
    SetDelete(observers, this);
    SetDelete(pending, this);
    this.#buffer = [];
    SetClear(this.#entryTypes);
    this.#isSingle = undefined;
    watchCollections();
  }

  takeRecords() {
    const list = this.#buffer;
    this.#buffer = [];
    return list;
  }

  static get supportedEntryTypes() {
    return SUPPORTED;
  }

  [kHasType](type) {
    return SetHas(this.#entryTypes, type);
  }

  [kMaybeBuffer](entry) {
    if (!this[kHasType](entry.entryType)) return;
    ArrayPush(this.#buffer, entry);
    queue(this);
  }

  [kDispatch]() {
    this.#callback(new PerformanceObserverEntryList(kOwn, this.takeRecords()), this);
  }

  [inspectSymbol](depth, options, inspect) {
    if (depth < 0) return this;
    const fields = {
      connected: SetHas(observers, this),
      pending: SetHas(pending, this),
      entryTypes: [...intact(this.#entryTypes)],
      buffer: this.#buffer,
    };
    return inspectNamed('PerformanceObserver', fields, options, inspect);
  }
}

for (const { 0: Class, 1: names } of intact([
  [PerformanceObserverEntryList, ['getEntries', 'getEntriesByType', 'getEntriesByName']],
  [PerformanceObserver, ['observe', 'disconnect', 'takeRecords']],
])) {
  for (const name of intact(names)) ObjectDefineProperty(Class.prototype, name, { __proto__: null, enumerable: true });
  ObjectDefineProperty(Class.prototype, Symbol.toStringTag, { __proto__: null, configurable: true, value: Class.name });
}

module.exports = {
  PerformanceObserver,
  PerformanceObserverEntryList,
  enqueue,
  isObserved,
  setBuffered(given) {
    buffered = given;
  },
};
