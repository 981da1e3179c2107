'use strict';
// Owns: CommonJS: Module, require, require.cache, and what ES modules see of it. Reading, resolving and compiling files is
// the host's (ops/modules.py).

const native = host.native;
const builtins = require('./builtins');
const { describe } = require('./error_report');
const cache = Object.create(null);
const pathOf = (filename) => (filename.lastIndexOf('/') > 0 ? filename.slice(0, filename.lastIndexOf('/')) : '/');
let mainModule;

function Module(id = '', parent) {
  this.id = id;
  this.path = pathOf(id);
  this.exports = {};
  this.filename = null;
  this.loaded = false;
  this.children = [];
  Object.defineProperty(this, 'parent', { value: parent, writable: true, enumerable: false, configurable: true });
  if (parent) parent.children.push(this);
}

Object.defineProperty(Module.prototype, 'paths', {
  get() { return (this._paths ??= native.modules_pathsFor(this.path)); },
  set(value) { this._paths = value; },
  configurable: true,
});
Object.defineProperty(Module.prototype, '_paths', { value: undefined, writable: true, enumerable: false, configurable: true });

Module.prototype.require = function (specifier) { return requireFrom(specifier, this); };
Module.prototype._compile = function (code, filename) {
  const run = native.modules_compileWrapper(`${code}`, filename);
  run.call(this.exports, this.exports, makeRequire(this), this, filename, pathOf(filename));
};
Module.prototype.load = function (filename) { loadInto(this, filename); };

function checkSpecifier(specifier) {
  const { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE } = require('./errors').codes;
  if (typeof specifier !== 'string') throw new ERR_INVALID_ARG_TYPE('id', 'string', specifier);
  if (specifier === '') throw new ERR_INVALID_ARG_VALUE('id', specifier, 'must be a non-empty string');
}

function notFound(specifier, module, why) {
  const stack = [];
  for (let each = module; each; each = each.parent) stack.push(each.filename ?? each.id);
  const after = stack.length > 0 ? `\nRequire stack:\n- ${stack.join('\n- ')}` : '';
  const error = new Error(`${why === 'unknown-builtin' ? 'No such built-in module: ' : "Cannot find module '"}${specifier}${why === 'unknown-builtin' ? '' : `'${after}`}`);
  error.code = why === 'unknown-builtin' ? 'ERR_UNKNOWN_BUILTIN_MODULE' : 'MODULE_NOT_FOUND';
  if (why !== 'unknown-builtin') error.requireStack = stack;
  const isPackage = why === 'package-not-found' && !specifier.slice(specifier.startsWith('@') ? specifier.indexOf('/') + 1 : 0).includes('/');
  return describe(error, { text: why === 'unknown-builtin' ? `No such built-in module: ${specifier}`
    : `Cannot find ${isPackage ? 'package' : 'module'} '${specifier}' from '${module.filename ?? module.id}'`, frames: [] });
}

/** Where `specifier` leads from `module`: [kind, path, query], or a thrown MODULE_NOT_FOUND. */
function resolve(specifier, module) {
  const [kind, path, query] = native.modules_resolve(specifier, module.filename ?? `${module.path}/`, true);
  if (kind === 'failure') throw notFound(specifier, module, path);
  return [kind, path, query];
}

function requireFrom(specifier, parent) {
  checkSpecifier(specifier);
  if (builtins.isBuiltin(specifier)) return builtins.load(specifier);
  const [kind, path, query] = resolve(specifier, parent);
  if (kind === 'builtin') return builtins.load(path);
  const filename = path + query;
  const cached = cache[filename];
  if (cached !== undefined) {
    if (parent && !parent.children.includes(cached)) parent.children.push(cached);
    return cached.exports;
  }
  const module = new Module(filename, parent);
  return loadFresh(module, filename);
}

function loadFresh(module, filename) {
  cache[filename] = module;
  let failed = true;
  try {
    loadInto(module, filename);
    failed = false;
  } finally {
    if (failed) {
      delete cache[filename];
      const siblings = module.parent?.children;
      const place = siblings ? siblings.indexOf(module) : -1;
      if (place >= 0) siblings.splice(place, 1);
    }
  }
  return module.exports;
}

function loadInto(module, filename) {
  module.filename = filename.replace(/\?[^/]*$/, '');
  module.path = pathOf(module.filename);
  const extension = /\.[^./]*$/.exec(module.filename)?.[0] ?? '.js';
  const custom = Module._extensions[extension];
  if (typeof custom === 'function' && !standard.has(custom)) custom(module, module.filename);
  else loadStandard(module, filename);
  module.loaded = true;
}

function loadStandard(module, filename) {
  const [kind, value] = native.modules_loadCommonJs(filename);
  if (kind === 'function') value.call(module.exports, module.exports, makeRequire(module), module, module.filename, module.path);
  else if (kind === 'function with import.meta') {
    const meta = require('./import_meta').fill({ __proto__: null }, module.filename, filename.slice(module.filename.length), module === mainModule);
    value.call(module.exports, module.exports, makeRequire(module), module, module.filename, module.path, meta);
  }
  else if (kind === 'value') module.exports = value;
  else if (kind === 'esm') module.exports = esModuleExports(native.modules_requireEsm(filename));
  else if (kind === 'addon') globalThis.process.dlopen(module, module.filename);
}

const viewed = new WeakMap();

/**
 * What require() gives of an ES module: its namespace; of one with a default export seen as `__esModule`, as code that other
 * compilers made wants it. A namespace takes no more properties, so that this is a proxy that only adds the one.
 */
function esModuleExports(namespace) {
  if (Object.hasOwn(namespace, 'module.exports')) return namespace['module.exports'];
  if (!Object.hasOwn(namespace, 'default') || Object.hasOwn(namespace, '__esModule')) return namespace;
  let view = viewed.get(namespace);
  if (view === undefined) {
    view = new Proxy(namespace, {
      get: (target, key) => (key === '__esModule' ? true : target[key]),
      has: (target, key) => key === '__esModule' || key in target,
    });
    viewed.set(namespace, view);
  }
  return view;
}

const standard = new Set();
const standardLoader = (kind) => {
  const load = { [kind](module, filename) { loadStandard(module, filename); } }[kind];
  standard.add(load);
  return load;
};
Module._extensions = Object.assign(Object.create(null), {
  '.js': standardLoader('.js'), '.json': standardLoader('.json'), '.node': standardLoader('.node'),
});
Module._cache = cache;

function makeRequire(module) {
  function require(specifier) { return requireFrom(specifier, module); }
  require.resolve = function resolveFrom(specifier, options) {
    checkSpecifier(specifier);
    if (builtins.isBuiltin(specifier)) return specifier;
    const paths = options?.paths;
    if (Array.isArray(paths)) {
      for (const folder of paths) {
        const [kind, path] = native.modules_resolve(specifier, `${folder}/`, true);
        if (kind === 'file') return path;
      }
      throw notFound(specifier, module, 'module-not-found');
    }
    const [kind, path] = resolve(specifier, module);
    return kind === 'builtin' ? specifier : path;
  };
  require.resolve.paths = (specifier) => (builtins.isBuiltin(specifier) ? null : /^\.\.?\//.test(specifier) ? [module.path] : module.paths);
  require.cache = cache;
  require.extensions = Module._extensions;
  Object.defineProperty(require, 'main', { get: () => mainModule, enumerable: true, configurable: true });
  return require;
}

/** require() for a file that may be an ES module; `createRequire` and `import.meta.require` are made of it. */
function createRequire(filename) {
  const module = cache[filename] ?? new Module(filename);
  module.filename ??= filename;
  return makeRequire(module);
}

/** Run `filename` as the program's main module. */
function runMain(filename) {
  const module = new Module('.');
  mainModule = module;
  module.filename = filename;
  Object.defineProperty(module, 'id', { value: '.', writable: true, enumerable: true, configurable: true });
  loadFresh(module, filename);
}

/** The exports of a CommonJS file for an ES module that imports it, run now if it has not been. */
function loadForImport(filename) {
  const cached = cache[filename];
  if (cached !== undefined) return cached.exports;
  return loadFresh(new Module(filename), filename);
}

/** [names, object to read them from, default] of exports as an ES module sees them. */
function importView(exports) {
  const isObject = exports !== null && (typeof exports === 'object' || typeof exports === 'function');
  const view = { __proto__: null };
  if (isObject) {
    for (const key of Object.keys(exports)) {
      if (key === 'default') continue;
      try {
        view[key] = exports[key];
      } catch {
        view[key] = undefined; // a getter that throws
      }
    }
    if (exports.__esModule && 'default' in exports) {
      view.default = exports.default;
      return [Object.keys(view), view];
    }
  }
  view.default = exports;
  return [Object.keys(view), view];
}

/** For an ES module that is (or pretends to be) a main: the module object `require.main` and `module` mean. */
function moduleFor(filename, isMain) {
  const module = new Module(filename);
  module.filename = filename;
  if (isMain) mainModule = module;
  return module;
}

Module.createRequire = (from) => {
  const { fileURLToPath } = require('./file_url_host');
  const text = from instanceof Object || `${from}`.startsWith('file:') ? fileURLToPath(from) : `${from}`;
  return createRequire(text);
};
Object.defineProperty(Module, 'builtinModules', {
  get() {
    const value = builtins.names();
    Object.defineProperty(Module, 'builtinModules', { value, writable: true, enumerable: true, configurable: true });
    return value;
  },
  enumerable: true, configurable: true,
});
Module.isBuiltin = builtins.isBuiltin;
Module.Module = Module;
Module._resolveFilename = (specifier, parent) => (builtins.isBuiltin(specifier) ? specifier : resolve(specifier, parent ?? { path: host.cwd() })[1]);
Module._load = (specifier, parent) => requireFrom(specifier, parent ?? moduleFor(`${host.cwd()}/.`, false));
Module._nodeModulePaths = (folder) => native.modules_pathsFor(folder);
Module.wrap = (code) => `(function (exports, require, module, __filename, __dirname) { ${code}\n});`;
Module.globalPaths = [];
Module.syncBuiltinESMExports = () => {};
Module.findSourceMap = () => undefined;

module.exports = { Module, makeRequire, createRequire, runMain, loadForImport, importView, moduleFor, cache, main: () => mainModule };
