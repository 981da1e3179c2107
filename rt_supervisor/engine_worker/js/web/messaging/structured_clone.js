// @ts-check
'use strict';
// Owns: structured cloning: V8's implementation, extended by the objects of rt that can be copied or transferred
// (`internal/cloneable`). If a value contains such objects, its arrays, plain objects, maps and sets are copied here, and V8
// copies the rest.

const { isArrayBuffer, isMap, isSet } = require('internal/brands');
const { AnyAdd, AnySet } = require('internal/any_kind');
const { mapOf } = require('internal/collections');
const { KIND } = require('internal/kinds');
const native = host.native;
const runtimeParts = require('internal/parts');
const {
  ArrayBufferIsView,
  ArrayForEach,
  ArrayIncludes,
  ArrayIsArray,
  ArrayMap,
  ArrayPush,
  MapGet,
  MapHas,
  MapSet,
  MapValues,
  ObjectAssign,
  ObjectGetOwnPropertyDescriptor,
  ObjectGetPrototypeOf,
  ObjectHasOwn,
  ObjectKeys,
  ObjectPrototype,
  SetAdd,
  SetHas,
  WeakSetHas,
  intact,
} = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { hasKinds, kindOf, registerSerializable, untransferable } = require('internal/cloneable');

const NEEDS_TRANSFER = 'Object that needs transfer was found in message but not listed in transferList';
const UNSUPPORTED = 'Cannot clone object of unsupported type.';
const IMMOVABLE = 'Cannot transfer object of unsupported type.';

/**
 * Returns whether a clone of `value` copies its own properties, as for an instance of any class. An object without properties
 * is left to the engine.
 */
const isOrdinary = (value) => host.inspect.kindOf(value) === KIND.OBJECT && ObjectKeys(value).length > 0;
const isContainer = (value) => ArrayIsArray(value) || isMap(value) || isSet(value) || isOrdinary(value);

function dataCloneError(message) {
  const { DOMException } = require('internal/dom_exception');
  return new DOMException(message, 'DataCloneError');
}

/** Returns whether `value` looks like an object literal. This check is fast, and most messages pass it. */
const isPlain = (value) => ObjectGetPrototypeOf(value) === ObjectPrototype;

/**
 * Returns whether `value` contains one of rt's own objects; `seen` holds the objects already visited.
 * @param {any} value
 * @param {Set<any>} [seen]
 */
function holdsOwn(value, seen = undefined) {
  if (typeof value !== 'object' || value === null || (seen !== undefined && SetHas(seen, value))) return false;
  if (kindOf(value) !== undefined) return true;
  const kind = ArrayIsArray(value) ? KIND.ARRAY : isPlain(value) ? KIND.OBJECT : host.inspect.kindOf(value);
  if (kind !== KIND.ARRAY && kind !== KIND.MAP && kind !== KIND.SET && kind !== KIND.OBJECT) return false;
  let others = seen; // a set is created only for nested values; most messages are flat
  if (others !== undefined) SetAdd(others, value);
  const within = (each) => {
    if (typeof each !== 'object' || each === null) return false;
    if (others === undefined) {
      others = new Set();
      SetAdd(others, value);
    }
    return holdsOwn(each, others);
  };
  if (kind === KIND.MAP) {
    for (const { 0: key, 1: each } of intact(value)) if (within(key) || within(each)) return true;
  } else if (kind === KIND.SET) {
    for (const each of intact(value)) if (within(each)) return true;
  } else {
    const keys = ObjectKeys(value);
    for (let index = 0; index < keys.length; index++) if (within(value[keys[index]])) return true;
  }
  return false;
}

const MOST_FLAT = 32; // properties of an object that is copied here

/** Copies an object literal that holds only primitive values, which most messages are; returns undefined for any other value. */
function copyFlat(value) {
  if (typeof value !== 'object' || value === null || !isPlain(value)) return undefined;
  if (host.inspect.kindOf(value) !== KIND.OBJECT || kindOf(value) !== undefined) return undefined;
  const keys = ObjectKeys(value);
  if (keys.length > MOST_FLAT) return undefined;
  const copy = {};
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index];
    if (key === '__proto__') return undefined;
    const property = ObjectGetOwnPropertyDescriptor(value, key);
    if (property === undefined || !ObjectHasOwn(property, 'value')) return undefined; // a getter must run once
    const { value: each } = property;
    if ((typeof each === 'object' && each !== null) || typeof each === 'function' || typeof each === 'symbol') return undefined;
    copy[key] = each;
  }
  return copy;
}

/** Clones with V8; throws a DOMException for a value that cannot be cloned. */
function plainClone(value, buffers) {
  try {
    return native.structuredClone(value, buffers);
  } catch (error) {
    throw error?.name === 'DataCloneError' && error.code === 25 ? dataCloneError(error.message) : error;
  }
}

let isEnvironmentCloneable = false;
/**
 * Makes process.env cloneable, which V8 rejects because it is a proxy. Returns whether the clone that failed with
 * `error` should be retried. Values without process.env stay on the fast path.
 */
function admitsEnvironment(error) {
  if (isEnvironmentCloneable || error?.name !== 'DataCloneError') return false;
  isEnvironmentCloneable = true;
  const copyEntries = (environment) => ({ ...environment });
  registerSerializable((value) => value === runtimeParts.process?.process.env, copyEntries, 'ProcessEnv', copyEntries);
  return true;
}

/** Clones a value that contains objects of rt. `replacements`: transferred object -> what the receiver gets for it. */
function copyOf(value, replacements, buffers) {
  const copies = new Map(); // includes what V8 copies, so that two references remain one object
  /** @type {(original: any) => any} */
  const leaf = (original) => {
    if (ArrayBufferIsView(original)) {
      const buffer = copy(original.buffer);
      const { constructor: Class, byteOffset, length, byteLength } = /** @type {any} */ (original);
      return new Class(buffer, byteOffset, length ?? byteLength);
    }
    return plainClone(original, ArrayIncludes(buffers, original) ? [original] : []);
  };
  const copy = (original) => {
    if (typeof original !== 'object' || original === null) return plainClone(original);
    if (MapHas(copies, original)) return MapGet(copies, original);
    const kind = kindOf(original);
    if (kind !== undefined || !isContainer(original)) {
      if (kind !== undefined && !MapHas(replacements, original) && kind.clone === undefined)
        throw dataCloneError(kind.isUnsupported ? UNSUPPORTED : NEEDS_TRANSFER);
      const copy = MapGet(replacements, original) ?? (kind === undefined ? leaf(original) : kind.clone(original));
      MapSet(copies, original, copy);
      return copy;
    }
    const clone = ArrayIsArray(original)
      ? new Array(original.length)
      : isMap(original)
        ? new Map()
        : isSet(original)
          ? new Set()
          : {};
    MapSet(copies, original, clone);
    if (isMap(original)) for (const { 0: key, 1: each } of intact([...intact(original)])) AnySet(clone, copy(key), copy(each));
    else if (isSet(original)) for (const each of intact([...intact(original)])) AnyAdd(clone, copy(each));
    else for (const key of intact(ObjectKeys(original))) clone[key] = copy(original[key]);
    return clone;
  };
  const result = copy(value);
  // Buffers that the value does not contain are detached as well.
  for (const buffer of intact(buffers)) if (!MapHas(copies, buffer)) plainClone(undefined, [buffer]);
  return result;
}

/**
 * Returns [clone, transferred objects]; `source` is the sending port, if any. Every entry of `transfer` must be transferable.
 * @param {any} value
 * @param {any} transfer
 * @param {any} [source]
 */
function cloneWith(value, transfer, source = undefined) {
  if (transfer.length === 0) {
    if ((typeof value !== 'object' || value === null) && typeof value !== 'function' && typeof value !== 'symbol')
      return [value, []];
    const copy = copyFlat(value);
    if (copy !== undefined) return [copy, []];
  }
  const buffers = [];
  const movable = [];
  for (const each of intact(transfer)) {
    if (WeakSetHas(untransferable, each)) throw dataCloneError(IMMOVABLE);
    if (each === source && source !== undefined) throw dataCloneError('Transfer list contains source port');
    if (isArrayBuffer(each)) {
      if (ArrayIncludes(buffers, each)) throw dataCloneError('Transfer list contains duplicate ArrayBuffer');
      ArrayPush(buffers, each);
    } else {
      const kind = kindOf(each);
      if (kind?.transfer === undefined) throw dataCloneError('Found invalid value in transferList.');
      if (ArrayIncludes(movable, each)) throw dataCloneError(`Transfer list contains duplicate ${each.constructor.name}`);
      ArrayPush(movable, each);
    }
  }
  if (!hasKinds() || (movable.length === 0 && !holdsOwn(value))) {
    try {
      return [plainClone(value, buffers), []];
    } catch (error) {
      if (!admitsEnvironment(error) || !holdsOwn(value)) throw error;
    }
  }
  const replacements = mapOf(ArrayMap(movable, (each) => [each, kindOf(each).transfer(each)]));
  return [copyOf(value, replacements, buffers), [...intact(MapValues(replacements))]];
}

function structuredClone(value, options) {
  if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('The value argument must be specified');
  const fail = (text) => ObjectAssign(new TypeError(text), { code: 'ERR_INVALID_ARG_TYPE' });
  if (options !== undefined && options !== null && typeof options !== 'object' && typeof options !== 'function') {
    throw fail("Failed to execute 'structuredClone': Options cannot be converted to a dictionary");
  }
  const list = options?.transfer;
  let transfer = [];
  if (list !== undefined) {
    if (typeof list !== 'object' || typeof list?.[Symbol.iterator] !== 'function') {
      throw fail("Failed to execute 'structuredClone': transfer in Options cannot be converted to sequence.");
    }
    transfer = [...intact(list)];
    ArrayForEach(transfer, (each, place) => {
      if (typeof each !== 'object' || each === null) {
        throw fail(`Failed to execute 'structuredClone': transfer in Options[${place}] is not an object.`);
      }
    });
  }
  return cloneWith(value, transfer)[0];
}

module.exports = {
  IMMOVABLE,
  NEEDS_TRANSFER,
  UNSUPPORTED,
  admitsEnvironment,
  isOrdinary,
  structuredClone,
  cloneWith,
  dataCloneError,
  holdsOwn,
};
