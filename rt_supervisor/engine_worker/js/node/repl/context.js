'use strict';
// Owns: the global object in which a REPL evaluates: the program's own, or that of a context with the same globals; and the
// names defined there for the REPL: module, require, `_`, `_error` and the built-in modules.

const { setOf } = require('internal/collections');
const {
  ObjectDefineProperty,
  ObjectGetOwnPropertyDescriptor,
  ObjectGetOwnPropertyNames,
  RegExpTest,
  SetHas,
  intact,
} = require('internal/primordials');
const vm = require('node/vm/vm');

function createContext(repl) {
  if (repl.useGlobal) return globalThis;
  const context = vm.createContext({});
  const own = setOf(vm.runInContext('Object.getOwnPropertyNames(globalThis)', context));
  for (const name of intact(ObjectGetOwnPropertyNames(globalThis))) {
    if (SetHas(own, name)) continue;
    ObjectDefineProperty(context, name, { __proto__: null, ...ObjectGetOwnPropertyDescriptor(globalThis, name) });
  }
  context.global = context;
  const { Console } = require('node/console');
  ObjectDefineProperty(context, 'console', {
    __proto__: null,
    configurable: true,
    writable: true,
    value: new Console(repl.output),
  });
  return context;
}

/** The working directory; the root if it has been deleted, so that the REPL starts. */
function folder() {
  try {
    return host.cwd();
  } catch {
    return '/';
  }
}

function defineNames(repl) {
  const { Module, makeRequire } = require('node/module/commonjs');
  const { join } = require('node/path/path');
  const define = (name, value) =>
    ObjectDefineProperty(repl.context, name, { __proto__: null, value, writable: true, configurable: true, enumerable: false });
  const module = new Module('<repl>');
  module.paths = [...intact(Module._nodeModulePaths(join(folder(), '.')))];
  define('module', module);
  module.path = folder();
  define('require', makeRequire(module));
  for (const { 0: name, 1: of_, 2: flag, 3: saying } of intact([
    ['_', 'last', 'underscoreAssigned', '_'],
    ['_error', 'lastError', 'underscoreErrAssigned', '_error'],
  ])) {
    ObjectDefineProperty(repl.context, name, {
      __proto__: null,
      configurable: true,
      get: () => repl[of_],
      set: (value) => {
        repl[of_] = value;
        if (repl[flag]) return;
        repl[flag] = true;
        repl.output.write(`Expression assignment to ${saying} now disabled.\n`);
      },
    });
  }
  defineModules(repl.context, define);
}

/** Makes the built-in modules members of `context`, each loaded when it is read; `define(name, value)` defines a value. */
function defineModules(context, define) {
  for (const name of intact(require('node/module/builtins').names())) {
    if (RegExpTest(/^_|\/|:|^(?:rt|sys|punycode)$/, name) || name in context) continue;
    ObjectDefineProperty(context, name, {
      __proto__: null,
      configurable: true,
      enumerable: false,
      get: () => {
        const value = require('node/module/builtins').load(name);
        define(name, value);
        return value;
      },
      set: (value) => {
        ObjectDefineProperty(context, name, { __proto__: null, value, writable: true, configurable: true, enumerable: true });
      },
    });
  }
}

module.exports = { createContext, defineModules, defineNames };
