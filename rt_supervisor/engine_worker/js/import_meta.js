'use strict';
// Owns: `import.meta`, of ES modules and of CommonJS that names it.

const native = host.native;

/** Fill `meta` for the module in `path`, imported with `query`. */
function fill(meta, path, query, isMain) {
  const commonjs = require('./commonjs');
  const { pathToFileText, fileURLToPath } = require('./file_url_host');
  const folder = path.slice(0, path.lastIndexOf('/')) || '/';
  meta.dirname = meta.dir = folder;
  meta.filename = meta.path = path;
  meta.file = path.slice(path.lastIndexOf('/') + 1);
  meta.url = path.startsWith('/') ? pathToFileText(path) + query : path;
  meta.main = isMain;
  meta.env = globalThis.process.env;
  meta.require = commonjs.createRequire(path);
  meta.resolve = (specifier, parent) => {
    const name = `${specifier}`;
    if (require('./builtins').isBuiltin(name)) return name.startsWith('node:') ? name : `node:${name}`;
    if (/^(?:data|https?):/.test(name)) return name;
    const from = parent === undefined ? path : `${parent}`.startsWith('file:') ? fileURLToPath(parent) : `${parent}`;
    const [kind, found, foundQuery] = native.modules_resolve(name, from, false);
    if (kind === 'failure') {
      if (name.startsWith('file:')) return name;
      const error = new Error(`Cannot find module '${name}' imported from ${from}`);
      error.code = 'ERR_MODULE_NOT_FOUND';
      throw require('./error_report').describe(error, { text: `Cannot find module '${name}' from '${from}'`, frames: [] });
    }
    return pathToFileText(found) + foundQuery;
  };
  meta.resolveSync = (specifier, parent) => {
    const url = meta.resolve(specifier, parent);
    return url.startsWith('file:') ? fileURLToPath(url) : url;
  };
  return meta;
}

module.exports = { fill };
