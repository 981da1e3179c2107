// @ts-check
'use strict';
// Owns: RT.CookieMap: the cookies of a request, and the changes to send with the response.

const {
  ArrayMap,
  FunctionCall,
  MapDelete,
  MapGet,
  MapHas,
  MapSet,
  MapValues,
  ObjectEntries,
  ObjectFromEntries,
  SetAdd,
  SetDelete,
  SetHas,
  StringIndexOf,
  StringSlice,
  StringSplit,
  StringTrim,
  intact,
} = require('internal/primordials');
const { consoleForm } = require('internal/inspect/rt_forms');
const { Cookie } = require('rt/cookies/cookie');

const LONG_AGO = new Date(0);

function decodeValue(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Yields [name, value] of each cookie in a Cookie header. */
function* pairsOf(text) {
  for (const part of intact(StringSplit(text, ';'))) {
    const place = StringIndexOf(part, '=');
    if (place > 0) yield [StringTrim(StringSlice(part, 0, place)), decodeValue(StringTrim(StringSlice(part, place + 1)))];
  }
}

class CookieMap {
  #original = new Map(); // name -> value, as the request had them
  #changed = new Map(); // name -> Cookie; an empty, expired one for a deleted cookie
  #deleted = new Set();

  constructor(init = undefined) {
    if (init === undefined || init === null) return;
    if (typeof init !== 'string' && typeof init !== 'object') throw new TypeError('Invalid initializer type');
    const pairs =
      typeof init === 'string' ? pairsOf(init) : typeof init[Symbol.iterator] === 'function' ? init : ObjectEntries(init);
    for (const { 0: name, 1: value } of intact(pairs))
      if (!MapHas(this.#original, name)) MapSet(this.#original, `${name}`, `${value}`);
  }

  get(name) {
    const key = `${name}`;
    if (SetHas(this.#deleted, key)) return null;
    return MapGet(this.#changed, key)?.value ?? MapGet(this.#original, key) ?? null;
  }

  has(name) {
    return this.get(name) !== null;
  }

  set(name, value, options) {
    const cookie =
      name instanceof Cookie ? name : typeof name === 'object' ? new Cookie(name) : new Cookie(name, value ?? '', options);
    this.#put(cookie);
    SetDelete(this.#deleted, cookie.name);
  }

  delete(name, options = {}) {
    const settings = typeof name === 'object' && name !== null ? name : { ...options, name };
    const { domain, path } = settings;
    this.#put(new Cookie({ name: settings.name, value: '', domain, path: path ?? '/', expires: LONG_AGO }));
    SetAdd(this.#deleted, `${settings.name}`);
  }

  #put(cookie) {
    MapDelete(this.#original, cookie.name);
    MapDelete(this.#changed, cookie.name);
    MapSet(this.#changed, cookie.name, cookie);
  }

  toSetCookieHeaders() {
    return ArrayMap([...intact(MapValues(this.#changed))], (cookie) => cookie.toString());
  }

  get size() {
    return [...intact(this.entries())].length;
  }

  *entries() {
    for (const { 0: name, 1: cookie } of intact(this.#changed)) if (!SetHas(this.#deleted, name)) yield [name, cookie.value];
    yield* intact(this.#original);
  }

  *keys() {
    for (const { 0: name } of intact(this.entries())) yield name;
  }

  *values() {
    for (const { 1: value } of intact(this.entries())) yield value;
  }

  forEach(callback, thisArg = undefined) {
    for (const { 0: name, 1: value } of intact(this.entries())) FunctionCall(callback, thisArg, value, name, this);
  }

  toJSON() {
    return ObjectFromEntries(intact(this.entries()));
  }

  [Symbol.iterator]() {
    return this.entries();
  }

  [consoleForm](printer) {
    printer.record('', this.toJSON());
  }
}

module.exports = { CookieMap };
