// @ts-check
'use strict';
// Owns: the promisified forms of setTimeout and setImmediate: the functions of `node:timers/promises`, loaded on demand.

const { ObjectDefineProperty, ObjectHasOwn, SymbolFor, intact } = require('internal/primordials');
const timers = require('internal/timers');

const custom = SymbolFor('nodejs.util.promisify.custom');

for (const name of intact(['setTimeout', 'setImmediate'])) {
  if (ObjectHasOwn(timers[name], custom)) continue; // an earlier load of this file was interrupted
  ObjectDefineProperty(timers[name], custom, {
    __proto__: null,
    enumerable: true,
    get() {
      return require('node/timers/promises')[name];
    },
  });
}
