// @ts-check
'use strict';
// Owns: `--trace-sync-io`: once the event loop turns, each synchronous function of node:fs that the program calls prints a
// warning with the caller's stack; existsSync does not, as in Node. A function that such a function calls prints nothing.

const { ErrorCaptureStackTrace, ObjectDefineProperty, ObjectKeys, ReflectApply } = require('internal/primordials');
const { StringEndsWith, StringIndexOf, StringSlice, intact } = require('internal/primordials');
const startValues = require('internal/start_values');

/** Replaces the functions of `fs`. `isTurning()` returns whether the loop turns. */
function begin(fs, process, isTurning) {
  let isInside = false;
  const warn = (callee) => {
    const holder = { stack: '' };
    ErrorCaptureStackTrace(holder, callee);
    const frames = StringSlice(holder.stack, StringIndexOf(holder.stack, '\n') + 1);
    const text = `(${startValues.programName}:${process.pid}) WARNING: Detected use of sync API\n    at ${callee.name} (node:fs)\n${frames}\n`;
    require('node/process/printing').print('stderr', 2, text);
  };
  for (const name of intact(ObjectKeys(fs))) {
    if (!StringEndsWith(name, 'Sync') || name === 'existsSync' || typeof fs[name] !== 'function') continue;
    const { [name]: method } = fs;
    const traced = function (...args) {
      if (isInside || !isTurning()) return ReflectApply(method, this, args);
      isInside = true;
      try {
        warn(traced);
        return ReflectApply(method, this, args);
      } finally {
        isInside = false;
      }
    };
    for (const key of intact(['name', 'length'])) {
      ObjectDefineProperty(traced, key, { __proto__: null, value: method[key], configurable: true });
    }
    fs[name] = traced;
  }
}

module.exports = { begin };
