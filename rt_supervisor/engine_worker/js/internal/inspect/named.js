// @ts-check
'use strict';
// Owns: how node:util shows objects of the library whose values are behind getters: the name, and the values one level below it.

/** What a custom inspection function returns: `name`, and `shown`, which holds the values in their order. */
const named = (name, shown, options, inspect) =>
  `${name} ${inspect(shown, { ...options, depth: options.depth == null ? null : options.depth - 1 })}`;

module.exports = { named };
