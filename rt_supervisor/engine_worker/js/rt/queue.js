// @ts-check
'use strict';
// Owns: a queue that stays quick when it is long: Array's shift moves all that is left.

const { ArrayPush, ArraySlice } = require('internal/primordials');

const LEAST_TO_CLEAR = 1024;

class Queue {
  #items = [];
  #head = 0;

  get size() {
    return this.#items.length - this.#head;
  }
  /** The next item, undefined for an empty queue. */
  get first() {
    return this.#items[this.#head];
  }
  push(item) {
    ArrayPush(this.#items, item);
  }
  shift() {
    if (this.#head === this.#items.length) return undefined;
    const item = this.#items[this.#head];
    this.#items[this.#head++] = undefined;
    if (this.#head >= LEAST_TO_CLEAR && this.#head * 2 >= this.#items.length) {
      this.#items = ArraySlice(this.#items, this.#head);
      this.#head = 0;
    }
    return item;
  }
  /** All that wait, who wait no longer. */
  clear() {
    const rest = ArraySlice(this.#items, this.#head);
    this.#items = [];
    this.#head = 0;
    return rest;
  }
}

module.exports = { Queue };
