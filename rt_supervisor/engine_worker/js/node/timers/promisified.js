// @ts-check
'use strict';
// Owns: what util.promisify makes of setTimeout and setImmediate: the functions of `node:timers/promises`, loaded when asked.

const { ObjectDefineProperty, SymbolFor, intact } = require('internal/primordials');
const timers = require('internal/timers');

for (const name of intact(['setTimeout', 'setImmediate'])) {
  ObjectDefineProperty(timers[name], SymbolFor('nodejs.util.promisify.custom'), {
    __proto__: null,
    enumerable: true,
    get() {
      return require('node/timers/promises')[name];
    },
  });
}
