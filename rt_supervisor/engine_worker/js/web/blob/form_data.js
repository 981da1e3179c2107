// @ts-check
'use strict';
// Owns: FormData: named strings and files, in insertion order.

const {
  ArrayFilter,
  ArrayFind,
  ArrayFindIndex,
  ArrayMap,
  ArrayPush,
  ArraySome,
  ArraySplice,
  FunctionCall,
  JSONStringify,
  MapGet,
  MapSet,
  ObjectDefineProperties,
  ObjectDefineProperty,
  ObjectFromEntries,
  ObjectGetPrototypeOf,
  ObjectSetPrototypeOf,
  RegExpReplace,
  StringToWellFormed,
  SymbolFor,
  intact,
} = require('internal/primordials');
const { consoleForm } = require('internal/inspect/rt_forms');
const { registerUncloneable } = require('internal/cloneable');
const { guardReceivers, illegalInvocation } = require('internal/receivers');
const { bytesOf } = require('internal/bytes');
const { bodyText } = require('internal/utf8');
const { asBlob, bytesAtHand, isBlob } = require('web/blob/blob');
const { File } = require('web/blob/file');

const inspectSymbol = SymbolFor('nodejs.util.inspect.custom');
const kNames = 0;
const kValues = 1;
const kBoth = 2;

function need(args, count, method) {
  if (args.length >= count) return;
  const plural = count === 1 ? 'argument' : 'arguments';
  throw new TypeError(`FormData.${method}: ${count} ${plural} required, but${args.length ? ' only' : ''} ${args.length} found.`);
}

const formatEntry = (value) =>
  typeof value === 'string' ? `"${value}"` : typeof value === 'object' ? JSONStringify(value) : `${value}`;

function entryOf(method, args) {
  need(args, 2, method);
  const { 0: name, 1: given } = args;
  let { 2: filename } = args;
  const value = asBlob(given) ?? given;
  if (value !== given && typeof given.name === 'string') filename ??= RegExpReplace(/^.*\//s, given.name, '');
  if (args.length < 3) {
    if (!isBlob(value)) return [StringToWellFormed(`${name}`), StringToWellFormed(`${value}`)];
  } else if (!isBlob(value)) {
    throw new TypeError(`FormData.${method}: Expected value ("${formatEntry(value)}") to be an instance of Blob.`);
  }
  return [StringToWellFormed(`${name}`), asFile(value, filename === undefined ? undefined : StringToWellFormed(`${filename}`))];
}

function asFile(blob, filename) {
  if (!(blob instanceof File)) return new File([blob], filename ?? 'blob', { type: blob.type });
  if (filename === undefined) return blob;
  return new File([blob], filename, { type: blob.type, lastModified: blob.lastModified });
}

class FormDataIterator {
  #entries;
  #place = 0;
  #kind;

  constructor(entries, kind) {
    this.#entries = entries;
    this.#kind = kind;
  }

  next() {
    const entry = this.#entries[this.#place];
    if (entry === undefined) return { value: undefined, done: true };
    this.#place++;
    return { value: this.#kind === kBoth ? [entry[0], entry[1]] : entry[this.#kind === kNames ? 0 : 1], done: false };
  }
}
const iteratorPrototype = ObjectGetPrototypeOf(ObjectGetPrototypeOf([][Symbol.iterator]()));
ObjectSetPrototypeOf(FormDataIterator.prototype, iteratorPrototype);
ObjectDefineProperty(FormDataIterator.prototype, 'next', { __proto__: null, enumerable: true });
ObjectDefineProperty(FormDataIterator.prototype, Symbol.toStringTag, {
  __proto__: null,
  configurable: true,
  value: 'FormData Iterator',
});
delete (/** @type {any} */ (FormDataIterator.prototype).constructor);

class FormData {
  #entries = [];

  static {
    registerUncloneable((value) => #entries in value);
  }

  constructor(form = undefined) {
    if (form !== undefined) {
      throw new TypeError('FormData constructor: Argument 1 could not be converted to: undefined.');
    }
  }

  append(name, value, filename = undefined) {
    ArrayPush(this.#entries, entryOf('append', arguments));
  }

  delete(name) {
    need(arguments, 1, 'delete');
    const target = `${name}`;
    const entries = this.#entries;
    for (let place = entries.length - 1; place >= 0; place--) if (entries[place][0] === target) ArraySplice(entries, place, 1);
  }

  get(name) {
    need(arguments, 1, 'get');
    return ArrayFind(this.#entries, ({ 0: each }) => each === `${name}`)?.[1] ?? null;
  }

  getAll(name) {
    need(arguments, 1, 'getAll');
    return ArrayMap(
      ArrayFilter(this.#entries, ({ 0: each }) => each === `${name}`),
      ({ 1: value }) => value,
    );
  }

  has(name) {
    need(arguments, 1, 'has');
    return ArraySome(this.#entries, ({ 0: each }) => each === `${name}`);
  }

  set(name, value, filename = undefined) {
    const entry = entryOf('set', arguments);
    const entries = this.#entries;
    const first = ArrayFindIndex(entries, ({ 0: each }) => each === entry[0]);
    if (first < 0) {
      ArrayPush(entries, entry);
      return;
    }
    entries[first] = entry;
    for (let place = entries.length - 1; place > first; place--)
      if (entries[place][0] === entry[0]) ArraySplice(entries, place, 1);
  }

  keys() {
    return new FormDataIterator(this.#entries, kNames);
  }

  values() {
    return new FormDataIterator(this.#entries, kValues);
  }

  entries() {
    return new FormDataIterator(this.#entries, kBoth);
  }

  forEach(callback, thisArg = undefined) {
    need(arguments, 1, 'forEach');
    if (typeof callback !== 'function') {
      throw new TypeError("Failed to execute 'forEach' on 'FormData': parameter 1 is not of type 'Function'.");
    }
    for (const { 0: name, 1: value } of intact(this)) FunctionCall(callback, thisArg, value, name, this);
  }

  /** Bun extensions. */
  get length() {
    return this.#entries.length;
  }
  toJSON() {
    return ObjectFromEntries(intact(this.#group()));
  }
  static from(input, boundary = undefined) {
    if (input === undefined || input === null) throw new TypeError('input must not be empty');
    const { readFields, readParts } = require('web/fetch/multipart');
    const bytes = bytesIn(input, 'input');
    return boundary === undefined ? readFields(bytes) : readParts(bytes, bodyText(bytesIn(boundary, 'boundary')));
  }

  #group() {
    const groups = new Map();
    for (const { 0: name, 1: value } of intact(this.#entries))
      MapSet(groups, name, [...intact(MapGet(groups, name) ?? []), value]);
    return ArrayMap([...intact(groups)], ({ 0: name, 1: values }) => [name, values.length === 1 ? values[0] : values]);
  }

  [inspectSymbol](depth, options, inspect) {
    return `FormData ${inspect(ObjectFromEntries(intact(this.#group())), options)}`;
  }

  [consoleForm](printer) {
    if (this.#entries.length === 0) printer.object({}, '');
    else printer.record('FormData', ObjectFromEntries(intact(this.#group())));
  }
}
function bytesIn(value, name) {
  const bytes =
    typeof value === 'string'
      ? host.native.encodeUtf8(value)
      : (bytesOf(value) ?? (isBlob(value) ? bytesAtHand(value) : undefined));
  if (bytes === undefined) throw new TypeError(`${name} must be a string or ArrayBufferView`);
  return bytes;
}
guardReceivers(FormData, illegalInvocation);
for (const name of intact([
  'append',
  'delete',
  'get',
  'getAll',
  'has',
  'set',
  'keys',
  'values',
  'entries',
  'forEach',
  'toJSON',
])) {
  ObjectDefineProperty(FormData.prototype, name, { __proto__: null, enumerable: true });
}
ObjectDefineProperties(FormData.prototype, {
  [Symbol.iterator]: { __proto__: null, configurable: true, writable: true, value: FormData.prototype.entries },
  [Symbol.toStringTag]: { __proto__: null, configurable: true, value: 'FormData' },
});

module.exports = { FormData };
