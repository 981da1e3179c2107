// @ts-check
'use strict';
// Owns: which properties console output lists: all own ones, then those of up to five prototypes, nearest first, without
// `constructor` and without those of Object.prototype.

const {
  ArraySort,
  ObjectGetOwnPropertyDescriptor,
  ObjectGetPrototypeOf,
  ObjectPrototype,
  FunctionPrototype,
  ReflectOwnKeys,
  SetAdd,
  SetHas,
} = require('internal/primordials');

const { KIND } = require('internal/kinds');
const { consoleForm, consoleShape } = require('internal/inspect/rt_forms');

const MOST_PROTOTYPES = 5;

function describe(object, key) {
  let descriptor;
  try {
    descriptor = ObjectGetOwnPropertyDescriptor(object, key);
  } catch (error) {
    if (host.inspect.kindOf(object) !== KIND.MODULE_NAMESPACE) throw error;
    return undefined; // an uninitialized binding
  }
  if (descriptor === undefined) return undefined;
  const { get, set } = descriptor;
  if (get === undefined && set === undefined) return { key, value: descriptor.value, accessor: undefined };
  const accessor = get === undefined ? 'Setter' : set === undefined ? 'Getter' : 'Getter/Setter';
  return { key, value: undefined, accessor };
}

/** Returns a member named by a console shape, an accessor with its value, or undefined if `value` lacks it. */
const readShown = (value, key) => (key in value ? { key, value: value[key], accessor: undefined } : undefined);

/** Returns the keys in creation order if the host knows it; the language puts strings before symbols. */
function keysOf(object) {
  const keys = ReflectOwnKeys(object);
  const { length } = keys;
  if (length < 2 || typeof keys[length - 1] !== 'symbol' || typeof keys[0] === 'symbol') return keys;
  return host.inspect.creationOrder?.(object) ?? keys;
}

/** Returns whether `value` is the prototype of a class: the methods that print instances would fail on it. */
function isPrototype(value) {
  const property = ObjectGetOwnPropertyDescriptor(value, 'constructor');
  return typeof property?.value === 'function' && property.value.prototype === value;
}

function collectProperties(value) {
  const properties = [];
  let seen;
  let tag;
  let object = value;
  const shape = value[consoleShape];
  const isShaped = shape !== undefined && !isPrototype(value);
  const first = isShaped ? shape.own : undefined;
  for (let i = 0; first !== undefined && i < first.length; i++) properties[i] = readShown(value, first[i]);
  for (let i = 0; i <= MOST_PROTOTYPES; i++) {
    const names = i === 0 || !isShaped ? undefined : ObjectGetOwnPropertyDescriptor(object, consoleShape)?.value.names;
    const keys = names ?? keysOf(object);
    for (let j = 0; j < keys.length; j++) {
      const key = keys[j];
      if (key === 'constructor' || key === consoleForm || key === consoleShape || (seen !== undefined && SetHas(seen, key)))
        continue;
      if (seen !== undefined) SetAdd(seen, key);
      if (key === Symbol.toStringTag) {
        if (i === 0) tag = describe(object, key);
        continue;
      }
      if (key === 'stack' && i === 0 && isShaped) continue; // a DOMException's stack is not shown
      const property = names === undefined ? describe(object, key) : readShown(value, key);
      if (property !== undefined) properties[properties.length] = property;
    }
    const next = ObjectGetPrototypeOf(object);
    if (next === null || next === ObjectPrototype || next === FunctionPrototype) break;
    if (seen === undefined) {
      seen = new Set();
      for (let j = 0; j < keys.length; j++) SetAdd(seen, keys[j]);
    }
    object = next;
  }
  // The tag is already shown as the name; it is listed only if nothing else is.
  if (tag !== undefined && properties.length === 0 && host.inspect.kindOf(value) !== KIND.MODULE_NAMESPACE) properties[0] = tag;
  return properties;
}

const byText = (a, b) => {
  const left = typeof a.key === 'symbol' ? (a.key.description ?? '') : a.key;
  const right = typeof b.key === 'symbol' ? (b.key.description ?? '') : b.key;
  return left < right ? -1 : left > right ? 1 : 0;
};

/** Returns own properties only, sorted by name. */
function collectOwnSorted(value) {
  const properties = [];
  const keys = ReflectOwnKeys(value);
  for (let i = 0; i < keys.length; i++) {
    if (keys[i] === 'constructor') continue;
    const property = describe(value, keys[i]);
    if (property !== undefined) properties[properties.length] = property;
  }
  return ArraySort(properties, byText);
}

/** Returns the properties of an array other than its elements. */
function collectExtras(array) {
  const properties = [];
  const keys = host.inspect.ownNonIndexProperties(array, false);
  for (let i = 0; i < keys.length; i++) {
    if (keys[i] === 'length') continue;
    const property = describe(array, keys[i]);
    if (property !== undefined) properties[properties.length] = property;
  }
  return properties;
}

module.exports = { isPrototype, collectProperties, collectOwnSorted, collectExtras };
