'use strict';
// Owns: mock timers, which advance only when a test advances them: setTimeout, setInterval, setImmediate and Date, on the global
// object and in node:timers.

const {
  ArrayFilter,
  ArrayIncludes,
  ArrayIndexOf,
  ArrayPush,
  ArrayReduce,
  ArrayReverse,
  ArraySplice,
  DateGetTime,
  FunctionToString,
  MathMax,
  MathTrunc,
  NumberIsNaN,
  ObjectDefineProperties,
  ObjectDefineProperty,
  ObjectGetOwnPropertyDescriptor,
  ReflectConstruct,
  intact,
} = require('internal/primordials');
const { isDate } = require('internal/brands');
const { PromiseWithResolvers } = require('internal/promises');
const { AbortError, codes } = require('internal/errors/errors');
const { validateAbortSignal, validateNumber, validateObject, validateStringArray } = require('internal/validators');

const APIS = ['setTimeout', 'setInterval', 'setImmediate', 'Date', 'scheduler.wait', 'AbortSignal.timeout'];
const TIMERS = { __proto__: null, setTimeout: 'clearTimeout', setInterval: 'clearInterval', setImmediate: 'clearImmediate' };

class MockTimer {
  #clear;
  constructor(clear) {
    this.#clear = clear;
  }
  ref() {
    return this;
  }
  unref() {
    return this;
  }
  hasRef() {
    return true;
  }
  refresh() {
    return this;
  }
  close() {
    this.#clear(this);
    return this;
  }
  [Symbol.dispose]() {
    this.#clear(this);
  }
  [Symbol.toPrimitive]() {
    return 1;
  }
}

class MockTimers {
  #isEnabled = false;
  #now = 0;
  #waiting = []; // { due, order, callback, args, interval, timer }
  #order = 0;
  #saved = []; // [object, name, descriptor]

  enable(options = { apis: APIS, now: 0 }) {
    validateObject(options, 'options');
    if (this.#isEnabled) throw new codes.ERR_INVALID_STATE('MockTimers is already enabled!');
    const { apis = APIS, now = 0 } = options;
    validateStringArray(apis, 'options.apis');
    for (const api of intact(apis)) {
      if (!ArrayIncludes(APIS, api)) throw new codes.ERR_INVALID_ARG_VALUE('options.apis', api, `option ${api} is not supported`);
    }
    const start = isDate(now) ? DateGetTime(now) : now;
    if (!isDate(now)) {
      validateNumber(now, 'initialTime');
      if (NumberIsNaN(now)) {
        throw new codes.ERR_INVALID_ARG_VALUE('now', now, `epoch must be a positive integer received ${now}`);
      }
      if (now < 0) throw new codes.ERR_INVALID_ARG_VALUE('time', 'positive integer', now);
    }
    if (ArrayIncludes(apis, 'Date') && globalThis.Date.isMock) throw new codes.ERR_INVALID_STATE('Date is already being mocked!');
    this.#isEnabled = true;
    this.#now = start;
    for (const api of intact(apis)) this.#replace(api);
  }

  #put(object, name, value) {
    ArrayPush(this.#saved, [object, name, ObjectGetOwnPropertyDescriptor(object, name)]);
    ObjectDefineProperty(object, name, { __proto__: null, configurable: true, writable: true, enumerable: true, value });
  }

  #replace(api) {
    if (api === 'Date') return this.#put(globalThis, 'Date', this.#date());
    if (api === 'scheduler.wait') {
      const { scheduler } = require('node/timers/promises');
      return this.#put(scheduler, 'wait', (delay, options) => this.#promise(delay, undefined, options));
    }
    if (api === 'AbortSignal.timeout') return this.#put(require('web/abort').AbortSignal, 'timeout', this.#signalAfter());
    const set = (callback, delay, ...args) =>
      this.#set(callback, api === 'setImmediate' ? -1 : delay, args, api === 'setInterval');
    const clear = (timer) => this.#clear(timer);
    const fn = api === 'setImmediate' ? (callback, ...args) => this.#set(callback, -1, args, false) : set;
    for (const object of intact([globalThis, require('node/timers/timers')])) {
      this.#put(object, api, fn);
      this.#put(object, TIMERS[api], clear);
    }
    const promises = require('node/timers/promises');
    if (api === 'setTimeout') this.#put(promises, api, (delay, value, options) => this.#promise(delay, value, options));
    if (api === 'setImmediate') this.#put(promises, api, (value, options) => this.#promise(-1, value, options));
    return undefined;
  }

  /** Resolves when the delay has passed; rejects when the signal of `options` aborts. */
  async #promise(delay, value, options) {
    const signal = options?.signal;
    if (signal !== undefined) validateAbortSignal(signal, 'options.signal');
    const aborted = () => new AbortError(undefined, { cause: signal.reason });
    if (signal?.aborted) throw aborted();
    const { promise, resolve, reject } = PromiseWithResolvers();
    const timer = this.#set(resolve, delay, [value], false);
    const onAbort = () => {
      this.#clear(timer);
      reject(aborted());
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** AbortSignal.timeout. As with Node's mock, the reason is an AbortError, not a TimeoutError. */
  #signalAfter() {
    return (delay) => {
      validateNumber(delay, 'delay', 0, Number.MAX_SAFE_INTEGER);
      const controller = new (require('web/abort').AbortController)();
      this.#set(() => controller.abort(), delay, [], false);
      return controller.signal;
    };
  }

  #date() {
    const timers = this;
    const Original = Date;
    function MockDate(...args) {
      if (new.target === undefined) return new Original(timers.#now).toString();
      return ReflectConstruct(Original, args.length === 0 ? [timers.#now] : args, new.target);
    }
    const hidden = { __proto__: null, configurable: true, writable: true };
    ObjectDefineProperties(MockDate, {
      name: { __proto__: null, value: 'Date', configurable: true },
      length: { __proto__: null, value: 7, configurable: true },
      prototype: { __proto__: null, value: Original.prototype, writable: false },
      isMock: { __proto__: null, value: true, configurable: true },
      now: { ...hidden, value: () => timers.#now, __proto__: null },
      parse: { ...hidden, value: Original.parse, __proto__: null },
      UTC: { ...hidden, value: Original.UTC, __proto__: null },
      toString: { ...hidden, value: () => FunctionToString(Original), __proto__: null },
    });
    return MockDate;
  }

  #set(callback, delay, args, isInterval) {
    const timer = new MockTimer((one) => this.#clear(one));
    const ms = delay === -1 ? -1 : MathMax(1, MathTrunc(Number(delay)) || 1);
    ArrayPush(this.#waiting, {
      due: this.#now + ms,
      order: this.#order++,
      callback,
      args,
      interval: isInterval ? ms : undefined,
      timer,
    });
    return timer;
  }

  #clear(timer) {
    this.#waiting = ArrayFilter(this.#waiting, (each) => each.timer !== timer);
  }

  tick(time = 1) {
    if (!this.#isEnabled) throw new codes.ERR_INVALID_STATE('You should enable MockTimers first by calling the .enable function');
    if (time < 0) throw new codes.ERR_INVALID_ARG_VALUE('time', 'positive integer', time);
    this.#now += time;
    for (;;) {
      const next = this.#next();
      if (next === undefined || next.due > this.#now) break;
      ArraySplice(this.#waiting, ArrayIndexOf(this.#waiting, next), 1);
      if (next.interval !== undefined) ArrayPush(this.#waiting, { ...next, due: next.due + next.interval, order: this.#order++ });
      next.callback(...intact(next.args));
    }
  }

  #next() {
    return ArrayReduce(
      this.#waiting,
      (first, each) =>
        first === undefined || each.due < first.due || (each.due === first.due && each.order < first.order) ? each : first,
      undefined,
    );
  }

  runAll() {
    const last = ArrayReduce(this.#waiting, (latest, { due }) => MathMax(latest, due), -1);
    if (last >= 0) this.tick(MathMax(0, last - this.#now));
  }

  setTime(time = 0) {
    validateNumber(time, 'time');
    if (!this.#isEnabled) throw new codes.ERR_INVALID_STATE('You should enable MockTimers first by calling the .enable function');
    this.#now = time;
  }

  reset() {
    if (!this.#isEnabled) return;
    for (const { 0: object, 1: name, 2: descriptor } of intact(ArrayReverse(this.#saved))) {
      if (descriptor) ObjectDefineProperty(object, name, descriptor);
      else delete object[name];
    }
    this.#saved = [];
    this.#waiting = [];
    this.#isEnabled = false;
  }

  [Symbol.dispose]() {
    this.reset();
  }
}

module.exports = { MockTimers };
