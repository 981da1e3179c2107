'use strict';
// Owns: `require.cache` and `Module._cache` of a program that sees Bun: besides the modules of CommonJS, they show those of files that
// were imported. A module that is deleted there is evaluated again when it is next imported or required.

const {
  ObjectGetOwnPropertyDescriptor,
  ReflectDefineProperty,
  ReflectDeleteProperty,
  ReflectGet,
  ReflectHas,
  ReflectOwnKeys,
  StringStartsWith,
  WeakMapGet,
  WeakMapSet,
  intact,
} = require('internal/primordials');

const { native } = host;
const entries = new WeakMap(); // namespaces -> their entries in the cache

/** Returns a view of `cache`, the modules of CommonJS by their file names; `makeEntry(name, exports)` makes other entries. */
function showModules(cache, makeEntry) {
  /** The entry of an imported module, or undefined. */
  function imported(name) {
    if (typeof name !== 'string' || !StringStartsWith(name, '/')) return undefined;
    const namespace = native.modules_evaluated(name);
    if (namespace === undefined) return undefined;
    let entry = WeakMapGet(entries, namespace);
    if (entry === undefined) {
      entry = makeEntry(name, namespace);
      WeakMapSet(entries, namespace, entry);
    }
    return entry;
  }
  return new Proxy(cache, {
    __proto__: null,
    has: (target, name) => ReflectHas(target, name) || imported(name) !== undefined,
    get: (target, name, receiver) => (ReflectHas(target, name) ? ReflectGet(target, name, receiver) : imported(name)),
    // The receiver of an assignment is the view.
    set: (target, name, value) =>
      ReflectDefineProperty(target, name, { __proto__: null, value, writable: true, enumerable: true, configurable: true }),
    ownKeys(target) {
      const names = new Set(intact(ReflectOwnKeys(target)));
      for (const name of intact(native.modules_evaluatedFiles())) names.add(name);
      return [...intact(names)];
    },
    getOwnPropertyDescriptor(target, name) {
      const own = ObjectGetOwnPropertyDescriptor(target, name);
      if (own !== undefined) return own;
      const value = imported(name);
      return value && { __proto__: null, value, writable: true, enumerable: true, configurable: true };
    },
    deleteProperty(target, name) {
      if (typeof name === 'string') native.modules_forget(name);
      return ReflectDeleteProperty(target, name);
    },
  });
}

module.exports = { showModules };
