// @ts-check
'use strict';
// Owns: which format a file has by its name and its package, in Node's words.

const { JSONParse, RegExpExec, StringEndsWith, StringLastIndexOf, StringSlice } = require('internal/primordials');

const handedDown = require('internal/parts');

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

/** The format of a file, by its name and package; undefined if only its text can tell. */
function formatOf(path) {
  const extension = extensionOf(path);
  return extension === 'js' ? packageTypeOf(path) : FORMATS[extension];
}

/** What `_compile` is told of a file: TypeScript is known as such where nothing says which kind of module it is. */
function compileFormatOf(path) {
  const extension = extensionOf(path);
  if (extension !== 'ts' && extension !== 'tsx') return formatOf(path);
  const type = packageTypeOf(path);
  return type === undefined ? 'typescript' : `${type}-typescript`;
}

/** What the package of a file says in its `type`. */
function packageTypeOf(path) {
  const { readFileSync } = handedDown.publicFs ?? require('node/fs/fs'); // not what a program has put in its place
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

module.exports = { formatOf, compileFormatOf };
