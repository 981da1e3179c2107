// @ts-check
'use strict';
// Owns: the util.inspect form of library objects whose values are behind getters: the name, and the values one level below it.

/** Returns the result of a custom inspection function: `name`, then `shown`, which holds the values in order. */
const inspectNamed = (name, shown, options, inspect) =>
  `${name} ${inspect(shown, { ...options, depth: options.depth == null ? null : options.depth - 1 })}`;

module.exports = { inspectNamed };
