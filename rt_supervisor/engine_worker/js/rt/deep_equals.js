'use strict';
// Owns: RT.deepEquals without `strict`: as test runners compare: undefined properties count as missing, classes do not
// count, nor do items that are undefined at the end of an array; -0 is not 0 and NaN is NaN. The strict form is util.isDeepStrictEqual's.

const { ArrayEvery, ArrayFilter, FunctionCall, ObjectIs, ReflectOwnKeys } = require('internal/primordials');

const native = host.native;

function ownKeys(object) {
  return ArrayFilter(
    ReflectOwnKeys(object),
    (key) => object[key] !== undefined && FunctionCall(Object.prototype.propertyIsEnumerable, object, key),
  );
}

function equalSets(a, b, seen) {
  if (a.size !== b.size) return false;
  const rest = [...b];
  for (const item of a) {
    if (b.has(item)) continue;
    const place = rest.findIndex((other) => equal(item, other, seen));
    if (place < 0) return false;
    rest.splice(place, 1);
  }
  return true;
}

function equalMaps(a, b, seen) {
  if (a.size !== b.size) return false;
  for (const [key, value] of a) {
    if (b.has(key)) {
      if (!equal(value, b.get(key), seen)) return false;
    } else if (![...b].some(([other, otherValue]) => equal(key, other, seen) && equal(value, otherValue, seen))) return false;
  }
  return true;
}

function equalBytes(a, b) {
  if (a.byteLength !== b.byteLength) return false;
  const [left, right] = [a, b].map((each) =>
    ArrayBuffer.isView(each) ? new Uint8Array(each.buffer, each.byteOffset, each.byteLength) : new Uint8Array(each),
  );
  return left.every((byte, index) => byte === right[index]);
}

function equal(a, b, seen) {
  if (ObjectIs(a, b)) return true;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false;
  const kind = native.kindOf(a);
  if (kind !== native.kindOf(b)) return false;
  if (seen.get(a) === b) return true;
  seen.set(a, b);
  switch (kind) {
    case 'date':
      return Object.is(a.getTime(), b.getTime());
    case 'regexp':
      return String(a) === String(b);
    case 'error':
      return a.message === b.message && a.name === b.name;
    case 'map':
      return equalMaps(a, b, seen);
    case 'set':
      return equalSets(a, b, seen);
    case 'typed-array':
      return Object.prototype.toString.call(a) === Object.prototype.toString.call(b) && equalBytes(a, b);
    case 'array-buffer':
    case 'data-view':
      return equalBytes(a, b);
    case 'boxed-number':
    case 'boxed-string':
    case 'boxed-boolean':
    case 'boxed-bigint':
    case 'boxed-symbol':
      return Object.is(a.valueOf(), b.valueOf());
    case 'promise':
    case 'weak-map':
    case 'weak-set':
      return false;
  }
  const keys = ownKeys(a);
  return keys.length === ownKeys(b).length && ArrayEvery(keys, (key) => b[key] !== undefined && equal(a[key], b[key], seen));
}

module.exports = { deepEquals: (a, b) => equal(a, b, new Map()) };
