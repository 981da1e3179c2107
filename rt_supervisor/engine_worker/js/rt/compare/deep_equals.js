// @ts-check
'use strict';
// Owns: the non-strict mode of RT.deepEquals, with the rules of test runners: undefined properties count as missing, and so do
// undefined items at the end of an array; classes are ignored; -0 differs from 0, and NaN equals NaN. The strict mode is
// util.isDeepStrictEqual.

const { AnyGet, AnyHas } = require('internal/any_kind');
const {
  ArrayBufferIsView,
  ArrayEvery,
  ArrayFilter,
  ArrayFindIndex,
  ArrayIsArray,
  ArrayMap,
  ArraySome,
  ArraySplice,
  DateGetTime,
  MapGet,
  MapSet,
  ObjectIs,
  ObjectIsEnumerable,
  ObjectToString,
  ReflectOwnKeys,
  RegExpTest,
  TypedArrayEvery,
  intact,
} = require('internal/primordials');

const native = host.native;

/** Other properties of an array (`index` of a match, `raw` of a template) are ignored; symbols are compared. */
const isItem = (key) => typeof key === 'symbol' || RegExpTest(/^\d+$/, key);

function ownKeys(object) {
  const isArray = ArrayIsArray(object);
  return ArrayFilter(
    ReflectOwnKeys(object),
    (key) => object[key] !== undefined && ObjectIsEnumerable(object, key) && (!isArray || isItem(key)),
  );
}

function equalSets(a, b, seen) {
  if (a.size !== b.size) return false;
  const rest = [...intact(b)];
  for (const item of intact(a)) {
    if (AnyHas(b, item)) continue;
    const place = ArrayFindIndex(rest, (other) => equal(item, other, seen));
    if (place < 0) return false;
    ArraySplice(rest, place, 1);
  }
  return true;
}

function equalMaps(a, b, seen) {
  if (a.size !== b.size) return false;
  for (const { 0: key, 1: value } of intact(a)) {
    if (AnyHas(b, key)) {
      if (!equal(value, AnyGet(b, key), seen)) return false;
    } else if (
      !ArraySome([...intact(b)], ({ 0: other, 1: otherValue }) => equal(key, other, seen) && equal(value, otherValue, seen))
    )
      return false;
  }
  return true;
}

function equalBytes(a, b) {
  if (a.byteLength !== b.byteLength) return false;
  const { 0: left, 1: right } = ArrayMap([a, b], (each) =>
    ArrayBufferIsView(each) ? new Uint8Array(each.buffer, each.byteOffset, each.byteLength) : new Uint8Array(each),
  );
  return TypedArrayEvery(left, (byte, index) => byte === right[index]);
}

function equal(a, b, seen) {
  if (ObjectIs(a, b)) return true;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false;
  const kind = native.kindOf(a);
  if (kind !== native.kindOf(b)) return false;
  if (MapGet(seen, a) === b) return true;
  MapSet(seen, a, b);
  switch (kind) {
    case 'date':
      return ObjectIs(DateGetTime(a), DateGetTime(b));
    case 'regexp':
      return String(a) === String(b);
    case 'error':
      if (a.message !== b.message || a.name !== b.name || !equal(a.cause, b.cause, seen)) return false;
      break;
    case 'map':
      return equalMaps(a, b, seen);
    case 'set':
      return equalSets(a, b, seen);
    case 'typed-array':
      return ObjectToString(a) === ObjectToString(b) && equalBytes(a, b);
    case 'array-buffer':
    case 'data-view':
      return equalBytes(a, b);
    case 'boxed-number':
    case 'boxed-string':
    case 'boxed-boolean':
    case 'boxed-bigint':
    case 'boxed-symbol':
      return ObjectIs(a.valueOf(), b.valueOf());
    case 'promise':
    case 'weak-map':
    case 'weak-set':
      return false;
  }
  const keys = ownKeys(a);
  return keys.length === ownKeys(b).length && ArrayEvery(keys, (key) => b[key] !== undefined && equal(a[key], b[key], seen));
}

module.exports = { deepEquals: (a, b) => equal(a, b, new Map()) };
