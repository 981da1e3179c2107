// @ts-check
'use strict';
// Owns: the util.inspect form of library objects whose values are behind getters: the name, and the values one level below it.

/** Returns the result of a custom inspection function: `name`, then `values` in order. */
const inspectNamed = (name, values, options, inspect) =>
  `${name} ${inspect(values, { ...options, depth: options.depth == null ? null : options.depth - 1 })}`;

module.exports = { inspectNamed };
