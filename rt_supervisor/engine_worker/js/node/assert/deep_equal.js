// @ts-check
'use strict';
// Owns: structural equality in three variants: strict (util.isDeepStrictEqual, assert.deepStrictEqual), loose
// (assert.deepEqual) and partial (assert.partialDeepStrictEqual: the expected value may omit things). Circular references are
// followed once: a pair already under comparison counts as equal.

const { isError } = require('internal/brands');
const { AnyGet, AnyHas } = require('internal/any_kind');
const { setOf } = require('internal/collections');
const { KIND } = require('internal/kinds');
const {
  ArrayEvery,
  ArrayFilter,
  ArrayIsArray,
  ArrayPush,
  ArraySlice,
  BigIntValueOf,
  BooleanValueOf,
  DateGetTime,
  MapGet,
  MapHas,
  MapSet,
  NumberValueOf,
  ObjectGetOwnPropertySymbols,
  ObjectGetPrototypeOf,
  ObjectHasOwn,
  ObjectIs,
  ObjectIsEnumerable,
  ObjectKeys,
  ObjectToString,
  RegExpTest,
  RegExpToString,
  SetAdd,
  SetHas,
  StringValueOf,
  SymbolValueOf,
  TypedArrayEvery,
  TypedArrayTag,
  intact,
} = require('internal/primordials');

const { toStringTag } = Symbol;
const PLAIN = '[object Object]';
const LOOSE = 0;
const STRICT = 1;
const PARTIAL = 2;

const isDeepStrictEqual = (one, other, skipPrototype = false) => new Comparison(STRICT, skipPrototype).equal(one, other);
const isDeepEqual = (one, other) => new Comparison(LOOSE, false).equal(one, other);
const isPartialStrictEqual = (actual, expected) => new Comparison(PARTIAL, false).equal(actual, expected);

const isObject = (value) => value !== null && (typeof value === 'object' || typeof value === 'function');

const UNBOX = {
  __proto__: null,
  [KIND.NUMBER_OBJECT]: NumberValueOf,
  [KIND.STRING_OBJECT]: StringValueOf,
  [KIND.BOOLEAN_OBJECT]: BooleanValueOf,
  [KIND.BIGINT_OBJECT]: BigIntValueOf,
  [KIND.SYMBOL_OBJECT]: SymbolValueOf,
};
const ONLY_BY_REFERENCE = setOf([KIND.WEAK_MAP, KIND.WEAK_SET, KIND.PROMISE]);

const { sameKeys } = require('node/assert/keys');

/** The kind of an object; those with nothing to compare but their properties, and all proxies, are of one kind. */
function comparisonKind(object) {
  const kind = host.inspect.kindOf(object);
  return kind === KIND.PROXY || kind === KIND.MODULE_NAMESPACE || kind === KIND.GENERATOR ? KIND.OBJECT : kind;
}

class Comparison {
  constructor(mode, skipPrototype) {
    this.mode = mode;
    this.skipPrototype = skipPrototype;
    // The first `depth` items are the enclosing pairs under comparison.
    this.depth = 0;
    this.open = [];
    this.openOthers = [];
  }

  equal(one, other) {
    if (one === other) return one !== 0 || ObjectIs(one, other) || this.mode === LOOSE;
    if (this.mode === LOOSE) {
      if (!isObject(one)) return !isObject(other) && (one == other || (one !== one && other !== other)); // eslint-disable-line eqeqeq
      if (!isObject(other)) return false;
    } else {
      if (!isObject(one) || !isObject(other)) return typeof one === 'number' && one !== one && other !== other;
      if (typeof one !== 'object' || typeof other !== 'object') {
        if (typeof one !== 'function' || typeof other !== 'function') return false;
      }
      if (this.mode === STRICT && !this.skipPrototype && !isSameClass(one, other)) return false;
    }
    if (typeof one === 'function' || typeof other === 'function') return false;
    const tag = ObjectToString(one);
    if (tag !== ObjectToString(other)) return false;
    if (ArrayIsArray(one)) return ArrayIsArray(other) && this.arrays(one, other);
    // The most common case: an ordinary object by its tag. Asking the engine for its kind is slow and is avoided.
    if (tag === PLAIN && one[toStringTag] === undefined) return this.nested(one, other, KIND.OBJECT);
    return this.objects(one, other);
  }

  objects(one, other) {
    const kind = comparisonKind(one);
    const otherKind = comparisonKind(other);
    // As in Node, a proxy and an object that has nothing to compare but its identity are compared as ordinary objects.
    if (kind !== otherKind && !(kind === KIND.OBJECT && SetHas(ONLY_BY_REFERENCE, otherKind))) return false;
    switch (kind) {
      case KIND.DATE:
        if (!ObjectIs(DateGetTime(one), DateGetTime(other))) return false;
        break;
      case KIND.REGEXP:
        if (RegExpToString(one) !== RegExpToString(other) || one.lastIndex !== other.lastIndex) return false;
        break;
      case KIND.ERROR:
        if (!this.errors(one, other)) return false;
        break;
      case KIND.TYPED_ARRAY:
        return this.typedArrays(one, other);
      case KIND.DATA_VIEW:
        if (
          !this.bytes(
            new Uint8Array(one.buffer, one.byteOffset, one.byteLength),
            new Uint8Array(other.buffer, other.byteOffset, other.byteLength),
          )
        )
          return false;
        break;
      case KIND.ARRAY_BUFFER:
      case KIND.SHARED_ARRAY_BUFFER:
        if (!this.bytes(new Uint8Array(one), new Uint8Array(other))) return false;
        break;
      case KIND.SET:
      case KIND.MAP:
        if (this.mode === PARTIAL ? one.size < other.size : one.size !== other.size) return false;
        break;
      default:
        if (UNBOX[kind] !== undefined) {
          const { 0: left, 1: right } = [UNBOX[kind](one), UNBOX[kind](other)];
          if (!(this.mode === LOOSE ? left === right || ObjectIs(left, right) : ObjectIs(left, right))) return false;
        } else if (SetHas(ONLY_BY_REFERENCE, kind)) {
          return false;
        } else if (isError(one) || isError(other)) {
          if (!this.errors(one, other)) return false; // a DOMException
        } else if (isURL(one) || isURL(other)) {
          if (!isURL(one) || !isURL(other) || one.href !== other.href) return false;
        } else if (sameKeys(one, other, (left, right) => this.equal(left, right)) === false) {
          return false;
        }
    }
    return this.nested(one, other, kind);
  }

  arrays(one, other) {
    if (this.mode === PARTIAL) {
      if (one.length < other.length) return false;
      return this.nested(one, other, KIND.ARRAY);
    }
    if (one.length !== other.length) return false;
    return this.nested(one, other, KIND.ARRAY);
  }

  errors(one, other) {
    for (const name of intact(['message', 'name']))
      if (!isHiddenOn(one, other, name) && !this.leavesOut(other, name) && !this.equal(one[name], other[name])) return false;
    for (const name of intact(['cause', 'errors'])) {
      if (isHiddenOn(one, other, name)) continue;
      const { 0: left, 1: right } = [ObjectHasOwn(one, name), ObjectHasOwn(other, name)];
      if (this.mode === PARTIAL ? right && !left : left !== right) return false;
      if (right && !this.equal(one[name], other[name])) return false;
    }
    return true;
  }

  /** Whether a partial comparison does not expect this property of an error. */
  leavesOut(other, name) {
    return this.mode === PARTIAL && (other[name] === undefined || (name === 'message' && other[name] === ''));
  }

  typedArrays(one, other) {
    if (TypedArrayTag(one) !== TypedArrayTag(other)) return false;
    if (this.mode === PARTIAL ? one.length < other.length : one.length !== other.length) return false;
    if (this.mode === PARTIAL) {
      if (!isSubsequence(one, other)) return false;
    } else {
      const isFloat = RegExpTest(/^Float/, TypedArrayTag(one));
      for (let i = 0; i < one.length; i++) {
        if (
          one[i] === other[i]
            ? isFloat && this.mode !== LOOSE && !ObjectIs(one[i], other[i])
            : !(isFloat && this.mode !== LOOSE && ObjectIs(one[i], other[i]))
        )
          return false;
      }
    }
    const { 0: left, 1: right } = [this.extraKeys(one), this.extraKeys(other)];
    if (this.mode !== PARTIAL && left.length !== right.length) return false;
    return ArrayEvery(right, (key) => ObjectIsEnumerable(one, key) && this.equal(one[key], other[key]));
  }

  bytes(one, other) {
    if (this.mode === PARTIAL) return one.length >= other.length && isSubsequence(one, other);
    return one.length === other.length && TypedArrayEvery(one, (byte, i) => byte === other[i]);
  }

  /** Enumerable non-index keys of an array; a loose comparison ignores symbols. */
  extraKeys(list) {
    const keys = host.inspect.ownNonIndexProperties(list, true);
    return this.mode === LOOSE ? ArrayFilter(keys, (key) => typeof key === 'string') : keys;
  }

  /** Compares keys and contents; the pair is in `open` meanwhile, for circular references. */
  nested(one, other, kind) {
    const keys = kind === KIND.ARRAY ? this.extraKeys(other) : ObjectKeys(other);
    let own = keys;
    if (this.mode !== PARTIAL) {
      own = kind === KIND.ARRAY ? this.extraKeys(one) : ObjectKeys(one);
      if (own.length !== keys.length) return false;
    }
    // Keys in the same order need no lookup.
    for (let index = 0; index < keys.length; index++) {
      if ((own === keys || own[index] !== keys[index]) && !ObjectIsEnumerable(one, keys[index])) return false;
    }
    if (this.mode !== LOOSE && kind !== KIND.ARRAY && !this.symbols(one, other, keys)) return false;
    // Nothing is expected.
    if (keys.length === 0) {
      if (kind === KIND.ARRAY ? other.length === 0 : !(kind === KIND.SET || kind === KIND.MAP) || other.size === 0) return true;
    }
    const { depth, open, openOthers } = this;
    for (let index = 0; index < depth; index++) {
      // Both sides must have the circular reference.
      if (open[index] === one) return openOthers[index] === other;
      if (openOthers[index] === other) return false;
    }
    open[depth] = one;
    openOthers[depth] = other;
    this.depth = depth + 1;
    const isEqual = this.contents(one, other, keys, kind);
    this.depth = depth;
    return isEqual;
  }

  /** Whether `one` has the enumerable symbols of `other`, which are appended to the keys. */
  symbols(one, other, keys) {
    const expected = enumerableSymbols(other);
    if (this.mode === STRICT && expected.length !== enumerableSymbols(one).length) return false;
    for (let index = 0; index < expected.length; index++) {
      if (!ObjectIsEnumerable(one, expected[index])) return false;
      ArrayPush(keys, expected[index]);
    }
    return true;
  }

  contents(one, other, keys, kind) {
    if (kind === KIND.SET && !this.sets(one, other)) return false;
    if (kind === KIND.MAP && !this.maps(one, other)) return false;
    if (kind === KIND.ARRAY && !this.elements(one, other)) return false;
    for (let index = 0; index < keys.length; index++) if (!this.equal(one[keys[index]], other[keys[index]])) return false;
    return true;
  }

  elements(one, other) {
    if (this.mode === PARTIAL) return this.partialElements(one, other);
    for (let i = 0; i < one.length; i++) {
      const isHole = isHoleAt(one, i);
      if (isHole !== isHoleAt(other, i)) return false; // a hole is not undefined
      if (isHole) return this.elementsWithHoles(one, other, i);
      if (!this.equal(one[i], other[i])) return false;
    }
    return true;
  }

  /** Compares the rest of two sparse arrays by their keys, of which there may be far fewer than the length. */
  elementsWithHoles(one, other, from) {
    const { 0: left, 1: right } = [ArraySlice(ObjectKeys(one), from), ArraySlice(ObjectKeys(other), from)];
    return left.length === right.length && ArrayEvery(left, (key, i) => key === right[i] && this.equal(one[key], other[key]));
  }

  /** Whether the expected elements are a subsequence of the actual ones. Holes expect nothing. */
  partialElements(one, other) {
    let at = 0;
    for (let i = 0; i < other.length; i++, at++) {
      if (isHoleAt(other, i)) return this.partialElementsWithHoles(one, other, [at, i]);
      while (!isHoleAt(one, at) && !this.equal(one[at], other[i])) if (++at > one.length - other.length + i) return false;
      if (isHoleAt(one, at)) return this.partialElementsWithHoles(one, other, [at, i]);
    }
    return true;
  }

  partialElementsWithHoles(one, other, from) {
    const { 0: left, 1: right } = [ArraySlice(ObjectKeys(one), from[0]), ArraySlice(ObjectKeys(other), from[1])];
    let at = 0;
    for (let i = 0; i < right.length; i++, at++) {
      if (at > left.length - right.length + i) return false;
      while (!this.equal(one[left[at]], other[right[i]])) if (++at > left.length - right.length + i) return false;
    }
    return true;
  }

  sets(one, other) {
    const unmatched = [];
    for (const value of intact(other)) {
      if (isObject(value)) ArrayPush(unmatched, value);
      else if (!SetHas(one, value)) {
        if (this.mode !== LOOSE) return false;
        ArrayPush(unmatched, value);
      }
    }
    if (unmatched.length === 0) return true;
    const candidates = ArrayFilter(
      [...intact(one)],
      (value) => isObject(value) || (this.mode === LOOSE && !AnyHas(other, value)),
    );
    return this.matchAll(unmatched, candidates, (value, expected) => this.equal(value, expected));
  }

  maps(one, other) {
    const isLoose = this.mode === LOOSE;
    const unmatched = [];
    const matchedKeys = /** @type {Set<any>} */ (isLoose ? new Set() : undefined); // keys present on both sides with equal values
    for (const entry of intact(other)) {
      const { 0: key, 1: value } = entry;
      if (isObject(key)) {
        ArrayPush(unmatched, entry);
        continue;
      }
      const found = AnyGet(one, key);
      const isThere = found === undefined ? (!isLoose || value === undefined) && AnyHas(one, key) : true;
      if (isThere && this.equal(found, value)) {
        if (isLoose) SetAdd(matchedKeys, key);
      } else {
        if (!isLoose) return false;
        ArrayPush(unmatched, entry);
      }
    }
    if (unmatched.length === 0) return true;
    const candidates = ArrayFilter([...intact(one)], ({ 0: key }) => isObject(key) || (isLoose && !SetHas(matchedKeys, key)));
    return this.matchAll(
      unmatched,
      candidates,
      (entry, expected) => this.equal(entry[0], expected[0]) && this.equal(entry[1], expected[1]),
    );
  }

  /** Whether each of `targets` can be matched to a different candidate: uses augmenting paths, since one may match several. */
  matchAll(targets, candidates, isMatch) {
    const owners = new Map(); // candidate index -> wanted index
    const claim = (index, tried) => {
      for (let i = 0; i < candidates.length; i++) {
        if (SetHas(tried, i) || !isMatch(candidates[i], targets[index])) continue;
        SetAdd(tried, i);
        if (!MapHas(owners, i) || claim(MapGet(owners, i), tried)) {
          MapSet(owners, i, index);
          return true;
        }
      }
      return false;
    };
    return ArrayEvery(targets, (_, index) => claim(index, new Set()));
  }
}

const isURL = (value) => require('node/url/files').isURL(value) && typeof value.href === 'string' && 'searchParams' in value;

function enumerableSymbols(value) {
  const symbols = ObjectGetOwnPropertySymbols(value);
  return symbols.length === 0 ? symbols : ArrayFilter(symbols, (symbol) => ObjectIsEnumerable(value, symbol));
}

/**
 * Whether both have the same prototype, or prototypes with the same constructor: each generator function has its own
 * prototype.
 */
function isSameClass(one, other) {
  if (ObjectGetPrototypeOf(one) === ObjectGetPrototypeOf(other)) return true;
  const { constructor } = one;
  return constructor !== undefined && constructor === other.constructor && !ObjectHasOwn(one, 'constructor');
}

const isHoleAt = (list, index) => list[index] === undefined && !ObjectHasOwn(list, index);
/** Whether both have the property enumerable, so that it is compared with the keys. */
const isHiddenOn = (one, other, name) => ObjectIsEnumerable(one, name) && ObjectIsEnumerable(other, name);

function isSubsequence(whole, part) {
  let at = 0;
  for (let i = 0; i < whole.length && at < part.length; i++) if (ObjectIs(whole[i], part[at])) at++;
  return at === part.length;
}

module.exports = { isDeepStrictEqual, isDeepEqual, isPartialStrictEqual };
