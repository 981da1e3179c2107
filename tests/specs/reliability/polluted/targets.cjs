'use strict';
// Owns: what a program can replace in the language: each method of each built-in prototype, each static function, and the names
// that property descriptors inherit. `targets()` lists them; `pollute(target, how)` replaces one and returns a function that
// restores it. Everything it needs is saved before.

const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { ownKeys } = Reflect;
const iterator = (value) => getPrototypeOf(value[Symbol.iterator]());
const TypedArray = getPrototypeOf(Uint8Array);
const generator = getPrototypeOf(getPrototypeOf((function* () {})()));
const asyncGenerator = getPrototypeOf(getPrototypeOf((async function* () {})()));

const CLASSES = {
  Object, Function, Array, String, Number, Boolean, BigInt, Symbol, Date, RegExp, Error, Promise, Map, Set, WeakMap, WeakSet,
  WeakRef, FinalizationRegistry, ArrayBuffer, SharedArrayBuffer, DataView, TypedArray, Uint8Array, Float64Array, Iterator,
}; // prettier-ignore
const OBJECTS = {
  Reflect, JSON, Math, Atomics, ArrayIterator: iterator([]), MapIterator: iterator(new Map()), SetIterator: iterator(new Set()),
  StringIterator: iterator(''), RegExpStringIterator: iterator(''.matchAll(/a/g)), Generator: generator,
  AsyncGenerator: asyncGenerator, AsyncIterator: getPrototypeOf(asyncGenerator),
}; // prettier-ignore

const nameOf = (key) => (typeof key === 'symbol' ? `[${key.description}]` : `.${key}`);

/** Adds all methods of `object`, and the species accessor of a class. */
function add(list, label, object) {
  for (const key of ownKeys(object)) {
    const { configurable, value } = getOwnPropertyDescriptor(object, key);
    const isMethod = typeof value === 'function' && key !== 'constructor';
    if (configurable && (isMethod || key === Symbol.species)) list.push({ label: label + nameOf(key), object, key });
  }
}

// Names that a property descriptor inherits.
const OF_DESCRIPTORS = ['get', 'set', 'value', 'writable', 'enumerable', 'configurable'];

function targets() {
  const list = [];
  for (const name of Object.keys(CLASSES)) {
    add(list, `${name}.prototype`, CLASSES[name].prototype);
    add(list, name, CLASSES[name]);
  }
  for (const name of Object.keys(OBJECTS)) add(list, name, OBJECTS[name]);
  return list;
}

function names() {
  return OF_DESCRIPTORS.map((key) => ({ label: `Object.prototype.${key}`, object: Object.prototype, key }));
}

function thrower() {
  throw new TypeError('polluted');
}
const HOW = {
  __proto__: null,
  throws: { __proto__: null, value: thrower, writable: true, enumerable: false, configurable: true },
  nonsense: { __proto__: null, value: () => 7, writable: true, enumerable: false, configurable: true },
};

function pollute({ object, key }, how) {
  const before = getOwnPropertyDescriptor(object, key);
  if (how === 'deleted') delete object[key];
  else defineProperty(object, key, HOW[how]);
  return () => {
    if (before === undefined) delete object[key];
    else defineProperty(object, key, before);
  };
}

module.exports = { targets, names, pollute };
