// @ts-check
'use strict';
// Owns: maps and sets with initial contents. The built-in constructors call `set` and `add`, which a program may have replaced.

const { intact, MapSet, SetAdd } = require('internal/primordials');

/** new Map(pairs) */
function mapOf(pairs) {
  const made = new Map();
  if (pairs === undefined || pairs === null) return made;
  for (const { 0: key, 1: value } of intact(pairs)) MapSet(made, key, value);
  return made;
}

/** new Set(items) */
function setOf(items) {
  const made = new Set();
  if (items === undefined || items === null) return made;
  for (const item of intact(items)) SetAdd(made, item);
  return made;
}

module.exports = { mapOf, setOf };
