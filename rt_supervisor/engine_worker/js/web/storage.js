// @ts-check
'use strict';
// Owns: Storage: strings by name, also accessible as properties. `sessionStorage` is limited to this process; `localStorage`
// needs a file, which a flag names.

const runtimeParts = require('internal/parts');
const { AnyClear, AnyDelete, AnyEntries, AnyGet, AnyHas, AnyKeys, AnySet, AnySlice } = require('internal/any_kind');
const {
  ObjectAssign,
  ObjectDefineProperties,
  ObjectDefineProperty,
  ObjectFromEntries,
  ObjectGetOwnPropertySymbols,
  ObjectHasOwn,
  ReflectDefineProperty,
  ReflectDeleteProperty,
  ReflectGet,
  ReflectGetOwnPropertyDescriptor,
  ReflectSet,
  StringStartsWith,
  SymbolFor,
  WeakMapGet,
  WeakMapHas,
  WeakMapSet,
  intact,
} = require('internal/primordials');
const { givenFlags } = require('internal/given_flags');
const FLAG = '--localstorage-file';
const kOwn = Symbol('own');
const inspectSymbol = SymbolFor('nodejs.util.inspect.custom');
const texts = new WeakMap(); // Storage -> Map
let observer; // called with each change while a debugger shows the storages

function put(map, key, value) {
  const before = observer === undefined ? undefined : AnyGet(map, key);
  AnySet(map, key, value);
  observer?.(isLocal(map), before === undefined ? 'domStorageItemAdded' : 'domStorageItemUpdated', key, before, value);
}

function remove(map, key) {
  AnyDelete(map, key);
  observer?.(isLocal(map), 'domStorageItemRemoved', key);
}

const isLocal = (map) => local !== undefined && map === WeakMapGet(texts, local);

function need(args, count, method) {
  if (args.length >= count) return;
  const text = `Failed to execute '${method}' on 'Storage': ${count} argument${count === 1 ? '' : 's'} required`;
  throw ObjectAssign(new TypeError(text), { code: 'ERR_MISSING_ARGS' });
}

function textsOf(storage) {
  const found = typeof storage === 'object' && storage !== null ? WeakMapGet(texts, storage) : undefined;
  if (found === undefined) throw new TypeError('Illegal invocation');
  return found;
}

class Storage {
  /** @param {any} [token] @param {any} [map] */
  constructor(token = undefined, map = undefined) {
    if (token !== kOwn) {
      throw ObjectAssign(new Error('Illegal constructor'), { code: 'ERR_ILLEGAL_CONSTRUCTOR' });
    }
    map ??= new (require('web/session_storage_texts').SessionStorageTexts)();
    const storage = new Proxy(this, handler);
    WeakMapSet(texts, this, map);
    WeakMapSet(texts, storage, map);
    return storage;
  }

  get length() {
    return textsOf(this).size;
  }

  clear() {
    const map = textsOf(this);
    AnyClear(map);
    observer?.(isLocal(map), 'domStorageItemsCleared');
  }

  getItem(key) {
    need(arguments, 1, 'getItem');
    return AnyGet(textsOf(this), `${key}`) ?? null;
  }

  key(index) {
    need(arguments, 1, 'key');
    return [...intact(AnyKeys(textsOf(this)))][+index >>> 0] ?? null; // converted as in Web IDL
  }

  removeItem(key) {
    need(arguments, 1, 'removeItem');
    remove(textsOf(this), `${key}`);
  }

  setItem(key, value) {
    need(arguments, 2, 'setItem');
    put(textsOf(this), `${key}`, `${value}`);
  }

  [inspectSymbol](depth, options, inspect) {
    return `Storage ${inspect(ObjectFromEntries(intact(AnyEntries(WeakMapGet(texts, this)))), options)}`;
  }
}
for (const name of intact(['length', 'clear', 'getItem', 'key', 'removeItem', 'setItem'])) {
  ObjectDefineProperty(Storage.prototype, name, { __proto__: null, enumerable: true });
}
ObjectDefineProperty(Storage.prototype, Symbol.toStringTag, { __proto__: null, configurable: true, value: 'Storage' });

const isText = (key) => typeof key === 'string';
const handler = {
  __proto__: null,
  get: (target, key, receiver) =>
    isText(key) && !(key in target) ? AnyGet(WeakMapGet(texts, target), key) : ReflectGet(target, key, receiver),
  set(target, key, value) {
    if (!isText(key)) return ReflectSet(target, key, value);
    put(WeakMapGet(texts, target), key, `${value}`);
    return true;
  },
  has: (target, key) => key in target || (isText(key) && AnyHas(WeakMapGet(texts, target), key)),
  deleteProperty(target, key) {
    if (!isText(key)) return ReflectDeleteProperty(target, key);
    remove(WeakMapGet(texts, target), key);
    return true;
  },
  ownKeys: (target) => [...intact(AnyKeys(WeakMapGet(texts, target))), ...intact(ObjectGetOwnPropertySymbols(target))],
  getOwnPropertyDescriptor(target, key) {
    // A text with the name of a method or of a property of the prototype is reached only by `getItem`.
    const value = isText(key) && !(key in target) ? AnyGet(WeakMapGet(texts, target), key) : undefined;
    if (value === undefined) return ReflectGetOwnPropertyDescriptor(target, key);
    return { value, writable: true, enumerable: true, configurable: true };
  },
  defineProperty(target, key, descriptor) {
    if (!isText(key)) return ReflectDefineProperty(target, key, descriptor);
    if (ObjectHasOwn(descriptor, 'value')) put(WeakMapGet(texts, target), key, `${descriptor.value}`);
    return true;
  },
  preventExtensions: () => false,
};

require('internal/cloneable').registerUncloneable((value) => WeakMapHas(texts, value));

/** Calls `observe(isLocal, event, key, oldValue, newValue)` with each change from now on, or no longer. */
function observeChanges(observe) {
  observer = observe;
}

module.exports = { Storage, fileOf, observeChanges };
let session;
ObjectDefineProperties(module.exports, {
  sessionStorage: { __proto__: null, enumerable: true, get: () => (session ??= new Storage(kOwn)) },
  localStorage: { __proto__: null, enumerable: true, get: localStorage },
});

let local;
let hasWarned = false;

/** Returns the file named by the flag on the command line or in NODE_OPTIONS, or undefined. */
function fileOf() {
  const words = givenFlags(runtimeParts.process.process);
  let file;
  for (let place = 0; place < words.length; place++) {
    if (words[place] === FLAG) file = words[place + 1];
    else if (StringStartsWith(words[place], `${FLAG}=`)) file = AnySlice(words[place], FLAG.length + 1);
  }
  return file;
}

/** Implements the global localStorage. As in Node, it requires the flag that names its file. */
function localStorage() {
  const path = local === undefined ? fileOf() : undefined;
  if (path !== undefined && path !== '') {
    const { LocalStorageTexts } = require('web/local_storage_texts');
    local = new Storage(kOwn, new LocalStorageTexts(path));
  }
  if (local === undefined && !hasWarned) {
    hasWarned = true;
    host.emitWarning('localStorage is not available because --localstorage-file was not provided.', 'ExperimentalWarning');
  }
  return local;
}
