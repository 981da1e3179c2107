// @ts-check
'use strict';
// Owns: the `ignore` option of fs.watch: globs, regular expressions, functions, or an array of them.

const { isRegExp } = require('internal/brands');
const { ArrayIsArray, ArrayMap, ArraySome, RegExpExec, StringIncludes, intact } = require('internal/primordials');
const { codes } = require('internal/errors/errors');

const TYPES = ['string', 'RegExp', 'Function'];

/** Returns a predicate for ignored names; undefined if nothing is ignored. */
function ignoreTest(ignore) {
  if (ignore === undefined || ignore === null) return undefined;
  if (!ArrayIsArray(ignore)) return testOf(ignore, 'options.ignore', [...intact(TYPES), 'Array']);
  const tests = ArrayMap(ignore, (each, index) => testOf(each, `options.ignore[${index}]`, TYPES));
  return (name) => ArraySome(tests, (test) => test(name));
}

function testOf(ignore, label, types) {
  if (typeof ignore === 'function') return (name) => Boolean(ignore(name));
  if (isRegExp(ignore)) return (name) => RegExpExec(ignore, name) !== null;
  if (typeof ignore !== 'string') throw new codes.ERR_INVALID_ARG_TYPE(label, types, ignore);
  if (ignore === '') throw new codes.ERR_INVALID_ARG_VALUE(label, ignore, 'must be a non-empty string');
  const path = require('node/path/path');
  // A pattern without a slash also matches the last segment of a name.
  return (name) =>
    path.matchesGlob(name, ignore) || (!StringIncludes(ignore, '/') && path.matchesGlob(path.basename(name), ignore));
}

module.exports = { ignoreTest };
