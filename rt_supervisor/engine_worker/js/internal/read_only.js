// @ts-check
'use strict';
// Owns: objects of constants as in Node: constants are read-only, but further properties may be added.

const { ObjectDefineProperty, ObjectKeys, intact } = require('internal/primordials');

/**
 * @template {object} T
 * @param {T} constants
 * @returns {T}
 */
function readOnly(constants) {
  for (const name of intact(ObjectKeys(constants)))
    ObjectDefineProperty(constants, name, { __proto__: null, writable: false, configurable: false });
  return constants;
}

module.exports = { readOnly };
