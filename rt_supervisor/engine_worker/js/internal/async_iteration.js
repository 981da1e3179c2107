// @ts-check
'use strict';
// Owns: asynchronous iteration that programs cannot alter: with it, `for await` in this library calls the built-in methods of
// asynchronous generators, which streams use as well, even if a program has replaced them.

const { intact, ReflectApply, ReflectGetPrototypeOf } = require('internal/primordials');

/** @type {(value: object) => any} */
const above = (value) => ReflectGetPrototypeOf(value);
const AsyncGeneratorPrototype = above(above((async function* () {})()));
const AsyncIteratorPrototype = above(AsyncGeneratorPrototype);
const { next, return: end } = AsyncGeneratorPrototype;
const { asyncIterator } = Symbol;
const itself = AsyncIteratorPrototype[asyncIterator];

const isIntact = () =>
  AsyncGeneratorPrototype.next === next &&
  AsyncGeneratorPrototype.return === end &&
  AsyncIteratorPrototype[asyncIterator] === itself;

function isAsyncGenerator(value) {
  for (let above = value; typeof above === 'object' && above !== null; above = ReflectGetPrototypeOf(above))
    if (above === AsyncGeneratorPrototype) return true;
  return false;
}

/** Returns the iterable to use in place of `iterable`: `for await (const each of intactAsync(stream))`. */
function intactAsync(iterable) {
  if (isIntact()) return iterable?.[asyncIterator] === undefined ? intact(iterable) : iterable;
  let iterator = iterable;
  if (!isAsyncGenerator(iterable)) {
    const method = iterable[asyncIterator];
    if (method === undefined || method === null) return intact(iterable);
    iterator = ReflectApply(method, iterable, []);
    if (!isAsyncGenerator(iterator)) return { __proto__: null, [asyncIterator]: () => iterator };
  }
  const steps = {
    __proto__: null,
    next: (value) => ReflectApply(next, iterator, [value]),
    return: (value) => ReflectApply(end, iterator, [value]),
  };
  return { __proto__: null, [asyncIterator]: () => steps };
}

module.exports = { intactAsync };
