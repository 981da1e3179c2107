// @ts-check
'use strict';
// Owns: the type checks of node:util that Node 23 removed and Bun still has; older packages call them.

const types = require('node/util/types');

const isError = (value) => types.isNativeError(value) || value instanceof Error;

module.exports = {
  isBoolean: (value) => typeof value === 'boolean',
  isBuffer: (value) => require('node/buffer/buffer').Buffer.isBuffer(value),
  isDate: (value) => types.isDate(value),
  isError,
  isFunction: (value) => typeof value === 'function',
  isNull: (value) => value === null,
  isNullOrUndefined: (value) => value === null || value === undefined,
  isNumber: (value) => typeof value === 'number',
  isObject: (value) => typeof value === 'object' && value !== null,
  isPrimitive: (value) => value === null || (typeof value !== 'object' && typeof value !== 'function'),
  isRegExp: (value) => types.isRegExp(value),
  isString: (value) => typeof value === 'string',
  isSymbol: (value) => typeof value === 'symbol',
  isUndefined: (value) => value === undefined,
};
