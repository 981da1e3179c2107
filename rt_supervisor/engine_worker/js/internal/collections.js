// @ts-check
'use strict';
// Owns: maps and sets with initial contents. The built-in constructors call `set` and `add`, which a program may have replaced.

const { intact, MapSet, SetAdd } = require('internal/primordials');

/** new Map(pairs) */
function mapOf(pairs) {
  const map = new Map();
  if (pairs === undefined || pairs === null) return map;
  for (const { 0: key, 1: value } of intact(pairs)) MapSet(map, key, value);
  return map;
}

/** new Set(items) */
function setOf(items) {
  const set = new Set();
  if (items === undefined || items === null) return set;
  for (const item of intact(items)) SetAdd(set, item);
  return set;
}

module.exports = { mapOf, setOf };
