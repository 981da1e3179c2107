// @ts-check
'use strict';
// Owns: the iterator helpers of Readable: map, filter, forEach, toArray, some, every, find, flatMap, drop, take, reduce; and
// compose. `concurrency` is the number of concurrent calls of the function; results keep their order.

const { intactAsync } = require('internal/async_iteration');
const { AnyThen } = require('internal/any_kind');
const {
  ArrayPush,
  ArrayShift,
  FunctionApply,
  FunctionCall,
  MathFloor,
  NumberIsNaN,
  ObjectDefineProperty,
  ObjectKeys,
  intact,
} = require('internal/primordials');
const { PromiseReject, PromiseResolve } = require('internal/promises');
const { AbortError, codes } = require('internal/errors/errors');
const { validateAbortSignal, validateFunction, validateInteger, validateObject } = require('internal/validators');

const NONE = Symbol('kEmpty');
const END = Symbol('kEof');

function checkOptions(options) {
  if (options != null) validateObject(options, 'options');
  if (options?.signal != null) validateAbortSignal(options.signal, 'options.signal');
}

const checkFunction = (value, name = 'fn') => validateFunction(value, name);

function map(work, options) {
  checkFunction(work);
  checkOptions(options);
  const concurrency = options?.concurrency != null ? MathFloor(options.concurrency) : 1;
  const mark = options?.highWaterMark != null ? MathFloor(options.highWaterMark) : concurrency - 1;
  validateInteger(concurrency, 'options.concurrency', 1);
  validateInteger(mark, 'options.highWaterMark', 0);
  return mapConcurrently(this, work, options?.signal, { concurrency, most: mark + concurrency });
}

async function* mapConcurrently(stream, work, outerSignal, { concurrency, most }) {
  const signal = require('web/abort').AbortSignal.any(outerSignal ? [outerSignal] : []);
  const queue = [];
  let wakeReader; // called when the queue has something for the reader
  let wakePump; // called when the queue has room for the pump
  let isDone = false;
  let running = 0;

  const onRoom = () => {
    if (wakePump && !isDone && running < concurrency && queue.length < most) {
      wakePump();
      wakePump = undefined;
    }
  };
  const onDone = () => {
    running--;
    onRoom();
  };
  const onFailed = () => {
    isDone = true;
    onDone();
  };
  const enqueue = (promise) => {
    AnyThen(promise, onDone, onFailed);
    ArrayPush(queue, promise);
  };
  const wakeUp = () => {
    wakeReader?.();
    wakeReader = undefined;
  };

  async function pump() {
    try {
      for await (const chunk of intactAsync(stream)) {
        if (isDone) return;
        if (signal.aborted) throw new AbortError();
        let result;
        try {
          const value = work(chunk, { signal });
          if (value === NONE) continue;
          result = PromiseResolve(value);
        } catch (error) {
          result = PromiseReject(error);
        }
        running++;
        enqueue(result);
        wakeUp();
        if (!isDone && (queue.length >= most || running >= concurrency))
          await new Promise((resolve) => {
            wakePump = resolve;
          });
      }
      ArrayPush(queue, END);
    } catch (error) {
      enqueue(PromiseReject(error));
    } finally {
      isDone = true;
      wakeUp();
    }
  }
  pump();

  try {
    for (;;) {
      while (queue.length > 0) {
        const value = await queue[0];
        if (value === END) return;
        if (signal.aborted) throw new AbortError();
        if (value !== NONE) yield value;
        ArrayShift(queue);
        onRoom();
      }
      await new Promise((resolve) => {
        wakeReader = resolve;
      });
    }
  } finally {
    isDone = true;
    wakePump?.();
    wakePump = undefined;
  }
}

function filter(test, options) {
  checkFunction(test);
  return FunctionCall(map, this, async (value, more) => ((await test(value, more)) ? value : NONE), options);
}

async function forEach(work, options) {
  checkFunction(work);
  for await (const _ of intactAsync(
    FunctionCall(
      map,
      this,
      async (value, more) => {
        await work(value, more);
        return NONE;
      },
      options,
    ),
  ));
}

async function some(test, options = undefined) {
  for await (const _ of intactAsync(FunctionCall(filter, this, test, options))) return true;
  return false;
}

async function every(test, options = undefined) {
  checkFunction(test);
  return !(await FunctionCall(some, this, async (...args) => !(await test(...intact(args))), options));
}

async function find(test, options) {
  for await (const value of intactAsync(FunctionCall(filter, this, test, options))) return value;
  return undefined;
}

function flatMap(work, options) {
  const values = FunctionCall(map, this, work, options);
  return (async function* flatten() {
    for await (const value of intactAsync(values)) yield* intact(value);
  })();
}

async function toArray(options) {
  checkOptions(options);
  const values = [];
  for await (const value of intactAsync(this)) {
    if (options?.signal?.aborted) throw new AbortError(undefined, { cause: options.signal.reason });
    ArrayPush(values, value);
  }
  return values;
}

async function reduce(reducer, initial, options) {
  checkFunction(reducer, 'reducer');
  checkOptions(options);
  let hasValue = arguments.length > 1;
  let value = initial;
  if (options?.signal?.aborted) {
    const error = new AbortError(undefined, { cause: options.signal.reason });
    this.once('error', () => {}); // reported through the promise only
    await require('node/stream/finished').finishedPromise(this.destroy(error));
    throw error;
  }
  const controller = new (require('web/abort').AbortController)();
  options?.signal?.addEventListener('abort', () => controller.abort(), { once: true });
  try {
    for await (const chunk of intactAsync(this)) {
      if (options?.signal?.aborted) throw new AbortError();
      if (hasValue) value = await reducer(value, chunk, { signal: controller.signal });
      else [value, hasValue] = intact([chunk, true]);
    }
    if (!hasValue) {
      const error = new codes.ERR_MISSING_ARGS('reduce');
      error.message = 'Reduce of an empty stream requires an initial value';
      throw error;
    }
  } finally {
    controller.abort();
  }
  return value;
}

function countOf(number) {
  const count = Number(number);
  if (NumberIsNaN(count)) return 0;
  if (count < 0) throw new codes.ERR_OUT_OF_RANGE('number', '>= 0', count);
  return count;
}

/** Yields the chunks of `stream` from index `first` up to, but excluding, index `most`. */
async function* part(stream, options, { first, most }) {
  if (options?.signal?.aborted) throw new AbortError();
  let place = 0;
  for await (const value of intactAsync(stream)) {
    if (options?.signal?.aborted) throw new AbortError();
    if (place >= first && place < most) yield value;
    place++;
    if (place >= most) return; // without requesting another chunk
  }
}

function drop(number, options = undefined) {
  checkOptions(options);
  return part(this, options, { first: countOf(number), most: Infinity });
}

function take(number, options = undefined) {
  checkOptions(options);
  return part(this, options, { first: 0, most: countOf(number) });
}

function compose(stream, options) {
  checkOptions(options);
  const composed = require('node/stream/compose').compose(this, stream);
  if (options?.signal) require('node/stream/abort_signals').attachSignal(options.signal, composed);
  return composed;
}

const streamsOf = { drop, filter, flatMap, map, take };
const promisesOf = { every, forEach, reduce, toArray, some, find };

/** Defines a non-enumerable method `name` with the `length` of `model`. */
function hide(prototype, name, value, model = value) {
  ObjectDefineProperty(value, 'name', { __proto__: null, value: name });
  ObjectDefineProperty(value, 'length', { __proto__: null, value: model.length });
  ObjectDefineProperty(prototype, name, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
}

/** Wraps an operator as a method, which is not a constructor. */
const taking = (operator) =>
  ({
    method(...args) {
      return operator(this, args);
    },
  }).method;

function install(Readable) {
  hide(Readable.prototype, 'compose', compose);
  for (const name of intact(ObjectKeys(streamsOf))) {
    const operator = (receiver, args) => Readable.from(FunctionApply(streamsOf[name], receiver, args));
    hide(Readable.prototype, name, taking(operator), streamsOf[name]);
  }
  for (const name of intact(ObjectKeys(promisesOf))) {
    const operator = (receiver, args) => FunctionApply(promisesOf[name], receiver, args);
    hide(Readable.prototype, name, taking(operator), promisesOf[name]);
  }
}

module.exports = { install };
