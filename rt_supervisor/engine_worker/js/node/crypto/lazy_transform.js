// @ts-check
'use strict';
// Owns: the base class of hashes and ciphers: a Transform whose stream part is created on first use as a stream.

const { FunctionCall, ObjectDefineProperty, ObjectSetPrototypeOf, intact } = require('internal/primordials');
const { Transform } = require('node/stream/stream');

function LazyTransform(options) {
  this._options = options;
}
ObjectSetPrototypeOf(LazyTransform.prototype, Transform.prototype);
ObjectSetPrototypeOf(LazyTransform, Transform);

for (const name of intact(['_readableState', '_writableState'])) {
  ObjectDefineProperty(LazyTransform.prototype, name, {
    __proto__: null,
    get() {
      FunctionCall(Transform, this, this._options);
      this._writableState.decodeStrings = false;
      return this[name];
    },
    set(value) {
      ObjectDefineProperty(this, name, { __proto__: null, value, enumerable: true, configurable: true, writable: true });
    },
    configurable: true,
    enumerable: true,
  });
}

module.exports = LazyTransform;
