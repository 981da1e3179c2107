// @ts-check
'use strict';
// Owns: `node:timers/promises`.
const { ReflectConstruct } = require('internal/primordials');
const { PromiseReject } = require('internal/promises');
const timers = require('internal/timers');
const { codes } = require('internal/errors/errors');
const { validateAbortSignal, validateBoolean, validateNumber, validateObject } = require('internal/validators');

function whenAborted(signal, stop, reject) {
  if (signal === undefined) return () => {};
  const onAbort = () => {
    stop();
    const error = new Error('The operation was aborted', { cause: signal.reason });
    require('internal/primordials').setOwn(error, 'name', 'AbortError');
    error.code = 'ABORT_ERR';
    reject(error);
  };
  if (signal.aborted) {
    onAbort();
    return () => {};
  }
  signal.addEventListener('abort', onAbort, { once: true });
  return () => signal.removeEventListener('abort', onAbort);
}

function later(start, stop) {
  /** @param {{ signal?: any, ref?: boolean }} [options] @param {unknown} [value] */
  return ({ signal, ref = true } = {}, value) =>
    new Promise((resolve, reject) => {
      let forget = () => {};
      const handle = start(() => {
        forget();
        resolve(value);
      });
      if (!ref) handle.unref();
      forget = whenAborted(signal, () => stop(handle), reject);
    });
}

/** Throws for invalid arguments of a timer. */
function check(delay, options) {
  if (delay !== undefined) validateNumber(delay, 'delay');
  if (options === undefined) return;
  validateObject(options, 'options');
  if (options.signal !== undefined) validateAbortSignal(options.signal, 'options.signal');
  if (options.ref !== undefined) validateBoolean(options.ref, 'options.ref');
}

/** @type {(delay?: number, value?: unknown, options?: { signal?: any, ref?: boolean }) => Promise<unknown>} */
function setTimeout(delay, value, options = undefined) {
  try {
    check(delay, options);
  } catch (error) {
    return PromiseReject(error);
  }
  return later((done) => timers.setTimeout(done, delay), timers.clearTimeout)(options, value);
}

function setImmediate(value, options = undefined) {
  try {
    check(undefined, options);
  } catch (error) {
    return PromiseReject(error);
  }
  return later((done) => timers.setImmediate(done), timers.clearImmediate)(options, value);
}

async function* setInterval(delay, value, options = {}) {
  check(delay, options);
  const { signal, ref = true } = options;
  while (!signal?.aborted) {
    await setTimeout(delay, undefined, { signal, ref });
    yield value;
  }
}

const kScheduler = Symbol('kScheduler');

class Scheduler {
  constructor() {
    throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
  }

  yield() {
    if (!this[kScheduler]) throw new codes.ERR_INVALID_THIS('Scheduler');
    return setImmediate();
  }

  wait(delay, options) {
    if (!this[kScheduler]) throw new codes.ERR_INVALID_THIS('Scheduler');
    return setTimeout(delay, undefined, options);
  }
}

module.exports = {
  setTimeout,
  setImmediate,
  setInterval,
  scheduler: ReflectConstruct(
    function Made() {
      this[kScheduler] = true;
    },
    [],
    Scheduler,
  ),
};
