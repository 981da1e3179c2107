'use strict';
// Owns: `node:module`: the statics of Module that only programs ask for.

const { StringStartsWith } = require('internal/primordials');
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
  return createRequire(isUrl || StringStartsWith(filename, 'file:') ? fileURLToPath(filename) : filename);
};
Module.createRequire = { createRequire: (filename) => createRequireFrom(filename) }.createRequire;
Object.defineProperty(Module, 'builtinModules', {
  __proto__: null,
  get() {
    const value = builtins.names();
    Object.defineProperty(Module, 'builtinModules', {
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
Object.assign(Module, {
  /** Read NODE_PATH of process.env again: what programs do that have changed it. */
  _initPaths() {
    Module.globalPaths = [...require('node/module/lookup').globalFolders(true)];
  },
  /** Load each of `requests` as the command line's preloads are. */
  _preloadModules(requests) {
    if (!Array.isArray(requests)) return;
    const parent = new Module('internal/preload', null);
    parent.paths = Module._nodeModulePaths(host.cwd());
    for (const request of requests) parent.require(request);
  },
  syncBuiltinESMExports() {},
  findSourceMap: () => undefined,
});
const extras = require('node/module/extras');
for (const name of Object.keys(extras)) Module[name] = extras[name];
for (const name of ['findPackageJSON', 'register'])
  Object.defineProperty(Module[name], 'length', { __proto__: null, configurable: true, value: 1 });

module.exports = Module;
