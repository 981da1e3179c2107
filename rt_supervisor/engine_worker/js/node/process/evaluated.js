// @ts-check
'use strict';
// Owns: the additional globals of -e and -p: the built-in modules under their own names. In a program that sees Node only,
// `crypto` is the module too, which has the members of the Web's global.

const { ObjectDefineProperty, ObjectHasOwn, StringIncludes, StringStartsWith } = require('internal/primordials');

const startValues = require('internal/start_values');

const isPlain = (name) =>
  name !== 'module' && !StringStartsWith(name, '_') && !StringIncludes(name, '/') && !StringIncludes(name, ':');

function exposeBuiltins(target) {
  const isNode = startValues.programName === 'node';
  const builtins = require('node/module/builtins');
  const names = builtins.names();
  for (let index = 0; index < names.length; index++) {
    const name = names[index];
    const isKept = ObjectHasOwn(target, name) && !(isNode && name === 'crypto');
    if (!isPlain(name) || isKept || (isNode && (name === 'bun' || name === 'rt'))) continue;
    const settle = (value) =>
      ObjectDefineProperty(target, name, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
    ObjectDefineProperty(target, name, {
      __proto__: null,
      get() {
        const value = builtins.load(name);
        settle(value);
        return value;
      },
      set: settle,
      enumerable: false,
      configurable: true,
    });
  }
}

module.exports = { exposeBuiltins };
