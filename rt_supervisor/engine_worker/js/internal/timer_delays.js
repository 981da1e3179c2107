// @ts-check
'use strict';
// Owns: which delays timers have, and the warnings about those that they cannot have (Node's).

const { NumberIsFinite } = require('internal/primordials');

const LONGEST_DELAY = 2 ** 31 - 1;
// Of negative delays and of what is no number there is one warning in a process.
let hasToldNegative = false;
let hasToldNoNumber = false;

/** The delay of a timer in ms for what a program gave; parts of one do not count when it is started. */
function delayFor(given) {
  if (given === undefined) return 1;
  const delay = given * 1;
  return delay >= 1 && delay <= LONGEST_DELAY ? delay : insteadOf(delay);
}

function insteadOf(delay) {
  if (delay > LONGEST_DELAY) warn(`${delay} does not fit into a 32-bit signed integer.`, 'TimeoutOverflowWarning');
  else if (delay < 0 && !hasToldNegative) {
    hasToldNegative = true;
    warn(`${delay} is a negative number.`, 'TimeoutNegativeWarning');
  } else if (delay !== delay && !hasToldNoNumber) {
    hasToldNoNumber = true;
    warn(`${delay} is not a number.`, 'TimeoutNaNWarning');
  }
  return 1;
}

function warn(fact, name) {
  host.emitWarning(`${fact}\nTimeout duration was set to 1.`, name);
}

/** How long something may be idle (`socket.setTimeout(msecs)` and the like); throws for what is no such time. */
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
