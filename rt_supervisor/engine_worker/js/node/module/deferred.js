'use strict';
// Owns: the namespace of `import defer * as ns`: the module is evaluated on first access to one of its exports.

const { ArrayFilter, intact } = require('internal/primordials');
const { getOwnPropertyDescriptor, ownKeys } = Reflect;

const isString = (key) => typeof key === 'string' && key !== 'then';

function defer(load) {
  let namespace;
  const there = () => (namespace ??= load());
  return new Proxy(
    { __proto__: null, [Symbol.toStringTag]: 'Deferred Module' },
    {
      __proto__: null,
      get: (target, key) => (isString(key) ? there()[key] : target[key]),
      has: (target, key) => (isString(key) ? key in there() : key in target),
      ownKeys: () => [...intact(ArrayFilter(ownKeys(there()), isString)), Symbol.toStringTag],
      getOwnPropertyDescriptor(target, key) {
        if (!isString(key)) return getOwnPropertyDescriptor(target, key);
        const descriptor = getOwnPropertyDescriptor(there(), key);
        return descriptor && { ...descriptor, configurable: true };
      },
      set: () => false,
      defineProperty: () => false,
      deleteProperty: () => false,
    },
  );
}

module.exports = { defer };
