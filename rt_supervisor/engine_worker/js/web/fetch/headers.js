// @ts-check
'use strict';
// Owns: Headers: case-insensitive names, values combined on reading, separate Set-Cookie values, iteration sorted by name.
// Headers from the network are read from the parser's flat list on first access.

const { AnyDelete, AnyGet, AnyHas, AnyKeys, AnySet } = require('internal/any_kind');
const {
  ArrayJoin,
  ArrayPush,
  ArraySort,
  FunctionCall,
  MapGet,
  MapSet,
  ObjectDefineProperty,
  ObjectGetOwnPropertyDescriptor,
  ObjectGetPrototypeOf,
  ObjectSetPrototypeOf,
  ReflectOwnKeys,
  RegExpExec,
  RegExpReplace,
  RegExpTest,
  StringCharCodeAt,
  StringToLowerCase,
  SymbolFor,
  intact,
} = require('internal/primordials');
const { registerUncloneable } = require('internal/cloneable');
const { guardReceivers, illegalInvocation } = require('internal/receivers');
const { makeEnumerable } = require('web/event_target');
const { consoleForm } = require('internal/inspect/rt_forms');

const custom = SymbolFor('nodejs.util.inspect.custom');
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const VALUE = /^[^\0\n\r]*$/; // within Latin-1
const BLANKS = /^[\t\n\r ]+|[\t\n\r ]+$/g;
const EDGE_BLANK = /^[\t\n\r ]|[\t\n\r ]$/;
const BEYOND_LATIN1 = /[^\x00-\xff]/;

let listOf;
let makeRaw;
let freeze;

const requireArguments = (count, actual, where) => {
  if (actual < count) {
    throw new TypeError(
      `${where}: ${count} argument${count === 1 ? '' : 's'} required, but${actual > 0 ? ' only' : ''} ${actual} found.`,
    );
  }
};

function byteString(value) {
  const text = `${value}`;
  const bad = RegExpExec(BEYOND_LATIN1, text);
  if (bad !== null) {
    throw new TypeError(
      `Cannot convert argument to a ByteString because the character at index ${bad.index} has a value of ${StringCharCodeAt(text, bad.index)} which is greater than 255.`,
    );
  }
  return text;
}

function checkedName(name, where) {
  const text = byteString(name);
  if (!RegExpTest(NAME, text)) throw new TypeError(`${where}: "${text}" is an invalid header name.`);
  return text;
}

function checkedValue(value, where) {
  let text = byteString(value);
  if (RegExpTest(EDGE_BLANK, text)) text = RegExpReplace(BLANKS, text, '');
  if (!RegExpTest(VALUE, text)) throw new TypeError(`${where}: "${text}" is an invalid header value.`);
  return text;
}

const isCookie = (lower) => lower === 'set-cookie';
const separator = (lower) => (lower === 'cookie' ? '; ' : ', ');

class Headers {
  #map; // name in lower case -> { name, value }; of cookies, values
  #raw; // names and values as received, until the first access
  #isFixed = false;

  static {
    registerUncloneable((value) => #map in value);
  }

  constructor(init = undefined) {
    if (init !== undefined) this.#fill(init);
  }

  #fill(init) {
    if (init === null || (typeof init !== 'object' && typeof init !== 'function')) {
      throw new TypeError(
        'Headers constructor: Argument 1 could not be converted to one of: sequence<sequence<ByteString>>, record<ByteString, ByteString>.',
      );
    }
    const iterate = init[Symbol.iterator]; // read once: it may be a getter
    if (#map in init && iterate === Headers.prototype[Symbol.iterator]) {
      this.#map = new Map();
      for (const {
        0: lower,
        1: { name, value },
      } of intact(init.#list()))
        MapSet(this.#map, lower, { name, value: isCookie(lower) ? [...intact(value)] : value });
    } else if (typeof iterate === 'function') {
      let index = 0;
      const pairs = { __proto__: null, [Symbol.iterator]: () => FunctionCall(iterate, init) };
      for (const pair of intact(pairs)) {
        if (pair === null || typeof pair !== 'object' || typeof pair[Symbol.iterator] !== 'function') {
          throw new TypeError(
            `Headers constructor: init[${index}] (${typeof pair === 'string' ? `"${pair}"` : String(pair)}) is not iterable.`,
          );
        }
        const both = [...intact(pair)];
        if (both.length !== 2)
          throw new TypeError(`Headers constructor: expected name/value pair to be length 2, found ${both.length}.`);
        this.#add(both[0], both[1], 'Headers.append');
        index++;
      }
    } else {
      for (let at = 0, all = ReflectOwnKeys(init); at < all.length; at++) {
        const key = all[at];
        if (!ObjectGetOwnPropertyDescriptor(init, key)?.enumerable) continue;
        if (typeof key === 'symbol') throw new TypeError('Cannot convert a Symbol value to a string');
        this.#add(key, init[key], 'Headers.append');
      }
    }
  }

  #list() {
    if (this.#map === undefined) {
      this.#map = new Map();
      const raw = this.#raw;
      if (raw !== undefined) {
        this.#raw = undefined;
        for (let i = 0; i < raw.length; i += 2) this.#put(raw[i], raw[i + 1]);
      }
    }
    return this.#map;
  }

  #put(name, value) {
    const lower = StringToLowerCase(name);
    const entry = MapGet(this.#map, lower);
    if (isCookie(lower)) {
      if (entry === undefined) MapSet(this.#map, lower, { name, value: [value] });
      else ArrayPush(entry.value, value);
    } else if (entry === undefined) {
      MapSet(this.#map, lower, { name, value });
    } else {
      entry.value = `${entry.value}${separator(lower)}${value}`;
    }
  }

  #add(name, value, where) {
    const text = checkedValue(value, where);
    name = checkedName(name, where);
    this.#list();
    this.#put(name, text);
  }

  #check() {
    if (this.#isFixed) throw new TypeError('immutable');
  }

  append(name, value) {
    requireArguments(2, arguments.length, 'Headers.append');
    name = checkedName(name, 'Headers.append');
    value = checkedValue(value, 'Headers.append');
    this.#check();
    this.#list();
    this.#put(name, value);
  }

  delete(name) {
    requireArguments(1, arguments.length, 'Headers.delete');
    name = checkedName(name, 'Headers.delete');
    this.#check();
    AnyDelete(this.#list(), StringToLowerCase(name));
  }

  get(name) {
    requireArguments(1, arguments.length, 'Headers.get');
    const lower = StringToLowerCase(checkedName(name, 'Headers.get'));
    const entry = AnyGet(this.#list(), lower);
    if (entry === undefined) return null;
    return isCookie(lower) ? ArrayJoin(entry.value, ', ') : entry.value;
  }

  has(name) {
    requireArguments(1, arguments.length, 'Headers.has');
    return AnyHas(this.#list(), StringToLowerCase(checkedName(name, 'Headers.has')));
  }

  set(name, value) {
    requireArguments(2, arguments.length, 'Headers.set');
    name = checkedName(name, 'Headers.set');
    value = checkedValue(value, 'Headers.set');
    this.#check();
    const lower = StringToLowerCase(name);
    const list = this.#list();
    const entry = AnyGet(list, lower);
    if (isCookie(lower)) AnySet(list, lower, { name, value: [value] });
    else if (entry === undefined) AnySet(list, lower, { name, value });
    else entry.value = value;
  }

  getSetCookie() {
    return [...intact(AnyGet(this.#list(), 'set-cookie')?.value ?? [])];
  }

  keys() {
    return new HeadersIterator(this, ({ 0: name }) => name);
  }
  values() {
    return new HeadersIterator(this, ({ 1: value }) => value);
  }
  entries() {
    return new HeadersIterator(this, (pair) => pair);
  }

  forEach(callback, receiver = undefined) {
    requireArguments(1, arguments.length, 'Headers.forEach');
    if (typeof callback !== 'function')
      throw new TypeError("Failed to execute 'forEach' on 'Headers': parameter 1 is not of type 'Function'.");
    for (const { 0: name, 1: value } of intact(this)) FunctionCall(callback, receiver, value, name, this);
  }

  /**
   * rt extensions, as in Bun: all values of one name, a plain object (standard names first, then cookies, then other names,
   * each in insertion order), and the number of headers.
   */
  getAll(name) {
    if (StringToLowerCase(`${name}`) === 'set-cookie') return this.getSetCookie();
    throw new TypeError('Only "set-cookie" is supported.');
  }
  toJSON() {
    const plain = {};
    const rest = [];
    const { isKnown } = require('web/fetch/header_names');
    for (const {
      0: lower,
      1: { value },
    } of intact(this.#list())) {
      if (isCookie(lower)) continue;
      if (isKnown(lower)) plain[lower] = value;
      else ArrayPush(rest, [lower, value]);
    }
    const cookies = MapGet(this.#map, 'set-cookie');
    if (cookies !== undefined) plain['set-cookie'] = [...intact(cookies.value)];
    for (const { 0: lower, 1: value } of intact(rest)) plain[lower] = value;
    return plain;
  }
  get count() {
    let count = 0;
    for (const {
      0: lower,
      1: { value },
    } of intact(this.#list()))
      count += isCookie(lower) ? value.length : 1;
    return count;
  }

  [custom](depth, options) {
    if (typeof depth === 'number' && depth < 0) return options.stylize('[Object]', 'special');
    const fields = {};
    for (const {
      0: lower,
      1: { name, value },
    } of intact(this.#list()))
      fields[name] = isCookie(lower) ? ArrayJoin(value, ', ') : value;
    return `Headers ${require('internal/inspect/inspect').inspect(fields, { ...options, depth: options.depth ?? 2 })}`;
  }
  [consoleForm](printer) {
    if (printer.isTooDeep()) printer.out += 'Headers ';
    printer.record('Headers', this.toJSON(), 'Object');
  }

  static {
    listOf = (headers) => headers.#list();
    makeRaw = (raw) => {
      const headers = new Headers();
      headers.#raw = raw;
      return headers;
    };
    freeze = (headers) => {
      headers.#isFixed = true;
    };
  }
}

/** Returns the pairs sorted by name, with a separate pair for each cookie. */
function sortPairs(list) {
  const pairs = [];
  for (const lower of intact(ArraySort([...intact(AnyKeys(list))]))) {
    const { value } = MapGet(list, lower);
    if (isCookie(lower)) for (const cookie of intact(value)) ArrayPush(pairs, [lower, cookie]);
    else ArrayPush(pairs, [lower, value]);
  }
  return pairs;
}

const IteratorPrototype = ObjectGetPrototypeOf(ObjectGetPrototypeOf([][Symbol.iterator]()));
class HeadersIterator {
  #headers;
  #pick;
  #index = 0;
  constructor(headers, pick) {
    this.#headers = headers;
    this.#pick = pick;
  }
  next() {
    if (typeof this !== 'object' || this === null || !(#headers in this))
      throw new TypeError("'next' called on an object that does not implement interface Headers Iterator.");
    const pairs = sortPairs(listOf(this.#headers));
    if (this.#index >= pairs.length) return { value: undefined, done: true };
    return { value: this.#pick(pairs[this.#index++]), done: false };
  }
}
ObjectSetPrototypeOf(HeadersIterator.prototype, IteratorPrototype);
delete (/** @type {any} */ (HeadersIterator.prototype).constructor);
ObjectDefineProperty(HeadersIterator.prototype, 'next', { __proto__: null, enumerable: true });
ObjectDefineProperty(HeadersIterator.prototype, Symbol.toStringTag, {
  __proto__: null,
  value: 'Headers Iterator',
  configurable: true,
});

guardReceivers(Headers, illegalInvocation);
makeEnumerable(Headers, 'Headers');
ObjectDefineProperty(Headers.prototype, Symbol.iterator, {
  __proto__: null,
  value: Headers.prototype.entries,
  writable: true,
  configurable: true,
});
for (const name of intact(['getAll', 'toJSON', 'count']))
  ObjectDefineProperty(Headers.prototype, name, { __proto__: null, enumerable: false });

/** Returns the combined values of a lower-case name in a flat list of names and values. */
function valueOf(rawHeaders, name) {
  let value;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (StringToLowerCase(rawHeaders[i]) === name)
      value = value === undefined ? rawHeaders[i + 1] : `${value}, ${rawHeaders[i + 1]}`;
  }
  return value;
}

module.exports = {
  Headers,
  listOf,
  makeRaw,
  freeze,
  requireArguments,
  sortedPairs: (headers) => sortPairs(listOf(headers)),
  valueOf,
};
