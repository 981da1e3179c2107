// @ts-check
'use strict';
// Owns: the valid delays of timers, and Node's warnings about invalid ones.

const { NumberIsFinite } = require('internal/primordials');

const LONGEST_DELAY = 2 ** 31 - 1;
// Negative delays and values that are not numbers cause one warning per process.
let hasWarnedOfNegative = false;
let hasWarnedOfNaN = false;

/** Returns the delay in ms for a given value. Fractions are dropped when the timer starts. */
function delayFor(value) {
  if (value === undefined) return 1;
  const delay = value * 1;
  return delay >= 1 && delay <= LONGEST_DELAY ? delay : insteadOf(delay);
}

function insteadOf(delay) {
  if (delay > LONGEST_DELAY) warn(`${delay} does not fit into a 32-bit signed integer.`, 'TimeoutOverflowWarning');
  else if (delay < 0 && !hasWarnedOfNegative) {
    hasWarnedOfNegative = true;
    warn(`${delay} is a negative number.`, 'TimeoutNegativeWarning');
  } else if (delay !== delay && !hasWarnedOfNaN) {
    hasWarnedOfNaN = true;
    warn(`${delay} is not a number.`, 'TimeoutNaNWarning');
  }
  return 1;
}

function warn(fact, name) {
  host.emitWarning(`${fact}\nTimeout duration was set to 1.`, name);
}

/** Returns an idle timeout (`socket.setTimeout(msecs)` and similar); throws for an invalid value. */
function durationFor(msecs, name) {
  require('internal/validators').validateNumber(msecs, name);
  if (msecs < 0 || !NumberIsFinite(msecs)) {
    const { ERR_OUT_OF_RANGE } = require('internal/errors/errors').codes;
    throw new ERR_OUT_OF_RANGE(name, 'a non-negative finite number', msecs);
  }
  if (msecs <= LONGEST_DELAY) return msecs;
  const fact = `${msecs} does not fit into a 32-bit signed integer.`;
  host.emitWarning(`${fact}\nTimer duration was truncated to ${LONGEST_DELAY}.`, 'TimeoutOverflowWarning');
  return LONGEST_DELAY;
}

module.exports = { LONGEST_DELAY, delayFor, durationFor };
