// @ts-check
'use strict';
// Owns: how node:util shows objects of the library whose facts are behind getters: the name, and the facts one level below it.

/** What a custom inspection function returns: `name`, and `shown`, which holds the facts in their order. */
const named = (name, shown, options, inspect) =>
  `${name} ${inspect(shown, { ...options, depth: options.depth == null ? null : options.depth - 1 })}`;

module.exports = { named };
