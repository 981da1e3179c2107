// @ts-check
'use strict';
// Owns: the values of sessionStorage, in memory and limited to Node's quota: ten megabytes of UTF-16.

const { MapClear, MapDelete, MapEntries, MapGet, MapHas, MapKeys, MapSet } = require('internal/primordials');

const MOST_BYTES = 10 * 1024 * 1024;
const bytesOf = (key, value) => (value === undefined ? 0 : 2 * (key.length + value.length));

/** Has the interface of a Map of strings. */
class SessionStorageTexts {
  #texts = new Map();
  #bytes = 0;

  get size() {
    return this.#texts.size;
  }
  get(key) {
    return MapGet(this.#texts, key);
  }
  has(key) {
    return MapHas(this.#texts, key);
  }
  keys() {
    return MapKeys(this.#texts);
  }
  entries() {
    return MapEntries(this.#texts);
  }

  set(key, value) {
    const bytes = this.#bytes - bytesOf(key, MapGet(this.#texts, key)) + bytesOf(key, value);
    if (bytes > MOST_BYTES) {
      const { QuotaExceededError } = require('internal/quota_exceeded');
      throw new QuotaExceededError('Setting the value exceeded the quota');
    }
    this.#bytes = bytes;
    MapSet(this.#texts, key, value);
    return this;
  }
  delete(key) {
    this.#bytes -= bytesOf(key, MapGet(this.#texts, key));
    return MapDelete(this.#texts, key);
  }
  clear() {
    this.#bytes = 0;
    MapClear(this.#texts);
  }
}

module.exports = { SessionStorageTexts };
