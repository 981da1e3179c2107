// @ts-check
'use strict';
// Owns: validation of numeric options of node:zlib, with default values.

const { NumberIsFinite, NumberIsNaN } = require('internal/primordials');
const { codes } = require('internal/errors/errors');

/** Whether it is a finite number; false for undefined and NaN, which stand for the default. */
function isFiniteNumber(value, name) {
  if (value === undefined) return false;
  if (NumberIsFinite(value)) return true;
  if (NumberIsNaN(value)) return false;
  if (typeof value !== 'number') throw new codes.ERR_INVALID_ARG_TYPE(name, 'number', value);
  throw new codes.ERR_OUT_OF_RANGE(name, 'a finite number', value);
}

function checkRange(value, name, lower, upper, usual) {
  if (!isFiniteNumber(value, name)) return usual;
  if (value < lower || value > upper) throw new codes.ERR_OUT_OF_RANGE(name, `>= ${lower} and <= ${upper}`, value);
  return value;
}

module.exports = { isFiniteNumber, checkRange };
