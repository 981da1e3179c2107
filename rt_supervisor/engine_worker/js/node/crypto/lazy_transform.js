'use strict';
// Owns: the base of hashes and ciphers: a Transform whose stream half is only made when somebody uses it as a stream.

const { Transform } = require('node/stream/stream');

function LazyTransform(options) {
  this._options = options;
}
Object.setPrototypeOf(LazyTransform.prototype, Transform.prototype);
Object.setPrototypeOf(LazyTransform, Transform);

for (const name of ['_readableState', '_writableState']) {
  Object.defineProperty(LazyTransform.prototype, name, {
    __proto__: null,
    get() {
      Transform.call(this, this._options);
      this._writableState.decodeStrings = false;
      return this[name];
    },
    set(value) {
      Object.defineProperty(this, name, { __proto__: null, value, enumerable: true, configurable: true, writable: true });
    },
    configurable: true,
    enumerable: true,
  });
}

module.exports = LazyTransform;
