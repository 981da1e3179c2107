// @ts-check
'use strict';
// Owns: the parts shared by all Web streams (Streams standard, https://streams.spec.whatwg.org): queues with sizes (§8.1),
// queuing strategies (§7), promises marked as handled, and the errors for invalid states.
//
// Every public object is a shell around a record with its internal slots: the standard's algorithms work on records only.

const { AnyThen } = require('internal/any_kind');
const { PromiseReject, PromiseResolve } = require('internal/promises');
const {
  ArrayPush,
  ArraySlice,
  ArraySplice,
  FunctionCall,
  MathMax,
  NumberIsNaN,
  ObjectDefineProperty,
  ObjectFreeze,
  ObjectGetOwnPropertyNames,
  ReflectApply,
  RegExpTest,
  intact,
} = require('internal/primordials');
const { codes } = require('internal/errors/errors');

const nothing = () => {};
/** A dictionary without members. It has no prototype, so that missing members are not looked up on Object.prototype. */
const EMPTY = ObjectFreeze({ __proto__: null });

/** Creates a TypeError with Node's code. */
function stateError(reason) {
  const error = new TypeError(`Invalid state: ${reason}`);
  error.code = 'ERR_INVALID_STATE';
  return error;
}
function rangeError(name, value) {
  const error = new codes.ERR_INVALID_ARG_VALUE_RANGE(name, value);
  error.code = 'ERR_INVALID_ARG_VALUE';
  return error;
}
const illegalConstructor = () => new codes.ERR_ILLEGAL_CONSTRUCTOR();
const wrongReceiver = (name) => new codes.ERR_INVALID_THIS(name);

/** Marks a promise as handled, where the standard sets [[PromiseIsHandled]]. */
function markHandled(promise) {
  AnyThen(promise, nothing, nothing);
  return promise;
}

/**
 * "upon fulfillment", "upon rejection". An error that the callbacks throw is a bug in the library, and is reported as a rejection
 * without a handler.
 */
function upon(promise, onFulfilled, onRejected) {
  AnyThen(promise, onFulfilled, onRejected);
}

/** "A promise resolved with" a value (Web IDL): always a new promise, even for a promise, which costs two more microtasks. */
const promiseAround = (value) => new Promise((resolve) => resolve(value));

/** Calls `act` and returns its result; an error becomes a rejected promise. */
function callAsync(act) {
  try {
    return act();
  } catch (error) {
    return PromiseReject(error);
  }
}

/**
 * Calls a method of the program that runs once (start, close, cancel …). As Web IDL requires, its result is wrapped in a new
 * promise.
 */
function invokeOnce(method, receiver, ...args) {
  return callAsync(() => promiseAround(ReflectApply(method, receiver, args)));
}

/**
 * Calls a method of the program that runs for each chunk. As in Node, a promise that it returns is awaited directly, which
 * saves microtasks.
 */
function invoke(method, receiver, ...args) {
  try {
    return PromiseResolve(ReflectApply(method, receiver, args));
  } catch (error) {
    return PromiseReject(error);
  }
}

/** Returns an object on which a private name can be tested; a primitive receiver has none. */
const objectOf = (receiver) => (typeof receiver === 'object' && receiver !== null ? receiver : EMPTY);

/** A promise with its `resolve` and `reject`, whose state can be read. */
class Deferred {
  isPending = true;

  constructor() {
    this.promise = new Promise((resolve, reject) => {
      this.settle = resolve;
      this.fail = reject;
    });
  }
  resolve(value) {
    this.isPending = false;
    this.settle(value);
  }
  reject(reason) {
    this.isPending = false;
    this.fail(reason);
  }
  static resolved(value) {
    const deferred = new Deferred();
    deferred.resolve(value);
    return deferred;
  }
  static rejected(reason) {
    const deferred = new Deferred();
    deferred.reject(reason);
    markHandled(deferred.promise);
    return deferred;
  }
}

/** A list with removal at the head. */
class Fifo {
  #items = [];
  #head = 0;

  get length() {
    return this.#items.length - this.#head;
  }
  push(item) {
    ArrayPush(this.#items, item);
  }
  first() {
    return this.#items[this.#head];
  }
  shift() {
    const item = this.#items[this.#head];
    this.#items[this.#head++] = undefined;
    if (this.#head === this.#items.length) this.clear();
    else if (this.#head > 1024 && this.#head * 2 > this.#items.length) {
      ArraySplice(this.#items, 0, this.#head);
      this.#head = 0;
    }
    return item;
  }
  clear() {
    this.#items = [];
    this.#head = 0;
  }
  /** Removes and returns all items. */
  drain() {
    const items = ArraySlice(this.#items, this.#head);
    this.clear();
    return items;
  }
}

/** A queue with sizes (§8.1). */
class SizedQueue {
  #entries = new Fifo();
  total = 0;

  get length() {
    return this.#entries.length;
  }
  enqueue(value, size) {
    if (typeof size !== 'number' || NumberIsNaN(size) || size < 0 || size === Infinity) throw rangeError('size', size);
    this.#entries.push({ value, size });
    this.total += size;
  }
  dequeue() {
    const { value, size } = this.#entries.shift();
    this.total = MathMax(0, this.total - size); // rounding errors may make it negative
    return value;
  }
  peek() {
    return this.#entries.first().value;
  }
  reset() {
    this.#entries.clear();
    this.total = 0;
  }
}

/** ExtractHighWaterMark (§7.4) */
function highWaterMarkOf(strategy, fallback) {
  if (strategy?.highWaterMark === undefined) return fallback;
  const mark = Number(strategy.highWaterMark);
  if (NumberIsNaN(mark) || mark < 0) throw rangeError('strategy.highWaterMark', strategy.highWaterMark);
  return mark;
}

/** ExtractSizeAlgorithm (§7.4) */
function sizeAlgorithmOf(strategy) {
  const size = strategy?.size;
  if (size === undefined) return () => 1;
  if (typeof size !== 'function') throw new codes.ERR_INVALID_ARG_TYPE('strategy.size', 'Function', size);
  return (chunk) => Number(FunctionCall(size, undefined, chunk));
}

/** Validates a dictionary argument: an object, null or undefined. */
function dictionary(value, name) {
  if (value === undefined) return EMPTY;
  if (value === null && name !== undefined && RegExpTest(/^(options|strategy)/, name)) return EMPTY;
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) {
    throw new codes.ERR_INVALID_ARG_TYPE(name, 'Object', value);
  }
  return value;
}

/** Returns a method of an underlying source or sink, or undefined. */
function methodOf(object, name, kind) {
  const method = object[name];
  if (method === undefined) return undefined;
  if (typeof method !== 'function') throw new codes.ERR_INVALID_ARG_TYPE(`${kind}.${name}`, 'Function', method);
  return method;
}

/** Finishes a Web class: enumerable members and a tag. */
function finish(Class, name, statics = []) {
  for (const key of intact(ObjectGetOwnPropertyNames(Class.prototype))) {
    if (key !== 'constructor') ObjectDefineProperty(Class.prototype, key, { __proto__: null, enumerable: true });
  }
  for (const key of intact(statics)) ObjectDefineProperty(Class, key, { __proto__: null, enumerable: true });
  ObjectDefineProperty(Class.prototype, Symbol.toStringTag, { __proto__: null, value: name, configurable: true });
}

module.exports = {
  stateError,
  rangeError,
  illegalConstructor,
  wrongReceiver,
  markHandled,
  upon,
  invoke,
  invokeOnce,
  promiseAround,
  callAsync,
  objectOf,
  EMPTY,
  nothing,
  Deferred,
  Fifo,
  SizedQueue,
  highWaterMarkOf,
  sizeAlgorithmOf,
  dictionary,
  methodOf,
  finish,
};
