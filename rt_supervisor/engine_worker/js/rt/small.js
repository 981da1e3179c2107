// @ts-check
'use strict';
// Owns: the parts of RT that are a few lines each: HTML, promises, sleep, fetch, the heap.

const { isDate } = require('internal/brands');
const {
  ArrayJoin,
  DateGetTime,
  DateNow,
  MathMax,
  MathMin,
  NumberIsNaN,
  ObjectAssign,
  RegExpReplace,
  intact,
} = require('internal/primordials');

const native = host.native;

const ESCAPES = { __proto__: null, '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#x27;' };
const escapeHTML = (text) => RegExpReplace(/[&<>"']/g, `${text}`, (character) => ESCAPES[character]);

const STATES = ['pending', 'fulfilled', 'rejected'];

/** What a promise was settled with, without waiting; the promise itself while it is pending, any other value as it is. */
function peek(promise) {
  if (native.kindOf(promise) !== 'promise') return promise;
  const [state, value] = intact(native.promiseDetails(promise));
  return state === 0 ? promise : value;
}
peek.status = function status(promise) {
  return native.kindOf(promise) === 'promise' ? STATES[native.promiseDetails(promise)[0]] : 'fulfilled';
};

const LONGEST_SLEEP = 2 ** 31 - 1; // ms, of a timer

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

/** Calls the global `fetch` as it is at the call: programs replace it. */
function fetch(input, init) {
  return globalThis.fetch(input, init); // eslint-disable-line no-restricted-properties
}
fetch.preconnect = (address) => require('node/fetch/fetch').preconnect(address);

/** A snapshot of the heap as V8's tools read it: its text, or the bytes of that. */
function generateHeapSnapshot(format = 'jsc', encoding = undefined) {
  if (format !== 'v8' && format !== 'jsc') throw new TypeError("Expected 'v8' or 'jsc' or undefined");
  if (format === 'jsc')
    throw new (require('internal/errors/errors').codes.ERR_NOT_IMPLEMENTED)('RT', "generateHeapSnapshot('jsc')");
  const text = ArrayJoin(require('node/v8_extras').snapshotPieces(), '');
  return encoding === 'arraybuffer' ? native.encodeUtf8(text).buffer : text;
}

module.exports = { escapeHTML, fetch, generateHeapSnapshot, peek, sleep, sleepSync };
