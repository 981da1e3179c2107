// @ts-check
'use strict';
// Owns: what all Web streams are made of (Streams standard, https://streams.spec.whatwg.org): queues with sizes (§8.1),
// queuing strategies (§7), promises that nobody has to handle, and the errors for wrong states.
//
// Every public object is an empty shell over a record with its slots: algorithms of the standard work on records alone.

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
  PromiseThen,
  ReflectApply,
  RegExpTest,
  intact,
} = require('internal/primordials');
const { codes } = require('internal/errors/errors');

const nothing = () => {};
/** A dictionary without members: what was not given is not looked for on Object.prototype either. */
const EMPTY = ObjectFreeze({ __proto__: null });

/** A TypeError with Node's code. */
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

/** Mark as handled: the standard sets [[PromiseIsHandled]]. */
function handled(promise) {
  AnyThen(promise, nothing, nothing);
  return promise;
}

/** "upon fulfillment", "upon rejection": what these throw is a bug of ours and is told of. */
function upon(promise, onFulfilled, onRejected) {
  PromiseThen(AnyThen(promise, onFulfilled, onRejected), undefined, (error) => host.reportException(error));
}

/** "A promise resolved with" a value (Web IDL): always a new promise, also around a promise, which takes two turns more. */
const promiseAround = (value) => new Promise((resolve) => resolve(value));

/** What `act` gives; what it throws, as a rejected promise. */
function promised(act) {
  try {
    return act();
  } catch (error) {
    return PromiseReject(error);
  }
}

/** Call a method of the program once (start, close, cancel …): as Web IDL converts what it gives, a promise around it. */
function invokeOnce(method, receiver, ...args) {
  return promised(() => promiseAround(ReflectApply(method, receiver, args)));
}

/** Call a method of the program for each chunk: as Node, a promise that it gives is waited for itself, which saves turns. */
function invoke(method, receiver, ...args) {
  try {
    return PromiseResolve(ReflectApply(method, receiver, args));
  } catch (error) {
    return PromiseReject(error);
  }
}

/** A receiver that can be asked for a private name: what is no object has none. */
const objectOf = (receiver) => (typeof receiver === 'object' && receiver !== null ? receiver : EMPTY);

/** A promise with `resolve` and `reject` whose state can be asked. */
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
    handled(deferred.promise);
    return deferred;
  }
}

/** A list that is taken from at its head. */
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
  /** Take everything. */
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
    this.total = MathMax(0, this.total - size); // rounding may leave less than nothing
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

/** A dictionary argument: an object, or nothing. */
function dictionary(value, name) {
  if (value === undefined) return EMPTY;
  if (value === null && name !== undefined && RegExpTest(/^(options|strategy)/, name)) return EMPTY;
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) {
    throw new codes.ERR_INVALID_ARG_TYPE(name, 'Object', value);
  }
  return value;
}

/** A method of an underlying source or sink; undefined if it has none. */
function methodOf(object, name, kind) {
  const method = object[name];
  if (method === undefined) return undefined;
  if (typeof method !== 'function') throw new codes.ERR_INVALID_ARG_TYPE(`${kind}.${name}`, 'Function', method);
  return method;
}

/** Web classes: enumerable members and a tag. */
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
  handled,
  upon,
  invoke,
  invokeOnce,
  promiseAround,
  promised,
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
