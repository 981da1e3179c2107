// @ts-check
'use strict';
// Owns: events.once (a promise for one event) and events.on (an async iterator over all), for emitters and event targets.

const { PromiseReject, PromiseResolve } = require('internal/promises');
const {
  ArrayPush,
  ArrayShift,
  ArraySplice,
  ObjectGetPrototypeOf,
  ObjectSetPrototypeOf,
  SymbolFor,
} = require('internal/primordials');
const { AbortError, codes } = require('internal/errors/errors');
const { validateAbortSignal, validateInteger, validateObject } = require('internal/validators');

function listen(emitter, name, listener, once) {
  if (typeof emitter.on === 'function') {
    if (once) emitter.once(name, listener);
    else emitter.on(name, listener);
  } else if (typeof emitter.addEventListener === 'function') {
    emitter.addEventListener(name, listener, { once });
  } else {
    throw new codes.ERR_INVALID_ARG_TYPE('emitter', 'EventEmitter', emitter);
  }
}

function unlisten(emitter, name, listener) {
  if (typeof emitter.removeListener === 'function') emitter.removeListener(name, listener);
  else if (typeof emitter.removeEventListener === 'function') emitter.removeEventListener(name, listener);
  else throw new codes.ERR_INVALID_ARG_TYPE('emitter', 'EventEmitter', emitter);
}

const abortError = (signal) => new AbortError(undefined, { cause: signal?.reason });

async function once(emitter, name, options = {}) {
  const { kUnstoppable } = require('web/event_target');
  validateObject(options, 'options');
  const { signal } = options;
  validateAbortSignal(signal, 'options.signal');
  if (signal?.aborted) throw abortError(signal);
  return new Promise((resolve, reject) => {
    const onError = (error) => {
      unlisten(emitter, name, onEvent);
      stop();
      reject(error);
    };
    const onEvent = (...args) => {
      if (typeof emitter.removeListener === 'function') emitter.removeListener('error', onError);
      stop();
      resolve(args);
    };
    const onAbort = () => {
      unlisten(emitter, name, onEvent);
      unlisten(emitter, 'error', onError);
      reject(abortError(signal));
    };
    const stop = () => signal?.removeEventListener('abort', onAbort);
    listen(emitter, name, onEvent, true);
    if (name !== 'error' && typeof emitter.once === 'function') emitter.once('error', onError);
    signal?.addEventListener('abort', onAbort, { __proto__: null, once: true, [kUnstoppable]: true });
  });
}

const kWatermarks = SymbolFor('nodejs.watermarkData');
const AsyncIteratorPrototype = ObjectGetPrototypeOf(ObjectGetPrototypeOf(async function* () {}).prototype);

function on(emitter, name, options = {}) {
  validateObject(options, 'options');
  const { signal } = options;
  validateAbortSignal(signal, 'options.signal');
  if (signal?.aborted) throw abortError(signal);
  const high = options.highWaterMark ?? options.highWatermark ?? Number.MAX_SAFE_INTEGER;
  validateInteger(high, 'options.highWaterMark', 1);
  const low = options.lowWaterMark ?? options.lowWatermark ?? 1;
  validateInteger(low, 'options.lowWaterMark', 1);
  return new EventIterator(emitter, name, { signal, close: options.close, high, low }).start();
}

class EventIterator {
  #emitter;
  #name;
  #settings;
  #events = [];
  #waiting = []; // { resolve, reject } of pending next() calls
  #error;
  #isFinished = false;
  #isPaused = false;
  #cleanups = [];

  constructor(emitter, name, settings) {
    this.#emitter = emitter;
    this.#name = name;
    this.#settings = settings;
  }

  start() {
    const emitter = this.#emitter;
    const add = (name, listener) => {
      listen(emitter, name, listener, false);
      ArrayPush(this.#cleanups, () => unlisten(emitter, name, listener));
    };
    add(this.#name, (...args) => this.#receive(args));
    if (this.#name !== 'error' && typeof emitter.on === 'function') add('error', (error) => this.#fail(error));
    for (let index = 0, list = this.#settings.close ?? []; index < list.length; index++) {
      const name = list[index];
      add(name, () => this.#close());
    }
    const { signal } = this.#settings;
    const { kUnstoppable } = require('web/event_target');
    if (signal !== undefined) {
      const onAbort = () => this.#fail(abortError(signal));
      signal.addEventListener('abort', onAbort, { __proto__: null, once: true, [kUnstoppable]: true });
      ArrayPush(this.#cleanups, () => signal.removeEventListener('abort', onAbort));
    }
    return this;
  }

  #receive(args) {
    const waiter = ArrayShift(this.#waiting);
    if (waiter !== undefined) return waiter.resolve({ value: args, done: false });
    ArrayPush(this.#events, args);
    if (!this.#isPaused && this.#events.length > this.#settings.high) {
      this.#isPaused = true;
      this.#emitter.pause?.();
    }
  }

  #fail(error) {
    const waiter = ArrayShift(this.#waiting);
    if (waiter !== undefined) waiter.reject(error);
    else this.#error = error;
    this.#close();
  }

  #close() {
    for (let index = 0, list = ArraySplice(this.#cleanups, 0, this.#cleanups.length); index < list.length; index++) {
      const cleanup = list[index];
      cleanup();
    }
    this.#isFinished = true;
    for (let index = 0, list = ArraySplice(this.#waiting, 0, this.#waiting.length); index < list.length; index++) {
      const waiter = list[index];
      waiter.resolve({ value: undefined, done: true });
    }
    return PromiseResolve({ value: undefined, done: true });
  }

  get [kWatermarks]() {
    const iterator = this;
    return {
      get size() {
        return iterator.#events.length;
      },
      get low() {
        return iterator.#settings.low;
      },
      get high() {
        return iterator.#settings.high;
      },
      get isPaused() {
        return iterator.#isPaused;
      },
    };
  }

  next() {
    if (this.#events.length > 0) {
      const value = ArrayShift(this.#events);
      if (this.#isPaused && this.#events.length < this.#settings.low) {
        this.#isPaused = false;
        if (!this.#isFinished) this.#emitter.resume?.(); // a closed iterator takes no more events
      }
      return PromiseResolve({ value, done: false });
    }
    if (this.#error !== undefined) {
      const error = this.#error;
      this.#error = undefined;
      return PromiseReject(error);
    }
    if (this.#isFinished) return this.#close();
    return new Promise((resolve, reject) => ArrayPush(this.#waiting, { resolve, reject }));
  }

  return() {
    return this.#close();
  }

  throw(error) {
    if (!error || !(error instanceof Error)) {
      throw new codes.ERR_INVALID_ARG_TYPE('EventEmitter.AsyncIterator', 'Error', error);
    }
    this.#fail(error);
  }
}
ObjectSetPrototypeOf(EventIterator.prototype, AsyncIteratorPrototype);

module.exports = { once, on };
