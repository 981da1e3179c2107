// @ts-check
'use strict';
// Owns: the format of a file by its name and package, in Node's terms.

const { setOf } = require('internal/collections');
const {
  JSONParse,
  RegExpExec,
  SetHas,
  StringEndsWith,
  StringLastIndexOf,
  StringSlice,
  StringStartsWith,
  intact,
} = require('internal/primordials');

const runtimeParts = require('internal/parts');

const FORMATS = {
  __proto__: null,
  mjs: 'module',
  cjs: 'commonjs',
  json: 'json',
  wasm: 'wasm',
  node: 'addon',
  mts: 'module-typescript',
  cts: 'commonjs-typescript',
};

const extensionOf = (path) => RegExpExec(/\.([^./]+)$/, path)?.[1];

/** The format of a file by its name and package; undefined if it depends on its source. */
function formatOf(path) {
  const extension = extensionOf(path);
  return extension === 'js' ? packageTypeOf(path) : FORMATS[extension];
}

/** The format passed to `_compile`: TypeScript is known as such even if the module kind is not. */
function compileFormatOf(path) {
  const extension = extensionOf(path);
  if (extension !== 'ts' && extension !== 'tsx') return formatOf(path);
  const type = packageTypeOf(path);
  return type === undefined ? 'typescript' : `${type}-typescript`;
}

/** The `type` of a file's package. */
function packageTypeOf(path) {
  const { readFileSync } = runtimeParts.publicFs ?? require('node/fs/fs'); // not the program's replacement
  for (let folder = path; folder !== '';) {
    folder = StringSlice(folder, 0, StringLastIndexOf(folder, '/'));
    if (StringEndsWith(folder, '/node_modules')) return undefined;
    let text;
    try {
      text = readFileSync(`${folder}/package.json`, 'utf8');
    } catch {
      continue;
    }
    try {
      const { type } = JSONParse(text);
      return type === 'module' || type === 'commonjs' ? type : undefined;
    } catch {
      return undefined;
    }
  }
  return undefined;
}

/** Returns the path of the package.json that makes `filename`, a `.js` file, an ES module. */
function manifestOf(filename) {
  const { existsSync } = require('node/fs/sync');
  let folder = filename;
  do {
    folder = StringSlice(folder, 0, StringLastIndexOf(folder, '/'));
    if (existsSync(`${folder}/package.json`)) return `${folder}/package.json`;
  } while (folder !== '');
  return undefined;
}

const MODULE_SYNTAX = setOf(intact(['Cannot use import statement outside a module', "Unexpected token 'export'"]));

/** Warns, as Node does, that `file` looks like an ES module if it is compiled as CommonJS and this is the syntax error. */
function adviseModule(message, file) {
  if (!SetHas(MODULE_SYNTAX, message) || !StringStartsWith(file, '/') || formatOf(file) === 'module') return;
  require('node/process/warnings').warnBeforeError(
    `Failed to load the ES module: ${file}. Make sure to set "type": "module" in the nearest package.json file or use the .mjs extension.`,
  );
}

module.exports = { formatOf, compileFormatOf, manifestOf, adviseModule };
