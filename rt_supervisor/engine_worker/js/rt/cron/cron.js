'use strict';
// Owns: RT.cron: calls a handler at the times of a cron expression while the program runs; `parse` returns the next time.

const { DateGetTime, DateNow, MathMin, NumberIsFinite, ObjectDefineProperty } = require('internal/primordials');
const { isDate } = require('internal/brands');
const { nextTime, readCron } = require('rt/cron/times');
const { clockOf } = require('rt/cron/zone');

const LONGEST_DELAY = 2 ** 31 - 1;
const { wrongType } = require('internal/errors/errors');

function refuse(member) {
  throw new (require('internal/errors/errors').codes.ERR_NOT_IMPLEMENTED)('RT.cron', member);
}

function startOf(relative) {
  if (relative === undefined || relative === null) return DateNow();
  if (typeof relative !== 'number' && !isDate(relative)) {
    throw wrongType('RT.cron.parse() expects the second argument to be a Date or number (ms since epoch)');
  }
  const time = typeof relative === 'number' ? relative : DateGetTime(relative);
  if (!NumberIsFinite(time)) throw wrongType('Invalid date value');
  return time;
}

class CronJob {
  #text;
  #times;
  #clock;
  #handler;
  #timer;
  #isRef = true;
  #isStopped = false;

  constructor(text, handler, clock) {
    this.#text = text;
    this.#times = readCron(text);
    this.#clock = clock;
    this.#handler = handler;
    this.#wait(nextTime(this.#times, DateNow(), this.#clock));
  }

  get cron() {
    return this.#text;
  }

  /** Waits in steps, because a timer's delay is at most 2^31 - 1 ms, which is less than 25 days. */
  #wait(next) {
    if (next === null || this.#isStopped) return;
    const delay = MathMin(DateGetTime(next) - DateNow(), LONGEST_DELAY);
    this.#timer = require('internal/timers').setTimeout(() => {
      if (DateGetTime(next) > DateNow()) this.#wait(next);
      else this.#run();
    }, delay);
    if (!this.#isRef) this.#timer.unref();
  }

  /**
   * The next call is scheduled after the handler, or its promise, has finished. An error that it throws is an uncaught
   * exception.
   */
  async #run() {
    try {
      await this.#handler.call(this);
    } finally {
      this.#wait(nextTime(this.#times, DateNow(), this.#clock));
    }
  }

  stop() {
    this.#isStopped = true;
    require('internal/timers').clearTimeout(this.#timer);
    return this;
  }

  ref() {
    this.#isRef = true;
    this.#timer?.ref();
    return this;
  }

  unref() {
    this.#isRef = false;
    this.#timer?.unref();
    return this;
  }

  [Symbol.dispose]() {
    this.stop();
  }
}

/** Implements `cron(schedule, handler)`. A path as the first argument would register a system job, which rt does not support. */
function cron(schedule, handler, title) {
  if (typeof schedule !== 'string') throw wrongType('RT.cron() expects a string path as the first argument');
  if (typeof handler === 'string' && typeof title === 'string') {
    readCron(handler);
    refuse('cron of the system');
  }
  if (typeof handler !== 'function')
    throw wrongType('RT.cron(schedule, handler) expects a function handler as the second argument');
  return new CronJob(schedule, handler, clockOf(title));
}

function parse(expression, relative = undefined, options = undefined) {
  if (typeof expression !== 'string') throw wrongType('RT.cron.parse() expects a string cron expression as the first argument');
  const after = startOf(relative);
  return nextTime(readCron(expression), after, clockOf(options));
}
ObjectDefineProperty(cron, 'parse', { __proto__: null, value: parse, writable: true, enumerable: true, configurable: true });
ObjectDefineProperty(cron, 'remove', {
  __proto__: null,
  value: async function remove() {
    refuse('remove');
  },
  writable: true,
  enumerable: true,
  configurable: true,
});

module.exports = { cron };
