'use strict';
// Owns: the namespace of `import defer * as ns`: the module is evaluated on first access to one of its exports.

const { ArrayFilter, intact } = require('internal/primordials');
const { getOwnPropertyDescriptor, ownKeys } = Reflect;

/** Whether the key can be an export. Reading `then` does not evaluate the module, so that a promise can hold its namespace. */
const isExport = (key) => typeof key === 'string' && key !== 'then';

function defer(load) {
  let namespace;
  const there = () => (namespace ??= load());
  return new Proxy(
    { __proto__: null, [Symbol.toStringTag]: 'Deferred Module' },
    {
      __proto__: null,
      get: (target, key) => (isExport(key) ? there()[key] : target[key]),
      has: (target, key) => (isExport(key) ? key in there() : key in target),
      ownKeys: () => [...intact(ArrayFilter(ownKeys(there()), isExport)), Symbol.toStringTag],
      getOwnPropertyDescriptor(target, key) {
        if (!isExport(key)) return getOwnPropertyDescriptor(target, key);
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
