// @ts-check
'use strict';
// Owns: the effect of --disable-proto on the accessor `__proto__`, in the program's context and in those of node:vm.

const { ObjectDefineProperty } = require('internal/primordials');
const startValues = require('internal/start_values');

/**
 * Applies the flag to the context that owns the given Object.prototype.
 * @param {any} prototype
 */
function limitProto(prototype) {
  const mode = startValues.disableProto;
  if (mode === 'delete') delete prototype.__proto__;
  if (mode !== 'throw') return;
  const refuse = () => {
    const { codes } = require('internal/errors/errors');
    throw new codes.ERR_PROTO_ACCESS();
  };
  ObjectDefineProperty(prototype, '__proto__', {
    __proto__: null,
    get() {
      return refuse();
    },
    /** @param {any} _value */
    set(_value) {
      refuse();
    },
    enumerable: false,
    configurable: true,
  });
}

/**
 * Applies the flag's value here and to contexts created later.
 * @param {string} mode
 */
function start(mode) {
  startValues.disableProto = mode;
  limitProto(Object.prototype);
}

module.exports = { limitProto, start };
