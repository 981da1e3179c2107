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
function chooseValue(values, name, index, isStrict) {
  if (name === null || StringStartsWith(name, '?')) {
    const isNamed = name !== null && ObjectHasOwn(values, name);
    if (isNamed && !isStrict) return values[name]; // with `strict`, the index comes first
    if (ObjectHasOwn(values, index)) return values[index];
    if (isNamed) return values[name];
    if (isStrict) throw new Error(`Missing parameter "?${index + 1}"`);
    return null;
  }
  if (ObjectHasOwn(values, name)) return values[name];
  const bare = StringSlice(name, 1);
  if (bare in values) return values[bare];
  if (name in values) return values[name];
  if (isStrict) throw new Error(`Missing parameter "${bare}"`);
  return null;
}

/** Returns the values in parameter order, or undefined if none are given, which leaves earlier bindings unchanged. */
function bindValues(parameters, values, isStrict, isSafe) {
  if (values.length === 0) return undefined;
  const first = values[0];
  if (isPlain(first)) {
    const result = ArrayFill(new Array(parameters.names.length), null);
    for (let index = 0; index < result.length; index++) {
      result[index] = convertValue(chooseValue(first, parameters.names[index], index, isStrict), isSafe);
    }
    return result;
  }
  const list = ArrayIsArray(first) ? first : values;
  const count = parameters.names.length;
  if (list.length !== count) throw new Error(`SQLite query expected ${count} values, received ${list.length}`);
  return ArrayMap(list, (value) => convertValue(value, isSafe));
}

module.exports = { bindValues, placesOf };
