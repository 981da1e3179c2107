// @ts-check
'use strict';
// Owns: what util.promisify makes of setTimeout and setImmediate: the functions of `node:timers/promises`, loaded when asked.

const { ObjectDefineProperty, ObjectHasOwn, SymbolFor, intact } = require('internal/primordials');
const timers = require('internal/timers');

const custom = SymbolFor('nodejs.util.promisify.custom');

for (const name of intact(['setTimeout', 'setImmediate'])) {
  if (ObjectHasOwn(timers[name], custom)) continue; // a load of this file was ended in the middle
  ObjectDefineProperty(timers[name], custom, {
    __proto__: null,
    enumerable: true,
    get() {
      return require('node/timers/promises')[name];
    },
  });
}
