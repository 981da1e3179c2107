// @ts-check
'use strict';
// Owns: a first-in, first-out queue with constant-time removal. Array's shift moves all remaining items.

const { ArrayPush, ArraySlice } = require('internal/primordials');

const LEAST_TO_CLEAR = 1024;

class Queue {
  #items = [];
  #head = 0;

  get size() {
    return this.#items.length - this.#head;
  }
  /** The next item, or undefined if the queue is empty. */
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
  /** Empties the queue and returns the removed items. */
  clear() {
    const rest = ArraySlice(this.#items, this.#head);
    this.#items = [];
    this.#head = 0;
    return rest;
  }
}

module.exports = { Queue };
