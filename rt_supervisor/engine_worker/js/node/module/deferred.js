'use strict';
// Owns: the namespace of `import defer * as ns` and of `import.defer()`: the module is evaluated on first access to one of its
// exports (native/src/program/deferred.rs).

const { ArrayFilter, ObjectDefineProperty, WeakMapGet, WeakMapSet, intact } = require('internal/primordials');
const runtimeParts = require('internal/parts');
const { defineProperty, getOwnPropertyDescriptor, ownKeys, preventExtensions } = Reflect;
const { native } = host;

/** Whether the key can be an export. Reading `then` does not evaluate the module, so that a promise can hold its namespace. */
const isExport = (key) => typeof key === 'string' && key !== 'then';

const namespaces = new WeakMap(); // proxy -> a function that returns the namespace of its module, evaluated
runtimeParts.deferredNamespace = (proxy) => WeakMapGet(namespaces, proxy)?.();

const tag = { __proto__: null, value: 'Deferred Module', writable: false, enumerable: false, configurable: false };
const binding = { __proto__: null, value: undefined, writable: true, enumerable: true, configurable: false };

/** `there` returns the namespace of the module, evaluated. If `names` are known, the object cannot be extended, as in the standard. */
function defer(there, names) {
  const target = { __proto__: null };
  if (names !== undefined) for (const name of intact(names)) ObjectDefineProperty(target, name, binding);
  ObjectDefineProperty(target, Symbol.toStringTag, tag);
  if (names !== undefined) preventExtensions(target);
  const describe = (key) => {
    const descriptor = getOwnPropertyDescriptor(there(), key);
    return descriptor && { ...descriptor, configurable: names === undefined };
  };
  const proxy = new Proxy(target, {
    __proto__: null,
    get: (_target, key) => (isExport(key) ? there()[key] : target[key]),
    has: (_target, key) => (isExport(key) ? key in there() : key in target),
    ownKeys: () => [...intact(ArrayFilter(ownKeys(there()), isExport)), Symbol.toStringTag],
    getOwnPropertyDescriptor: (_target, key) => (isExport(key) ? describe(key) : getOwnPropertyDescriptor(target, key)),
    set: () => false,
    defineProperty: (_target, key, descriptor) => defineProperty(isExport(key) ? there() : target, key, descriptor),
    deleteProperty: (_target, key) => !(isExport(key) ? key in there() : key in target),
    preventExtensions: () => names !== undefined,
  });
  WeakMapSet(namespaces, proxy, there);
  return proxy;
}

/** A view whose `default` is created when it is read: the module has been linked then. */
function view(create) {
  return [
    ['default'],
    {
      __proto__: null,
      get default() {
        return create();
      },
    },
  ];
}

/** The namespace of the module that the host knows by `index`. */
function viewOf(index) {
  return view(() => {
    const namespace = native.modules_deferredTarget(index);
    const there = () => {
      if (!native.modules_evaluateDeferred(index)) throw new TypeError('Deferred module is not ready for sync execution');
      return namespace;
    };
    return defer(there, ArrayFilter(ownKeys(namespace), isExport));
  });
}

/** The namespace of CommonJS, whose names are known only after it has run. */
function lateView(specifier, importer, attributes) {
  let namespace;
  return view(() => defer(() => (namespace ??= native.modules_importDeferred(specifier, importer, attributes)), undefined));
}

module.exports = { viewOf, lateView };
