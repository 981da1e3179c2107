// @ts-check
'use strict';
// Owns: saved methods for receivers whose type is known only at the call: a string or an array, a built-in map or one of
// another class, a promise or another thenable. A direct instance of a built-in class gets the built-in method, even if a
// program has replaced it; on any other value its own method is called.

const {
  ArrayAt,
  ArrayConcat,
  ArrayIncludes,
  ArrayIndexOf,
  ArrayIsArray,
  ArrayLastIndexOf,
  ArrayPush,
  ArraySlice,
  MapClear,
  MapDelete,
  MapEntries,
  MapForEach,
  MapGet,
  MapHas,
  MapKeys,
  MapSet,
  MapValues,
  NumberToString,
  ObjectGetPrototypeOf,
  PromiseThen,
  RegExpExec,
  RegExpTest,
  SetAdd,
  SetClear,
  SetDelete,
  SetForEach,
  SetHas,
  SetValues,
  StringAt,
  StringConcat,
  StringIncludes,
  StringIndexOf,
  StringLastIndexOf,
  StringSlice,
  ArrayForEach,
  TypedArraySlice,
  TypedArraySubarray,
  WeakMapDelete,
  WeakMapGet,
  WeakMapHas,
  WeakMapSet,
  WeakSetAdd,
  WeakSetDelete,
  WeakSetHas,
} = require('internal/primordials');
const { PromiseCatch, PromiseFinally } = require('internal/promises');

const kindOf = ObjectGetPrototypeOf;
const { prototype: ofMaps } = Map;
const { prototype: ofSets } = Set;
const { prototype: ofWeakMaps } = WeakMap;
const { prototype: ofWeakSets } = WeakSet;
const { prototype: ofPromises } = Promise;
const { prototype: ofRegExps } = RegExp;
const { prototype: ofBytes } = Uint8Array;

const isText = (value) => typeof value === 'string';

module.exports = {
  AnySlice(value, start, end) {
    if (isText(value)) return StringSlice(value, start, end);
    if (ArrayIsArray(value)) return ArraySlice(value, start, end);
    return kindOf(value) === ofBytes ? TypedArraySlice(value, start, end) : value.slice(start, end);
  },
  AnyIncludes(value, item, from) {
    if (isText(value)) return StringIncludes(value, item, from);
    return ArrayIsArray(value) ? ArrayIncludes(value, item, from) : value.includes(item, from);
  },
  AnyIndexOf(value, item, from) {
    if (isText(value)) return StringIndexOf(value, item, from);
    return ArrayIsArray(value) ? ArrayIndexOf(value, item, from ?? 0) : value.indexOf(item, from);
  },
  AnyLastIndexOf(value, item, from) {
    if (isText(value)) return StringLastIndexOf(value, item, from);
    if (!ArrayIsArray(value)) return from === undefined ? value.lastIndexOf(item) : value.lastIndexOf(item, from);
    return from === undefined ? ArrayLastIndexOf(value, item) : ArrayLastIndexOf(value, item, from);
  },
  AnyAt(value, index) {
    if (isText(value)) return StringAt(value, index);
    return ArrayIsArray(value) ? ArrayAt(value, index) : value.at(index);
  },
  AnyConcat(value, other) {
    if (isText(value)) return StringConcat(value, other);
    return ArrayIsArray(value) ? ArrayConcat(value, other) : value.concat(other);
  },
  AnyPush: (value, item) => (ArrayIsArray(value) ? ArrayPush(value, item) : value.push(item)),
  AnyForEach(value, work) {
    if (ArrayIsArray(value)) return ArrayForEach(value, work);
    const kind = kindOf(value);
    if (kind === ofMaps) return MapForEach(value, work);
    return kind === ofSets ? SetForEach(value, work) : value.forEach(work);
  },
  AnySubarray: (value, start, end) =>
    kindOf(value) === ofBytes ? TypedArraySubarray(value, start, end) : value.subarray(start, end),

  AnyGet(value, key) {
    const kind = kindOf(value);
    if (kind === ofMaps) return MapGet(value, key);
    return kind === ofWeakMaps ? WeakMapGet(value, key) : value.get(key);
  },
  AnySet(value, key, item) {
    const kind = kindOf(value);
    if (kind === ofMaps) return MapSet(value, key, item);
    return kind === ofWeakMaps ? WeakMapSet(value, key, item) : value.set(key, item);
  },
  AnyHas(value, key) {
    const kind = kindOf(value);
    if (kind === ofMaps) return MapHas(value, key);
    if (kind === ofSets) return SetHas(value, key);
    if (kind === ofWeakMaps) return WeakMapHas(value, key);
    return kind === ofWeakSets ? WeakSetHas(value, key) : value.has(key);
  },
  AnyDelete(value, key) {
    const kind = kindOf(value);
    if (kind === ofMaps) return MapDelete(value, key);
    if (kind === ofSets) return SetDelete(value, key);
    if (kind === ofWeakMaps) return WeakMapDelete(value, key);
    return kind === ofWeakSets ? WeakSetDelete(value, key) : value.delete(key);
  },
  AnyAdd(value, item) {
    const kind = kindOf(value);
    if (kind === ofSets) return SetAdd(value, item);
    return kind === ofWeakSets ? WeakSetAdd(value, item) : value.add(item);
  },
  AnyClear(value) {
    const kind = kindOf(value);
    if (kind === ofMaps) return MapClear(value);
    return kind === ofSets ? SetClear(value) : value.clear();
  },
  AnyKeys: (value) => (kindOf(value) === ofMaps ? MapKeys(value) : value.keys()),
  AnyEntries: (value) => (kindOf(value) === ofMaps ? MapEntries(value) : value.entries()),
  AnyValues(value) {
    const kind = kindOf(value);
    if (kind === ofMaps) return MapValues(value);
    return kind === ofSets ? SetValues(value) : value.values();
  },

  AnyThen: (value, onFulfilled, onRejected) =>
    kindOf(value) === ofPromises ? PromiseThen(value, onFulfilled, onRejected) : value.then(onFulfilled, onRejected),
  AnyCatch: (value, onRejected) => (kindOf(value) === ofPromises ? PromiseCatch(value, onRejected) : value.catch(onRejected)),
  AnyFinally: (value, work) => (kindOf(value) === ofPromises ? PromiseFinally(value, work) : value.finally(work)),

  AnyTest: (pattern, text) => (kindOf(pattern) === ofRegExps ? RegExpTest(pattern, text) : pattern.test(text)),
  AnyExec: (pattern, text) => (kindOf(pattern) === ofRegExps ? RegExpExec(pattern, text) : pattern.exec(text)),
  AnyToString: (value, form) => (typeof value === 'number' ? NumberToString(value, form) : value.toString(form)),
};
