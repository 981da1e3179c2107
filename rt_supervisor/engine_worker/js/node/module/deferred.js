'use strict';
// Owns: the namespace of `import defer * as ns`: the module is evaluated on first access to one of its exports.

const { ArrayFilter, ObjectDefineProperty, WeakMapGet, WeakMapSet, intact } = require('internal/primordials');
const runtimeParts = require('internal/parts');
const { getOwnPropertyDescriptor, ownKeys } = Reflect;

/** Whether the key can be an export. Reading `then` does not evaluate the module, so that a promise can hold its namespace. */
const isExport = (key) => typeof key === 'string' && key !== 'then';

const namespaces = new WeakMap(); // proxy -> a function that returns the namespace of its module, evaluated
runtimeParts.deferredNamespace = (proxy) => WeakMapGet(namespaces, proxy)?.();

function defer(load) {
  let namespace;
  const there = () => (namespace ??= load());
  const tag = { __proto__: null, value: 'Deferred Module', writable: false, enumerable: false, configurable: false };
  const proxy = new Proxy(ObjectDefineProperty({ __proto__: null }, Symbol.toStringTag, tag), {
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
    defineProperty(target, key) {
      if (isExport(key)) there();
      return false;
    },
    deleteProperty: (target, key) => !(isExport(key) ? key in there() : key in target),
  });
  WeakMapSet(namespaces, proxy, there);
  return proxy;
}

module.exports = { defer };
