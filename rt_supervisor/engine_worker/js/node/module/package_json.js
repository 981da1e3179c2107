'use strict';
// Owns: module.findPackageJSON.

const { ArrayJoin, ArraySlice, ObjectAssign, RegExpTest, StringSplit, StringStartsWith } = require('internal/primordials');
const { intact } = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { validateString } = require('internal/validators');

/** The package.json that applies to a file, or that of the package named by `specifier`, seen from `base`. */
function findPackageJSON(specifier, base = 'data:') {
  if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('specifier');
  const { isURL } = require('node/url/files');
  if (!isURL(base)) validateString(base, 'base');
  if (typeof specifier === 'symbol') validateString(specifier, 'specifier');
  const { fileURLToPath } = require('internal/file_url_host');
  const path = require('node/path/path');
  const asPath = (value) => (StringStartsWith(`${value?.href ?? value}`, 'file:') ? fileURLToPath(value) : `${value}`);
  const isPlace = typeof specifier !== 'string' || RegExpTest(/^(?:file:|\.{0,2}\/|\.{1,2}$)/, specifier);
  const from = asPath(base);
  if (isPlace) return nearest(path.resolve(path.dirname(from), asPath(specifier)));
  const name = ArrayJoin(ArraySlice(StringSplit(specifier, '/'), 0, StringStartsWith(specifier, '@') ? 2 : 1), '/');
  const fs = require('node/fs/fs');
  for (const folder of intact(require('node/module/commonjs').Module._nodeModulePaths(path.dirname(from)))) {
    const file = `${folder}/${name}/package.json`;
    if (fs.existsSync(file)) return file;
  }
  throw ObjectAssign(new Error(`Cannot find package '${name}' imported from ${from}`), { code: 'ERR_MODULE_NOT_FOUND' });
}

/** The nearest package.json at or above a path. */
function nearest(place) {
  const fs = require('node/fs/fs');
  const path = require('node/path/path');
  for (let folder = place; ; folder = path.dirname(folder)) {
    const file = path.join(folder, 'package.json');
    if (fs.existsSync(file)) return file;
    if (folder === path.dirname(folder)) return undefined;
  }
}

module.exports = { findPackageJSON };
