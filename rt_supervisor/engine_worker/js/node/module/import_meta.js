'use strict';
// Owns: `import.meta`, of ES modules and of CommonJS that names it.

const handedDown = require('internal/parts');
const startValues = require('internal/start_values');
const {
  ObjectDefineProperty,
  RegExpTest,
  StringIncludes,
  StringIndexOf,
  StringLastIndexOf,
  StringSlice,
  StringStartsWith,
  intact,
} = require('internal/primordials');

const native = host.native;

function notFound(name, from, why, note) {
  const isPackage =
    why === 'package-not-found' &&
    !StringIncludes(StringSlice(name, StringStartsWith(name, '@') ? StringIndexOf(name, '/') + 1 : 0), '/');
  const what = isPackage ? 'package' : 'module';
  const error = new Error(`Cannot find ${what} '${name}' imported from ${from}`);
  error.code = 'ERR_MODULE_NOT_FOUND';
  const text = `Cannot find ${what} '${name}' from '${from}'${note && `\n\nnote: ${note}`}`;
  return require('internal/errors/report').describe(error, { text, frames: [] });
}

/** Fill `meta` for the module in `path`, imported with `query`. */
function fill(meta, path, query, isMain) {
  const commonjs = require('node/module/commonjs');
  const { pathToFileText, fileURLToPath } = require('internal/file_url_host');
  const folder = StringSlice(path, 0, StringLastIndexOf(path, '/')) || '/';
  const isFile = StringStartsWith(path, '/');
  if (isFile) meta.dirname = folder;
  meta.dir = folder;
  if (isFile) meta.filename = path;
  meta.path = path;
  meta.file = StringSlice(path, StringLastIndexOf(path, '/') + 1);
  meta.url = isFile ? pathToFileText(path) + query : path;
  meta.main = isMain;
  if (startValues.isHot) meta.hot = require('node/module/hot').make(path);
  meta.env = handedDown.process.process.env;
  meta.require = commonjs.createRequire(path);
  const importerOf = (parent) =>
    parent === undefined || parent === null ? path : StringStartsWith(`${parent}`, 'file:') ? fileURLToPath(parent) : `${parent}`;
  meta.resolve = (specifier, parent) => {
    const name = `${specifier}`;
    if (require('node/module/builtins').isBuiltin(name)) return StringStartsWith(name, 'node:') ? name : `node:${name}`;
    if (RegExpTest(/^(?:data|https?):/, name)) return name;
    const { URL } = require('web/url/class');
    if (parent !== undefined && parent !== null && typeof parent !== 'string' && !(parent instanceof URL)) {
      const { ERR_INVALID_ARG_TYPE } = require('internal/errors/errors').codes;
      throw new ERR_INVALID_ARG_TYPE('parentURL', ['string', 'URL'], parent);
    }
    const from = importerOf(parent);
    const base = StringStartsWith(from, '/') ? pathToFileText(from) : from;
    let failure;
    if (handedDown.moduleHooks === undefined) {
      const [kind, found, foundQuery] = intact(native.modules_resolve(name, from, false));
      if (kind === 'builtin') return `node:${found}`;
      if (kind !== 'failure') return pathToFileText(found) + foundQuery;
      failure = () => notFound(name, from, found, foundQuery);
    } else {
      try {
        return handedDown.moduleHooks.resolveImported(name, from, {})[0];
      } catch (error) {
        if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error;
        failure = () => error;
      }
    }
    // A URL needs no file behind it.
    if (RegExpTest(/^[a-z][a-z\d+.-]+:/i, name) && !StringStartsWith(name, 'node:')) return name;
    if (RegExpTest(/^(?:\.\.?(?:\/|$)|\/)/, name)) return new URL(name, base).href;
    throw failure();
  };
  const defer = (specifier) => require('node/module/deferred').defer(() => meta.require(specifier));
  ObjectDefineProperty(meta, '__defer', { __proto__: null, value: defer, enumerable: false, configurable: true });
  meta.resolveSync = (specifier, parent) => {
    const from = importerOf(parent);
    const [kind, found, note] = intact(native.modules_resolve(`${specifier}`, from, false));
    if (kind === 'failure') throw notFound(`${specifier}`, from, found, note);
    return kind === 'builtin' ? `node:${found}` : found;
  };
  return meta;
}

module.exports = { fill };
