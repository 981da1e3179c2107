'use strict';
// Owns: the order of tests under `--test-randomize`: selects the next pending test. A seed gives the same order as in Node.

const { ArrayIndexOf, ArrayPush, ArrayShift, ArraySlice, ArraySplice, intact } = require('internal/primordials');

const MOST_SEED = 2 ** 32 - 1;

/** A generator of numbers from 0 to 1 (mulberry32). */
function generatorOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value ^= value + Math.imul(value ^ (value >>> 7), 61 | value);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

const newSeed = () => Math.floor(Math.random() * (MOST_SEED + 1));

/** Removes and returns one of `waiting`: a random one, or the first without a generator. */
function takeNext(waiting, random) {
  if (random === undefined || waiting.length < 2) return ArrayShift(waiting);
  return ArraySplice(waiting, Math.floor(random() * waiting.length), 1)[0];
}

/** Selects the next element of `list` from index `place` on, and moves it to `place`. */
function bringNext(list, place, random) {
  if (random === undefined) return;
  const waiting = ArraySplice(list, place);
  const first = takeNext(waiting, random);
  ArrayPush(list, first, ...intact(waiting));
}

/** The list in a random order. */
function shuffle(list, seed) {
  const random = generatorOf(seed);
  const order = ArraySlice(list);
  for (let place = 0; place < order.length; place++) bringNext(order, place, random);
  return order;
}

/** Moves `one` to index `place` of its list. */
function moveTo(list, one, place) {
  ArraySplice(list, ArrayIndexOf(list, one), 1);
  ArraySplice(list, place, 0, one);
}

module.exports = { MOST_SEED, generatorOf, newSeed, takeNext, bringNext, shuffle, moveTo };
