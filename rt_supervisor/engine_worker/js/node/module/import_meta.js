'use strict';
// Owns: `import.meta` of ES modules, and of CommonJS modules that mention it.

const runtimeParts = require('internal/parts');
const startValues = require('internal/start_values');
const {
  ObjectDefineProperty,
  RegExpTest,
  StringLastIndexOf,
  StringSlice,
  StringStartsWith,
  intact,
} = require('internal/primordials');

const native = host.native;

/** Throws the error of an import of `name` in `from` that cannot be resolved. */
const fail = (name, from) => native.modules_failImport(name, from);

/** Fills `meta` for the module at `path`, imported with `query`. */
function fill(meta, path, query, isMain) {
  const { pathToHref } = require('internal/file_url');
  const { fileURLToPath } = require('internal/file_url_host');
  const folder = StringSlice(path, 0, StringLastIndexOf(path, '/')) || '/';
  const isFile = StringStartsWith(path, '/');
  const isNode = startValues.programName === 'node';
  if (isFile) meta.dirname = folder;
  if (!isNode) meta.dir = folder;
  if (isFile) meta.filename = path;
  if (!isNode) {
    meta.path = path;
    meta.file = StringSlice(path, StringLastIndexOf(path, '/') + 1);
    meta.url = isFile ? pathToHref(path) + query : path;
  }
  meta.main = isMain;
  if (startValues.isHot) meta.hot = require('node/module/hot').make(path);
  if (!isNode) {
    meta.env = runtimeParts.process.process.env;
    meta.require = require('node/module/commonjs').createRequire(path);
  }
  const importerOf = (parent) =>
    parent === undefined || parent === null ? path : StringStartsWith(`${parent}`, 'file:') ? fileURLToPath(parent) : `${parent}`;
  meta.resolve = (specifier, parent) => {
    const name = `${specifier}`;
    if (StringStartsWith(name, 'node:')) return name;
    const { isBuiltin, shownName } = require('node/module/builtins');
    if (isBuiltin(name)) return shownName(name);
    if (RegExpTest(/^(?:data|https?):/, name)) return name;
    const { URL } = require('web/url/class');
    if (parent !== undefined && parent !== null && typeof parent !== 'string' && !(parent instanceof URL)) {
      const { ERR_INVALID_ARG_TYPE } = require('internal/errors/errors').codes;
      throw new ERR_INVALID_ARG_TYPE('parentURL', ['string', 'URL'], parent);
    }
    const from = importerOf(parent);
    const base = StringStartsWith(from, '/') ? pathToHref(from) : from;
    let failure;
    if (runtimeParts.moduleHooks === undefined) {
      const [kind, found, foundQuery] = intact(native.modules_resolve(name, from, false));
      if (kind === 'builtin') return shownName(found);
      if (kind !== 'failure') return pathToHref(found) + foundQuery;
      failure = () => fail(name, from);
    } else {
      try {
        return runtimeParts.moduleHooks.resolveImported(name, from, {})[0];
      } catch (error) {
        if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error;
        failure = () => {
          throw error;
        };
      }
    }
    // A URL is returned even if no file exists.
    if (RegExpTest(/^[a-z][a-z\d+.-]+:/i, name) && !StringStartsWith(name, 'node:')) return name;
    const isRelative = RegExpTest(/^(?:\.\.?(?:\/|$)|\/)/, name);
    if (isRelative && !StringStartsWith(from, 'data:')) return new URL(name, base).href;
    try {
      failure();
    } catch (error) {
      if (isNode && typeof error?.url === 'string') return error.url; // a package's folder, or a file that does not exist
      throw error;
    }
  };
  if (isNode) {
    meta.url = isFile ? pathToHref(path) + query : path;
    return meta;
  }
  meta.resolveSync = (specifier, parent) => {
    const from = importerOf(parent);
    const [kind, found] = intact(native.modules_resolve(`${specifier}`, from, false));
    if (kind === 'failure') fail(`${specifier}`, from);
    return kind === 'builtin' ? require('node/module/builtins').shownName(found) : found;
  };
  return meta;
}

/** The variables of CommonJS for an ES module that uses them. */
function commonJsScope(path, isMain) {
  const commonjs = require('node/module/commonjs');
  const module = commonjs.moduleFor(path, isMain);
  return { require: commonjs.makeRequire(module), module, exports: module.exports, __filename: path, __dirname: module.path };
}

/** Gives the text that a module was transpiled to a value, which it reads from `meta` once, before the program can see it. */
function lend(meta, name, path, isMain) {
  const value = commonJsScope(path, isMain);
  ObjectDefineProperty(meta, name, {
    __proto__: null,
    get() {
      delete meta[name];
      return value;
    },
    enumerable: false,
    configurable: true,
  });
}

module.exports = { fill, lend };
