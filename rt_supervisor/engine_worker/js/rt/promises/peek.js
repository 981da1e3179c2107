// @ts-check
'use strict';
// Owns: RT.peek: reads the state and the result of a promise synchronously.

const { intact } = require('internal/primordials');

const native = host.native;

const STATES = ['pending', 'fulfilled', 'rejected'];

/** Returns the value or the reason of a settled promise. A pending promise and any other value are returned unchanged. */
function peek(promise) {
  if (native.kindOf(promise) !== 'promise') return promise;
  const [state, value] = intact(native.promiseDetails(promise));
  return state === 0 ? promise : value;
}
peek.status = function status(promise) {
  return native.kindOf(promise) === 'promise' ? STATES[native.promiseDetails(promise)[0]] : 'fulfilled';
};

module.exports = { peek };
