// @ts-check
'use strict';
// Owns: binding of a call's values to a statement's parameters: positional values, an array of them, or an object by name.

const {
  ArrayBufferIsView,
  ArrayFill,
  ArrayIsArray,
  ArrayMap,
  BigIntAsIntN,
  MapSet,
  ObjectHasOwn,
  StringSlice,
  StringStartsWith,
} = require('internal/primordials');

const WORD = 'string, TypedArray, boolean, number, bigint or null';

/** Converts a value for SQLite: 64-bit BigInts wrap, or throw if safe integers are enabled. */
function convertValue(value, isSafe) {
  switch (typeof value) {
    case 'bigint': {
      const whole = BigIntAsIntN(64, value);
      if (isSafe && whole !== value) throw new RangeError(`BigInt value '${value}' is out of range`);
      return whole;
    }
    case 'symbol':
    case 'function':
      throw new TypeError(`Binding expected ${WORD}`);
    case 'object':
      if (value === null || ArrayBufferIsView(value)) return value;
      if (host.native.kindOf(value) === 'array-buffer' || host.native.kindOf(value) === 'shared-array-buffer') return value;
      throw new TypeError(`Binding expected ${WORD}`);
    default:
      return value;
  }
}

const isPlain = (value) =>
  typeof value === 'object' && value !== null && !ArrayBufferIsView(value) && host.native.kindOf(value) === 'object';

/** Returns the indexes of a statement's named parameters, or undefined. */
function placesOf(number) {
  const names = host.native.sqlite_parameters(number);
  const places = new Map();
  for (let index = 0; index < names.length; index++) {
    if (names[index] !== null) MapSet(places, names[index], index);
  }
  return { __proto__: null, names, places };
}

/** Returns the value for a parameter: by its name with or without the sign; a numbered or anonymous one by its index. */
function chooseValue(given, name, index, isStrict) {
  if (name === null || StringStartsWith(name, '?')) {
    const isNamed = name !== null && ObjectHasOwn(given, name);
    if (isNamed && !isStrict) return given[name]; // with `strict`, the index comes first
    if (ObjectHasOwn(given, index)) return given[index];
    if (isNamed) return given[name];
    if (isStrict) throw new Error(`Missing parameter "?${index + 1}"`);
    return null;
  }
  if (ObjectHasOwn(given, name)) return given[name];
  const bare = StringSlice(name, 1);
  if (bare in given) return given[bare];
  if (name in given) return given[name];
  if (isStrict) throw new Error(`Missing parameter "${bare}"`);
  return null;
}

/** Returns the values in parameter order, or undefined if none are given, which leaves earlier bindings unchanged. */
function bindValues(known, values, isStrict, isSafe) {
  if (values.length === 0) return undefined;
  const first = values[0];
  if (isPlain(first)) {
    const result = ArrayFill(new Array(known.names.length), null);
    for (let index = 0; index < result.length; index++) {
      result[index] = convertValue(chooseValue(first, known.names[index], index, isStrict), isSafe);
    }
    return result;
  }
  const given = ArrayIsArray(first) ? first : values;
  const wanted = known.names.length;
  if (given.length !== wanted) throw new Error(`SQLite query expected ${wanted} values, received ${given.length}`);
  return ArrayMap(given, (value) => convertValue(value, isSafe));
}

module.exports = { bindValues, placesOf };
