'use strict';
// Owns: `node:module`: the statics of Module that only programs use.

const { ArrayIsArray, ObjectAssign, ObjectDefineProperty, StringStartsWith, intact } = require('internal/primordials');
const { Module, createRequire } = require('node/module/commonjs');
const builtins = require('node/module/builtins');

const createRequireFrom = (filename) => {
  const { ERR_INVALID_ARG_VALUE } = require('internal/errors/errors').codes;
  const isUrl = typeof filename === 'object' && filename !== null && typeof filename.href === 'string';
  const refuse = () =>
    new ERR_INVALID_ARG_VALUE('filename', filename, 'must be a file URL object, file URL string, or absolute path string');
  if (!isUrl && typeof filename !== 'string') throw refuse();
  const { fileURLToPath } = require('internal/file_url_host');
  if (!isUrl && !StringStartsWith(filename, 'file:') && !StringStartsWith(filename, '/')) throw refuse();
  if (!isUrl && !StringStartsWith(filename, 'file:')) return createRequire(filename);
  return createRequire(fileURLToPath(filename), isUrl ? filename.href : filename);
};
Module.createRequire = { createRequire: (filename) => createRequireFrom(filename) }.createRequire;
ObjectDefineProperty(Module, 'builtinModules', {
  __proto__: null,
  get() {
    const value = builtins.names();
    ObjectDefineProperty(Module, 'builtinModules', {
      __proto__: null,
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
    return value;
  },
  enumerable: true,
  configurable: true,
});
ObjectAssign(Module, {
  /** Reads NODE_PATH from process.env again; programs call it after a change. */
  _initPaths() {
    Module.globalPaths = [...intact(require('node/module/lookup').globalFolders(true))];
  },
  /** Loads each of `requests` like the command line's preloads. */
  _preloadModules(requests) {
    if (!ArrayIsArray(requests)) return;
    const parent = new Module('internal/preload', null);
    parent.paths = Module._nodeModulePaths(host.cwd());
    for (const request of intact(requests)) parent.require(request);
  },
  /** Updates ES module imports of built-in modules to the values that a program has assigned to their exports. */
  syncBuiltinESMExports() {
    host.native.modules_synchronizeBuiltins();
  },
});
const { SourceMap, findSourceMap, getSourceMapsSupport, setSourceMapsSupport } = require('node/module/source_maps');
// In the order of Node's keys.
ObjectAssign(
  Module,
  { SourceMap },
  require('node/module/compile_cache'),
  require('node/module/package_json'),
  {
    getSourceMapsSupport,
    register(...args) {
      return require('node/module/hooks').register(...intact(args));
    },
    registerHooks(hooks) {
      return require('node/module/hooks').registerHooks(hooks);
    },
    findSourceMap,
    setSourceMapsSupport,
  },
  require('node/module/strip_types'),
);
for (const name of intact(['findPackageJSON', 'register']))
  ObjectDefineProperty(Module[name], 'length', { __proto__: null, configurable: true, value: 1 });

module.exports = Module;
