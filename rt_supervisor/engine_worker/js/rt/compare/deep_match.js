// @ts-check
'use strict';
// Owns: RT.deepMatch(subset, object): whether the object contains everything that the subset does. Objects and maps may contain
// more; arrays and sets are compared item by item.

const { isMap } = require('internal/brands');
const { AnyGet, AnyHas } = require('internal/any_kind');
const { ArrayEvery, ArrayIsArray, MapGet, MapSet, ReflectOwnKeys, intact } = require('internal/primordials');
const native = host.native;
const { deepEquals } = require('rt/compare/deep_equals');

const isPlain = (value) => native.kindOf(value) === 'object';

function matches(subset, object, seen) {
  if (subset === null || object === null || typeof subset !== 'object' || typeof object !== 'object')
    return deepEquals(subset, object);
  if (MapGet(seen, subset) === object) return true;
  MapSet(seen, subset, object);
  if (ArrayIsArray(subset)) {
    return (
      ArrayIsArray(object) &&
      subset.length === object.length &&
      ArrayEvery(subset, (item, place) => matches(item, object[place], seen))
    );
  }
  if (isMap(subset) && isMap(object)) {
    return ArrayEvery(
      [...intact(subset)],
      ({ 0: key, 1: value }) => AnyHas(object, key) && matches(value, AnyGet(object, key), seen),
    );
  }
  if (!isPlain(subset)) return deepEquals(subset, object);
  return isPlain(object) && ArrayEvery(ReflectOwnKeys(subset), (key) => key in object && matches(subset[key], object[key], seen));
}

function deepMatch(subset, object) {
  if (arguments.length < 2) throw new TypeError('Expected 2 values to compare');
  if (subset === null || object === null || typeof subset !== 'object' || typeof object !== 'object')
    throw new TypeError('Expected 2 objects to match');
  return matches(subset, object, new Map());
}

module.exports = { deepMatch };
