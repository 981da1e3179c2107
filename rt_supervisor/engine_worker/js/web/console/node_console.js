// @ts-check
'use strict';
// Owns: the global console of a program that sees Node only: the methods that Node has print in Node's form, through the Console
// class over the global console's sinks. The class is created by the first call.

const { ObjectDefineProperty, ReflectApply, intact } = require('internal/primordials');
const { UNLIMITED_DEPTH } = require('internal/inspect/rt');

const NAMES = [
  'log',
  'warn',
  'dir',
  'time',
  'timeEnd',
  'timeLog',
  'trace',
  'assert',
  'count',
  'countReset',
  'group',
  'groupEnd',
  'table',
  'debug',
  'info',
  'dirxml',
  'error',
  'groupCollapsed',
];

/** Members of the console that only Bun has. */
const NOT_IN_NODE = ['record', 'recordEnd', 'screenshot', 'takeHeapSnapshot', 'write', Symbol.asyncIterator];

/** A stream for the Console class over a sink of the global console. */
const streamOver = (output, write, colors) => ({
  write(text) {
    output[write](text);
    return true;
  },
  get isTTY() {
    return output[colors];
  },
});

/** Replaces the methods of the global console. `output` is what web/console/console received, `process` has the streams. */
function start(console, output, process) {
  for (const name of intact(NOT_IN_NODE)) delete console[name];
  let own;
  const ready = () => {
    own ??= new console.Console({
      stdout: streamOver(output, 'writeOut', 'colorsOut'),
      stderr: streamOver(output, 'writeErr', 'colorsErr'),
      inspectOptions: { depth: output.depth === 0 ? UNLIMITED_DEPTH : output.depth },
    });
    return own;
  };
  for (const name of intact(['stdout', 'stderr'])) {
    ObjectDefineProperty(console, `_${name}`, {
      __proto__: null,
      get: () => process[name],
      set(value) {
        ready()[`_${name}`] = value;
        ObjectDefineProperty(console, `_${name}`, { __proto__: null, value, writable: true, configurable: true });
      },
      configurable: true,
    });
  }
  const { clear } = {
    clear() {
      require('web/console/class').clearScreen({ isTTY: process.stdout.isTTY, write: output.writeOut });
    },
  };
  console.clear = clear;
  for (const name of intact(NAMES)) {
    const { [name]: method } = {
      [name](...args) {
        const target = ready();
        return ReflectApply(target[name], target, args);
      },
    };
    ObjectDefineProperty(console, name, { __proto__: null, value: method, writable: true, enumerable: true, configurable: true });
  }
}

module.exports = { start };
