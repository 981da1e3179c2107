// @ts-check
'use strict';
// Owns: import() and import.meta in code of node:vm. V8 passes back the symbol that the code was compiled with; the callback
// is attached to it, so that it lives exactly as long as the code.

const {
  ArrayIncludes,
  MapDelete,
  MapGet,
  ObjectFreeze,
  WeakMapGet,
  WeakMapSet,
  WeakRefDeref,
  WeakSetAdd,
  WeakSetHas,
} = require('internal/primordials');
const runtimeParts = require('internal/parts');
const startValues = require('internal/start_values');
const { givenFlags } = require('internal/given_flags');
const { codes } = require('internal/errors/errors');
const { validateFunction } = require('internal/validators');

const constants = ObjectFreeze({
  __proto__: null,
  USE_MAIN_CONTEXT_DEFAULT_LOADER: Symbol('vm_dynamic_import_main_context_default'),
  DONT_CONTEXTIFY: Symbol('vm_context_no_contextify'),
});

const PHASES = ['source', 'defer', 'evaluation']; // V8's numbers
const AS_PROGRAM = Symbol('import as the program does'); // use the main context's loader for rt's own code, without a warning
const MISSING = Symbol('vm_dynamic_import_missing');
const WITHOUT_FLAG = Symbol('vm_dynamic_import_missing_flag'); // of programs that see Node only
const FLAG = '--experimental-vm-modules';
const callbacks = new WeakMap();
const trusted = new WeakSet();
const modules = new Map(); // number -> WeakRef of the Module
const steps = new Map(); // number -> a SyntheticModule that has not been evaluated
let isListening = false;

/** The symbol to compile with. */
function symbolFor(importModuleDynamically, name) {
  listen();
  if (importModuleDynamically === AS_PROGRAM) return undefined;
  if (importModuleDynamically === constants.USE_MAIN_CONTEXT_DEFAULT_LOADER) {
    require('node/process/warnings').warnOfExperiment('vm.USE_MAIN_CONTEXT_DEFAULT_LOADER');
    return undefined; // as in the program's own files
  }
  if (importModuleDynamically === undefined) return MISSING;
  validateFunction(importModuleDynamically, 'options.importModuleDynamically');
  if (WeakSetHas(trusted, importModuleDynamically)) return Symbol(name);
  if (startValues.programName === 'node' && !ArrayIncludes(givenFlags(runtimeParts.process.process), FLAG)) return WITHOUT_FLAG;
  return Symbol(name);
}

/** Lets a callback of this library answer without the flag that programs need. */
function trust(callback) {
  WeakSetAdd(trusted, callback);
  return callback;
}

function register(symbol, importModuleDynamically, referrer) {
  if (typeof importModuleDynamically === 'function' && symbol !== WITHOUT_FLAG)
    WeakMapSet(callbacks, symbol, { importModuleDynamically, referrer: new WeakRef(referrer) });
}

function attributesOf(flat) {
  const attributes = { __proto__: null };
  for (let index = 0; index < flat.length; index += 2) attributes[flat[index]] = flat[index + 1];
  return attributes;
}

async function importBy({ importModuleDynamically, referrer }, specifier, attributes, phase) {
  const { Module } = require('node/vm/module');
  const module = await importModuleDynamically(specifier, WeakRefDeref(referrer), attributes, phase);
  if (require('node/util/types').isModuleNamespaceObject(module)) return module;
  if (!(module instanceof Module)) throw new codes.ERR_VM_MODULE_NOT_MODULE();
  if (phase === 'source') throw noSource(module);
  if (module.status === 'errored') throw module.error;
  return module.namespace;
}

const noSource = (module) => require('node/module/wasm').noSource(module?.identifier);

async function onImport(symbol, specifier, flat, phase) {
  if (symbol === WITHOUT_FLAG) throw new codes.ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING_FLAG();
  const attributes = attributesOf(flat);
  const callback = WeakMapGet(callbacks, symbol);
  if (callback === undefined) throw new codes.ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING();
  return importBy(callback, specifier, attributes, PHASES[phase]);
}

function onMeta(number, meta) {
  const module = MapGet(modules, number)?.deref();
  if (module !== undefined) require('node/vm/module').initializeMeta(module, meta);
}

function onEvaluate(number) {
  const module = MapGet(steps, number);
  MapDelete(steps, number);
  return require('node/vm/module').evaluateSteps(module);
}

function onNoSource(number) {
  throw noSource(MapGet(modules, number)?.deref());
}

function listen() {
  if (isListening) return;
  isListening = true;
  host.native.vmHooks(onImport, onMeta, onEvaluate, onNoSource);
}

module.exports = { AS_PROGRAM, PHASES, constants, symbolFor, register, trust, modules, steps, listen };
