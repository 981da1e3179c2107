// @ts-check
'use strict';
// Owns: RT.sleep, which returns a promise, and RT.sleepSync, which blocks the thread.

const { isDate } = require('internal/brands');
const { DateGetTime, DateNow, MathMax, MathMin, NumberIsNaN, ObjectAssign } = require('internal/primordials');

const native = host.native;

const LONGEST_SLEEP = 2 ** 31 - 1; // ms: the longest delay of a timer

function sleep(time) {
  const ms = isDate(time) ? DateGetTime(time) - DateNow() : time;
  if (typeof ms !== 'number') throw new TypeError('sleep expects a number (milliseconds)');
  return new Promise((resolve) => {
    require('internal/timers').setTimeout(resolve, NumberIsNaN(ms) ? 0 : MathMin(MathMax(0, ms), LONGEST_SLEEP));
  });
}

function sleepSync(ms) {
  const fail = (message) => ObjectAssign(new TypeError(message), { code: 'ERR_INVALID_ARG_TYPE' });
  if (typeof ms !== 'number') throw fail('milliseconds must be a number');
  if (ms < 0) throw fail(`argument to sleepSync must not be negative, got ${ms}`);
  native.process_sleep(NumberIsNaN(ms) ? 0 : ms);
}

module.exports = { sleep, sleepSync };
