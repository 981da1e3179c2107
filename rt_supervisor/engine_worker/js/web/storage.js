'use strict';
// Owns: Storage: texts by name, as properties too. `sessionStorage` is for this process; `localStorage` has a file only where one is named.

const FLAG = '--localstorage-file';
const kOwn = Symbol('own');
const inspectSymbol = Symbol.for('nodejs.util.inspect.custom');
const texts = new WeakMap(); // Storage -> Map

function need(args, count, method) {
  if (args.length >= count) return;
  const text = `Failed to execute '${method}' on 'Storage': ${count} argument${count === 1 ? '' : 's'} required`;
  throw Object.assign(new TypeError(text), { code: 'ERR_MISSING_ARGS' });
}

class Storage {
  constructor(token = undefined, kept = new Map()) {
    if (token !== kOwn) {
      throw Object.assign(new Error('Illegal constructor'), { code: 'ERR_ILLEGAL_CONSTRUCTOR' });
    }
    const storage = new Proxy(this, handler);
    texts.set(this, kept);
    texts.set(storage, kept);
    return storage;
  }

  get length() {
    return texts.get(this).size;
  }

  clear() {
    texts.get(this).clear();
  }

  getItem(key) {
    need(arguments, 1, 'getItem');
    return texts.get(this).get(`${key}`) ?? null;
  }

  key(index) {
    need(arguments, 1, 'key');
    return [...texts.get(this).keys()][Math.trunc(Number(index)) || 0] ?? null;
  }

  removeItem(key) {
    need(arguments, 1, 'removeItem');
    texts.get(this).delete(`${key}`);
  }

  setItem(key, value) {
    need(arguments, 2, 'setItem');
    texts.get(this).set(`${key}`, `${value}`);
  }

  [inspectSymbol](depth, options, inspect) {
    return `Storage ${inspect(Object.fromEntries(texts.get(this).entries()), options)}`;
  }
}
for (const name of ['length', 'clear', 'getItem', 'key', 'removeItem', 'setItem']) {
  Object.defineProperty(Storage.prototype, name, { __proto__: null, enumerable: true });
}
Object.defineProperty(Storage.prototype, Symbol.toStringTag, { __proto__: null, configurable: true, value: 'Storage' });

const isText = (key) => typeof key === 'string';
const handler = {
  __proto__: null,
  get: (target, key, receiver) =>
    isText(key) && !(key in target) ? texts.get(target).get(key) : Reflect.get(target, key, receiver),
  set(target, key, value) {
    if (!isText(key)) return Reflect.set(target, key, value);
    texts.get(target).set(key, `${value}`);
    return true;
  },
  has: (target, key) => key in target || (isText(key) && texts.get(target).has(key)),
  deleteProperty(target, key) {
    if (isText(key)) texts.get(target).delete(key);
    return true;
  },
  ownKeys: (target) => [...texts.get(target).keys(), ...Object.getOwnPropertySymbols(target)],
  getOwnPropertyDescriptor(target, key) {
    const value = isText(key) ? texts.get(target).get(key) : undefined;
    if (value === undefined) return Reflect.getOwnPropertyDescriptor(target, key);
    return { value, writable: true, enumerable: true, configurable: true };
  },
  defineProperty(target, key, { value }) {
    texts.get(target).set(`${key}`, `${value}`);
    return true;
  },
};

require('internal/cloneable').unsupported((value) => value instanceof Storage);

module.exports = { Storage, createStorage: () => new Storage(kOwn) };
let session;
Object.defineProperties(module.exports, {
  sessionStorage: { __proto__: null, enumerable: true, get: () => (session ??= new Storage(kOwn)) },
  localStorage: { __proto__: null, enumerable: true, get: localStorage },
});

let local;

/** The file that a flag names, on the command line or in NODE_OPTIONS; undefined for none. */
function fileOf() {
  const { execArgv, env } = globalThis.process;
  const words = [...execArgv, ...(env.NODE_OPTIONS ?? '').split(' ')];
  const place = words.findIndex((word) => word === FLAG || word.startsWith(`${FLAG}=`));
  if (place < 0) return undefined;
  return words[place] === FLAG ? words[place + 1] : words[place].slice(FLAG.length + 1);
}

/** There is none without a file to keep it in, as in Node, which has a flag for that. */
function localStorage() {
  const path = local === undefined ? fileOf() : undefined;
  if (path !== undefined && path !== '') {
    const { StoredTexts } = require('web/stored_texts');
    local = new Storage(kOwn, new StoredTexts(path));
  }
  if (local === undefined) {
    host.emitWarning('localStorage is not available because --localstorage-file was not provided.', 'ExperimentalWarning');
  }
  return local;
}
