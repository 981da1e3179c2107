// @ts-check
'use strict';
// Owns: `t.assert`: the functions of node:assert, counted for the test's plan; snapshots; and assertions registered by
// programs.

const { setOf } = require('internal/collections');
const { FunctionApply, MapSet, ObjectKeys, SetHas, intact } = require('internal/primordials');
const { validateFunction, validateString } = require('internal/validators');

const own = new Map(); // registered by programs
const UNCOUNTED = setOf(['strict', 'AssertionError', 'CallTracker', 'Assert']);

function register(name, fn) {
  validateString(name, 'name');
  validateFunction(fn, 'fn');
  MapSet(own, name, fn);
}

function assertionsFor(test) {
  const assert = require('node/assert/assert');
  const functions = { __proto__: null };
  const addCounting = (name, fn) => {
    functions[name] = (...args) => {
      test.asserted++;
      return FunctionApply(fn, test.context, args);
    };
  };
  for (const name of intact(ObjectKeys(assert)))
    if (!SetHas(UNCOUNTED, name) && typeof assert[name] === 'function') addCounting(name, assert[name]);
  addCounting('snapshot', (actual, options) => require('node/test/snapshots').check(test, actual, options));
  addCounting('fileSnapshot', (actual, path, options) => require('node/test/snapshots').checkFile(test, actual, path, options));
  for (const { 0: name, 1: fn } of intact(own)) addCounting(name, fn);
  return functions;
}

module.exports = { assertionsFor, register };
