// @ts-check
'use strict';
// Owns: the dynamic import that the REPL suggests for a static one.

const { ArrayJoin, ArrayMap, ArrayPush, RegExpExec, RegExpReplace, StringSplit, StringTrim } = require('internal/primordials');

const IMPORT = /^\s*import\s+(?:([\w$]+)\s*,?\s*)?(?:\*\s*as\s+([\w$]+)|\{([^}]*)\})?\s*(?:from\s+)?(['"])(.*?)\4/;

/** Converts `import a, { b as c } from 'd'` to `const { default: a, b: c } = await import("d");` */
function asDynamicImports(text) {
  const match = RegExpExec(IMPORT, text);
  if (match === null) return '';
  const { 1: own, 2: all, 3: named, 5: specifier } = match;
  const call = `await import("${specifier}");`;
  if (all !== undefined) return `const ${all} = ${call}${own === undefined ? '' : ` const { default: ${own} } = ${call}`}`;
  const parts = own === undefined ? [] : [`default: ${own}`];
  if (named !== undefined) {
    const names = ArrayMap(StringSplit(named, ','), (each) => RegExpReplace(/\s+as\s+/, StringTrim(each), ': '));
    ArrayPush(parts, ArrayJoin(names, ', '));
  }
  return parts.length === 0 ? call : `const { ${ArrayJoin(parts, ', ')} } = ${call}`;
}

module.exports = { asDynamicImports };
