// @ts-check
'use strict';
// Owns: iteration that programs cannot alter: an iterable to use in a loop, an array literal or a call in place of an array,
// map, set, string or generator if a program has replaced the methods with which the language iterates over them. Like
// internal/primordials, which re-exports it, it captures what it needs while the start-up snapshot is built.

const { apply, getPrototypeOf } = Reflect;
const { isArray } = Array;
/** @type {(value: object) => Iterator<any>} */
const prototypeOfIterator = (iterator) => /** @type {Iterator<any>} */ (getPrototypeOf(iterator));

const ArrayPrototype = Array.prototype;
const MapPrototype = Map.prototype;
const SetPrototype = Set.prototype;
const StringPrototype = String.prototype;
/** @type {any} */
const TypedArrayPrototype = getPrototypeOf(Uint8Array.prototype);
const iteratorOf = (value) => prototypeOfIterator(value[Symbol.iterator]());
// What the language calls to iterate over built-in kinds: their [Symbol.iterator], and `next` of its result.
const KINDS = [ArrayPrototype, TypedArrayPrototype, MapPrototype, SetPrototype, StringPrototype];
const ITERATORS = [iteratorOf([]), iteratorOf([]), iteratorOf(new Map()), iteratorOf(new Set()), iteratorOf('')];
const METHODS = [];
const NEXTS = [];
for (let index = 0; index < KINDS.length; index++) {
  METHODS[index] = KINDS[index][Symbol.iterator];
  NEXTS[index] = ITERATORS[index].next;
}
const GeneratorPrototype = prototypeOfIterator(prototypeOfIterator((function* () {})()));
const { next: generatorNext, return: generatorReturn, throw: generatorThrow } = /** @type {any} */ (GeneratorPrototype);
const { iterator: symbolIterator } = Symbol;
const IteratorPrototype = prototypeOfIterator(GeneratorPrototype);
const iteratorItself = IteratorPrototype[symbolIterator];

/**
 * Returns the iterable to use in place of `iterable`: `iterable` itself, unless a program has replaced the methods with which
 * the language iterates over its kind (arrays, maps, strings …). Loops, array literals and calls use `intact(list)` instead of
 * `list`.
 */
function intact(iterable) {
  if (isArray(iterable)) {
    if (ArrayPrototype[symbolIterator] === METHODS[0] && ITERATORS[0].next === NEXTS[0]) return iterable;
    return safely(apply(METHODS[0], iterable, []), NEXTS[0]);
  }
  return isIntact() ? iterable : otherIntact(iterable);
}

function isIntact() {
  for (let index = 0; index < KINDS.length; index++) {
    if (KINDS[index][symbolIterator] !== METHODS[index] || ITERATORS[index].next !== NEXTS[index]) return false;
  }
  return GeneratorPrototype.next === generatorNext && IteratorPrototype[symbolIterator] === iteratorItself;
}

function otherIntact(iterable) {
  if (typeof iterable === 'string') return safely(apply(METHODS[4], iterable, []), NEXTS[4]);
  if (iterable === null || typeof iterable !== 'object') return iterable;
  for (let above = getPrototypeOf(iterable); above !== null; above = getPrototypeOf(above)) {
    if (above === GeneratorPrototype) return safely(iterable, generatorNext);
    for (let index = 0; index < KINDS.length; index++) {
      if (above === ITERATORS[index]) return safely(iterable, NEXTS[index]);
      if (above === KINDS[index]) return safely(apply(METHODS[index], iterable, []), NEXTS[index]);
    }
  }
  return iterable; // it has its own method
}

function safely(iterator, next) {
  const safe = { __proto__: null, next: (value) => apply(next, iterator, [value]) };
  if (next === generatorNext) {
    const onReturn = (value) => apply(generatorReturn, iterator, [value]);
    const onThrow = (error) => apply(generatorThrow, iterator, [error]);
    safe.return = onReturn;
    safe.throw = onThrow;
  }
  const iterate = () => safe;
  safe[symbolIterator] = iterate;
  return safe;
}

module.exports = { intact, generatorNext, generatorThrow };
