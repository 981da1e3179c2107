'use strict';
// Owns: RT.CookieMap: the cookies of a request, and what an answer is to change about them.

const { consoleForm } = require('internal/inspect/rt_forms');
const { Cookie } = require('rt/cookie');

const LONG_AGO = new Date(0);

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** [name, value] of each cookie in the text of a Cookie header. */
function* pairsOf(text) {
  for (const part of text.split(';')) {
    const place = part.indexOf('=');
    if (place > 0) yield [part.slice(0, place).trim(), decoded(part.slice(place + 1).trim())];
  }
}

class CookieMap {
  #given = new Map(); // name -> text, as the request had them
  #changed = new Map(); // name -> Cookie, of an empty one for what is deleted
  #deleted = new Set();

  constructor(init = undefined) {
    if (init === undefined || init === null) return;
    if (typeof init !== 'string' && typeof init !== 'object') throw new TypeError('Invalid initializer type');
    const pairs =
      typeof init === 'string' ? pairsOf(init) : typeof init[Symbol.iterator] === 'function' ? init : Object.entries(init);
    for (const [name, value] of pairs) if (!this.#given.has(name)) this.#given.set(`${name}`, `${value}`);
  }

  get(name) {
    const key = `${name}`;
    if (this.#deleted.has(key)) return null;
    return this.#changed.get(key)?.value ?? this.#given.get(key) ?? null;
  }

  has(name) {
    return this.get(name) !== null;
  }

  set(name, value, options) {
    const cookie =
      name instanceof Cookie ? name : typeof name === 'object' ? new Cookie(name) : new Cookie(name, value ?? '', options);
    this.#put(cookie);
    this.#deleted.delete(cookie.name);
  }

  delete(name, options = {}) {
    const given = typeof name === 'object' && name !== null ? name : { ...options, name };
    const { domain, path } = given;
    this.#put(new Cookie({ name: given.name, value: '', domain, path: path ?? '/', expires: LONG_AGO }));
    this.#deleted.add(`${given.name}`);
  }

  #put(cookie) {
    this.#given.delete(cookie.name);
    this.#changed.delete(cookie.name);
    this.#changed.set(cookie.name, cookie);
  }

  toSetCookieHeaders() {
    return [...this.#changed.values()].map((cookie) => cookie.toString());
  }

  get size() {
    return [...this.entries()].length;
  }

  *entries() {
    for (const [name, cookie] of this.#changed) if (!this.#deleted.has(name)) yield [name, cookie.value];
    yield* this.#given;
  }

  *keys() {
    for (const [name] of this.entries()) yield name;
  }

  *values() {
    for (const [, value] of this.entries()) yield value;
  }

  forEach(callback, thisArg = undefined) {
    for (const [name, value] of this.entries()) callback.call(thisArg, value, name, this);
  }

  toJSON() {
    return Object.fromEntries(this.entries());
  }

  [Symbol.iterator]() {
    return this.entries();
  }

  [consoleForm](printer) {
    printer.record('', this.toJSON());
  }
}

module.exports = { CookieMap };
