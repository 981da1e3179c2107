// @ts-check
'use strict';
// Owns: the two keys under which a function says how util.promisify makes a promise form of it.

const { SymbolFor } = require('internal/primordials');

module.exports = {
  kCustom: SymbolFor('nodejs.util.promisify.custom'),
  kArgumentNames: Symbol('customPromisifyArgs'), // what the results of a callback are called: { bytesRead, buffer }
};
