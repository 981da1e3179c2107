// @ts-check
'use strict';
// Owns: the module node:vm.

const runtimeParts = require('internal/parts');
const { ObjectDefineProperty, PromiseThen, intact } = require('internal/primordials');
const { PromiseResolve } = require('internal/promises');
const { validateObject, validateOneOf } = require('internal/validators');
const { warnOfExperiment } = require('node/process/warnings');
const { constants } = require('node/vm/imports');
const { createContext, isContext } = require('node/vm/context');
const { Script, createScript, runInContext, runInNewContext, runInThisContext, compileFunction } = require('node/vm/script');

/** V8's heap usage. Contexts share one heap here, so all of it is attributed to the current one. */
function measureMemory(options = { __proto__: null }) {
  warnOfExperiment('vm.measureMemory');
  validateObject(options, 'options');
  const { mode = 'summary', execution = 'default' } = options;
  validateOneOf(mode, 'options.mode', ['summary', 'detailed']);
  validateOneOf(execution, 'options.execution', ['default', 'eager']);
  return PromiseThen(PromiseResolve(), () => {
    const used = runtimeParts.process.process.memoryUsage().heapUsed;
    const entry = { jsMemoryEstimate: used, jsMemoryRange: [used, used] };
    const wasm = { code: 0, metadata: 0 };
    return mode === 'summary'
      ? { total: entry, WebAssembly: wasm }
      : { total: entry, current: entry, other: [], WebAssembly: wasm };
  });
}

module.exports = {
  Script,
  createContext,
  createScript,
  runInContext,
  runInNewContext,
  runInThisContext,
  isContext,
  compileFunction,
  measureMemory,
  constants,
};

// Node has them with --experimental-vm-modules; here they need no flag.
for (const name of intact(['Module', 'SourceTextModule', 'SyntheticModule'])) {
  ObjectDefineProperty(module.exports, name, {
    __proto__: null,
    get: () => require('node/vm/module')[name],
    enumerable: false,
    configurable: true,
  });
}
