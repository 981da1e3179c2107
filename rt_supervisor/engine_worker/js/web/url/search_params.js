// @ts-check
'use strict';
// Owns: URLSearchParams: a list of name-value pairs, linked to a URL if it belongs to one.

const { AnyIncludes, AnySlice } = require('internal/any_kind');
const {
  ArrayFilter,
  ArrayFind,
  ArrayIsArray,
  ArrayJoin,
  ArrayMap,
  ArrayPush,
  ArraySome,
  ArraySort,
  FunctionCall,
  MapSet,
  ObjectCreate,
  ObjectDefineProperty,
  ObjectGetOwnPropertyDescriptor,
  ObjectGetOwnPropertyNames,
  ObjectGetPrototypeOf,
  ObjectHasOwn,
  ReflectOwnKeys,
  StringSlice,
  StringToWellFormed,
  SymbolFor,
  WeakMapGet,
  WeakMapSet,
  intact,
} = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { consoleForm } = require('internal/inspect/rt_forms');
const { parseForm, serializeForm } = require('web/url/percent');

const custom = SymbolFor('nodejs.util.inspect.custom');

/** Links URL with this class without exposing the private state of either; set by the static block. */
let link;
/** Returns the pairs of a receiver; throws if it is not a URLSearchParams. */
let pairsOf;

const toText = (value) => StringToWellFormed(`${value}`);

class URLSearchParams {
  #pairs = [];
  #update; // called after a change, to update the URL

  static {
    require('internal/cloneable').registerUncloneable((value) => #pairs in value);
  }

  /** @param {any} [init] */
  constructor(init = undefined) {
    if (init === undefined || init === null) return;
    if (typeof init === 'object' || typeof init === 'function') {
      const iterate = init[Symbol.iterator];
      if (iterate === URLSearchParams.prototype[Symbol.iterator] && #pairs in init) {
        this.#pairs = ArrayMap(init.#pairs, (pair) => [...intact(pair)]);
      } else if (iterate != null) {
        if (typeof iterate !== 'function') throw new codes.ERR_ARG_NOT_ITERABLE('Query pairs');
        for (const pair of intact(init)) ArrayPush(this.#pairs, pairOf(pair));
      } else {
        const record = new Map(); // names that become equal keep the position of the first and the value of the last
        for (let index = 0, list = ReflectOwnKeys(init); index < list.length; index++) {
          const key = list[index];
          if (!ObjectGetOwnPropertyDescriptor(init, key)?.enumerable) continue;
          MapSet(record, toText(key), toText(init[key]));
        }
        this.#pairs = [...intact(record)];
      }
    } else {
      const text = toText(init);
      this.#pairs = parseForm(text[0] === '?' ? StringSlice(text, 1) : text);
    }
  }

  get size() {
    return pairsOf(this).length;
  }

  append(name, value) {
    pairsOf(this);
    if (arguments.length < 2) throw new codes.ERR_MISSING_ARGS('name', 'value');
    ArrayPush(this.#pairs, [toText(name), toText(value)]);
    this.#update?.();
  }

  delete(name, value = undefined) {
    pairsOf(this);
    if (arguments.length < 1) throw new codes.ERR_MISSING_ARGS('name');
    const target = toText(name);
    const text = value === undefined ? undefined : toText(value);
    this.#pairs = ArrayFilter(this.#pairs, ({ 0: key, 1: one }) => key !== target || (text !== undefined && one !== text));
    this.#update?.();
  }

  get(name) {
    pairsOf(this);
    if (arguments.length < 1) throw new codes.ERR_MISSING_ARGS('name');
    const target = toText(name);
    return ArrayFind(this.#pairs, ({ 0: key }) => key === target)?.[1] ?? null;
  }

  getAll(name) {
    pairsOf(this);
    if (arguments.length < 1) throw new codes.ERR_MISSING_ARGS('name');
    const target = toText(name);
    return ArrayMap(
      ArrayFilter(this.#pairs, ({ 0: key }) => key === target),
      ({ 1: value }) => value,
    );
  }

  has(name, value = undefined) {
    pairsOf(this);
    if (arguments.length < 1) throw new codes.ERR_MISSING_ARGS('name');
    const target = toText(name);
    const text = value === undefined ? undefined : toText(value);
    return ArraySome(this.#pairs, ({ 0: key, 1: one }) => key === target && (text === undefined || one === text));
  }

  set(name, value) {
    pairsOf(this);
    if (arguments.length < 2) throw new codes.ERR_MISSING_ARGS('name', 'value');
    const target = toText(name);
    const text = toText(value);
    const first = ArrayFind(this.#pairs, ({ 0: key }) => key === target);
    if (first === undefined) {
      ArrayPush(this.#pairs, [target, text]);
    } else {
      first[1] = text;
      this.#pairs = ArrayFilter(this.#pairs, (pair) => pair === first || pair[0] !== target);
    }
    this.#update?.();
  }

  sort() {
    pairsOf(this);
    ArraySort(this.#pairs, ({ 0: one }, { 0: other }) => (one < other ? -1 : one > other ? 1 : 0));
    this.#update?.();
  }

  forEach(callback, thisArg = undefined) {
    pairsOf(this);
    require('internal/validators').validateFunction(callback, 'callback');
    for (let i = 0; i < this.#pairs.length; i++) FunctionCall(callback, thisArg, this.#pairs[i][1], this.#pairs[i][0], this);
  }

  entries() {
    pairsOf(this);
    return makeIterator(
      () => this.#pairs,
      ({ 0: name, 1: value }) => [name, value],
    );
  }

  keys() {
    pairsOf(this);
    return makeIterator(
      () => this.#pairs,
      ({ 0: name }) => name,
    );
  }

  values() {
    pairsOf(this);
    return makeIterator(
      () => this.#pairs,
      ({ 1: value }) => value,
    );
  }

  toString() {
    pairsOf(this);
    return serializeForm(this.#pairs);
  }

  /** Bun extensions. */
  get length() {
    return pairsOf(this).length;
  }
  toJSON() {
    pairsOf(this);
    const result = {};
    for (const { 0: name, 1: value } of intact(this.#pairs)) {
      if (!ObjectHasOwn(result, name))
        ObjectDefineProperty(result, name, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
      else if (ArrayIsArray(result[name])) ArrayPush(result[name], value);
      else result[name] = [result[name], value];
    }
    return result;
  }

  [consoleForm](printer) {
    printer.record('URLSearchParams', this.toJSON());
  }

  [custom](depth, options) {
    pairsOf(this);
    if (typeof depth === 'number' && depth < 0) return options.stylize('[Object]', 'special');
    const { inspect } = require('internal/inspect/inspect');
    const inner = depth === null ? options : { ...options, depth: depth - 1 };
    const printed = ArrayMap(this.#pairs, ({ 0: name, 1: value }) => `${inspect(name, inner)} => ${inspect(value, inner)}`);
    const { stripControls } = require('internal/string_width');
    let width = -2;
    for (let i = 0; i < printed.length; i++) width += stripControls(printed[i]).length + 2;
    if (width > options.breakLength) return `${this.constructor.name} {\n  ${ArrayJoin(printed, ',\n  ')} }`;
    return printed.length > 0 ? `${this.constructor.name} { ${ArrayJoin(printed, ', ')} }` : `${this.constructor.name} {}`;
  }

  static {
    pairsOf = (value) => {
      if (typeof value !== 'object' || value === null || !(#pairs in value)) throw new codes.ERR_INVALID_THIS('URLSearchParams');
      return value.#pairs;
    };
    link = {
      /** Links `params` to a URL: `update` runs after every change. */
      tie(params, update) {
        params.#update = update;
      },
      reset(params, query) {
        params.#pairs = query === null ? [] : parseForm(query);
      },
    };
  }
}

function pairOf(pair) {
  const isObject = typeof pair === 'object' || typeof pair === 'function';
  if (!isObject || pair === null || typeof pair[Symbol.iterator] !== 'function') {
    throw new codes.ERR_INVALID_TUPLE('Each query pair', '[name, value]');
  }
  const items = [...intact(pair)];
  if (items.length !== 2) throw new codes.ERR_INVALID_TUPLE('Each query pair', '[name, value]');
  return [toText(items[0]), toText(items[1])];
}

const IteratorPrototype = ObjectGetPrototypeOf(ObjectGetPrototypeOf([][Symbol.iterator]()));

const URLSearchParamsIteratorPrototype = ObjectCreate(IteratorPrototype, {
  next: {
    __proto__: null,
    writable: true,
    enumerable: true,
    configurable: true,
    value: function next() {
      const state = WeakMapGet(iterators, this);
      if (state === undefined) throw new codes.ERR_INVALID_THIS('URLSearchParamsIterator');
      const pairs = state.pairs();
      if (state.index >= pairs.length) return { value: undefined, done: true };
      return { value: state.pick(pairs[state.index++]), done: false };
    },
  },
  [Symbol.toStringTag]: { __proto__: null, value: 'URLSearchParams Iterator', configurable: true },
  [custom]: {
    __proto__: null,
    writable: true,
    enumerable: false,
    configurable: true,
    value(depth, options) {
      const state = WeakMapGet(iterators, this);
      if (state === undefined) throw new codes.ERR_INVALID_THIS('URLSearchParamsIterator');
      if (typeof depth === 'number' && depth < 0) return options.stylize('[Object]', 'special');
      const { inspect } = require('internal/inspect/inspect');
      const inner = depth === null ? options : { ...options, depth: depth - 1 };
      const rest = ArrayMap(AnySlice(state.pairs(), state.index), state.pick);
      const printed = ArrayMap(rest, (each) => inspect(each, inner));
      const isBroken = AnyIncludes(inspect(rest, inner), '\n');
      return `${this[Symbol.toStringTag]} {${isBroken ? `\n  ${ArrayJoin(printed, ',\n  ')}` : ` ${ArrayJoin(printed, ', ')}`} }`;
    },
  },
});
const iterators = new WeakMap();

function makeIterator(pairs, pick) {
  const iterator = ObjectCreate(URLSearchParamsIteratorPrototype);
  WeakMapSet(iterators, iterator, { pairs, pick, index: 0 });
  return iterator;
}

ObjectDefineProperty(URLSearchParams.prototype, Symbol.iterator, {
  __proto__: null,
  value: URLSearchParams.prototype.entries,
  writable: true,
  configurable: true,
  enumerable: false,
});
for (const name of intact(ObjectGetOwnPropertyNames(URLSearchParams.prototype))) {
  if (name !== 'constructor' && name !== 'toJSON' && name !== 'length')
    ObjectDefineProperty(URLSearchParams.prototype, name, { __proto__: null, enumerable: true });
}
ObjectDefineProperty(URLSearchParams.prototype, Symbol.toStringTag, {
  __proto__: null,
  value: 'URLSearchParams',
  configurable: true,
});

module.exports = { URLSearchParams, link };
