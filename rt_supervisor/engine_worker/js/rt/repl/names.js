'use strict';
// Owns: the names that the REPL defines in the global scope: `require`, `module` and the other variables of CommonJS,
// `_`, `_error`, and the built-in modules. It also records which accessors of the global object are rt's own, so that
// completions may read them.

const { join } = require('node/path/path');
const { Module, createRequire } = require('node/module/commonjs');
const { defineModules } = require('node/repl/context');
const {
  MapGet,
  MapSet,
  ObjectDefineProperty,
  ObjectGetOwnPropertyDescriptor,
  ObjectGetOwnPropertyNames,
  intact,
} = require('internal/primordials');

const FILE = '[repl]';
const ownGetters = new Map();

function define(name, value) {
  ObjectDefineProperty(globalThis, name, { __proto__: null, value, writable: true, configurable: true, enumerable: false });
}

/** Defines the names; `require` resolves from the working folder. */
function defineNames() {
  const folder = host.cwd();
  const file = join(folder, FILE);
  const module = new Module(file);
  module.filename = file;
  module.paths = [...intact(Module._nodeModulePaths(folder))];
  define('module', module);
  define('exports', module.exports);
  define('require', createRequire(file));
  define('__filename', file);
  define('__dirname', folder);
  define('_', undefined);
  define('_error', undefined);
  defineModules(globalThis, define);
  for (const name of intact(ObjectGetOwnPropertyNames(globalThis))) {
    const { get } = ObjectGetOwnPropertyDescriptor(globalThis, name);
    if (get !== undefined) MapSet(ownGetters, name, get);
  }
}

/** Whether reading the global `name` runs no code of the program although it is an accessor. */
function isOwnAccessor(name) {
  const getter = MapGet(ownGetters, name);
  return getter !== undefined && ObjectGetOwnPropertyDescriptor(globalThis, name)?.get === getter;
}

module.exports = { defineNames, isOwnAccessor };
