// @ts-check
'use strict';
// Owns: `rt:bundle` (`bun:bundle`): which features the command line turns on. Bun replaces the calls when it transpiles; here
// they are ordinary calls, which may also occur outside of conditions.

const { ArrayIncludes } = require('internal/primordials');
const { validateString } = require('internal/validators');
const startValues = require('internal/start_values');

/** @param {string} name */
function feature(name) {
  validateString(name, 'name');
  return startValues.features !== undefined && ArrayIncludes(startValues.features, name);
}

module.exports = { feature };
