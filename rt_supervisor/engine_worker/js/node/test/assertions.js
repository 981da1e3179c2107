'use strict';
// Owns: `t.assert`: the functions of node:assert, counted for the test's plan; snapshots; and those that programs register.

const { validateFunction, validateString } = require('internal/validators');

const own = new Map(); // what programs have registered
const UNCOUNTED = new Set(['strict', 'AssertionError', 'CallTracker', 'Assert']);

function register(name, fn) {
  validateString(name, 'name');
  validateFunction(fn, 'fn');
  own.set(name, fn);
}

function assertionsFor(test) {
  const assert = require('node/assert/assert');
  const functions = { __proto__: null };
  const counted = (name, fn) => {
    functions[name] = (...args) => {
      test.asserted++;
      return fn.apply(test.context, args);
    };
  };
  for (const name of Object.keys(assert))
    if (!UNCOUNTED.has(name) && typeof assert[name] === 'function') counted(name, assert[name]);
  counted('snapshot', (actual, options) => require('node/test/snapshots').check(test, actual, options));
  counted('fileSnapshot', (actual, path, options) => require('node/test/snapshots').checkFile(test, actual, path, options));
  for (const [name, fn] of own) counted(name, fn);
  return functions;
}

module.exports = { assertionsFor, register };
