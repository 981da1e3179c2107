// @ts-check
'use strict';
// Owns: the two keys under which a function customizes its promise form for util.promisify.

const { SymbolFor } = require('internal/primordials');

module.exports = {
  kCustom: SymbolFor('nodejs.util.promisify.custom'),
  kArgumentNames: Symbol('customPromisifyArgs'), // the names of a callback's results: { bytesRead, buffer }
};
