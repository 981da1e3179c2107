// @ts-check
'use strict';
// Owns: iteration that a program cannot reach: what stands in a loop, a list or a call in place of an array, map, set, text or
// generator, once a program has replaced what the language asks of their kind. Like internal/primordials, which hands it on, it
// takes what it needs while the start-up snapshot is built.

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
// What the language asks where it iterates over its own kinds: their method, and `next` of what that returns.
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
 * What is iterated over for `iterable`: itself, unless a program has replaced what the language asks of its kind (an array, a
 * map, a text ...). A loop, a list or a call takes `intact(list)` where it would take `list`.
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
  return iterable; // it has a method of its own
}

function safely(iterator, next) {
  const safe = { __proto__: null, next: (value) => apply(next, iterator, [value]) };
  if (next === generatorNext) {
    safe.return = (value) => apply(generatorReturn, iterator, [value]);
    safe.throw = (error) => apply(generatorThrow, iterator, [error]);
  }
  safe[symbolIterator] = () => safe;
  return safe;
}

module.exports = { intact, generatorNext, generatorThrow };
