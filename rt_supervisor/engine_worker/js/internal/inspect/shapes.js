// @ts-check
'use strict';
// Owns: the form that each kind of object takes under util.inspect: its braces, its own keys, where its entries come from.
// The contents of collections come from internal/inspect/collections, errors from internal/inspect/errors, names from internal/inspect/names.

const {
  ArraySplice,
  BigIntValueOf,
  BooleanValueOf,
  DateGetTime,
  DateToISOString,
  DateToString,
  MapSize,
  NumberIsNaN,
  NumberValueOf,
  ObjectAssign,
  ObjectGetOwnPropertyNames,
  ObjectGetOwnPropertySymbols,
  ObjectIsEnumerable,
  ObjectKeys,
  RegExpToString,
  SetSize,
  StringToLowerCase,
  StringValueOf,
  SymbolValueOf,
  TypedArrayConstructors,
  TypedArrayLength,
  TypedArrayTag,
} = require('internal/primordials');
const { KIND } = require('internal/kinds');
const { isInstance } = require('internal/late_classes');
const { primitive } = require('internal/inspect/text');
const { PLAIN, ELEMENTS_AND_KEYS } = require('internal/inspect/layout');
const { prefix, functionBase } = require('internal/inspect/names');
const { formatError } = require('internal/inspect/errors');
const contents = /** @type {any} */ (require('internal/inspect/collections')); // a circular dependency

const nothing = () => [];

function ownKeys(value, showHidden) {
  const symbols = ObjectGetOwnPropertySymbols(value);
  let keys;
  if (showHidden) {
    keys = ObjectGetOwnPropertyNames(value);
    for (let i = 0; i < symbols.length; i++) keys[keys.length] = symbols[i];
    return keys;
  }
  try {
    keys = ObjectKeys(value);
  } catch {
    keys = ObjectGetOwnPropertyNames(value); // A module namespace with uninitialized bindings.
  }
  for (let i = 0; i < symbols.length; i++) if (ObjectIsEnumerable(value, symbols[i])) keys[keys.length] = symbols[i];
  return keys;
}

/** What will be printed, filled in by the form of the value's kind. */
class Shape {
  constructor(context, value, constructor, tag, level) {
    this.context = context;
    this.value = value;
    this.constructor_ = constructor;
    this.tag = tag;
    this.level = level;
    this.base = '';
    this.braces = ['{', '}'];
    this.keys = undefined;
    this.entries = nothing; // (context, value, level) -> formatted entries
    this.form = PLAIN;
    this.done = undefined; // the whole text, if no braces are needed
    this.inherited = undefined;
  }

  prefix(fallback, size) {
    return prefix(this.constructor_, this.tag, fallback, size);
  }

  isBare() {
    return this.keys.length === 0 && this.inherited === undefined;
  }
}

/** Returns V8's name for the class of a value without a prototype, or 'Object' if the tag already states that name. */
function className(value, constructor, tag) {
  if (constructor !== null) return '';
  const name = host.inspect.constructorName(value);
  return name === tag ? 'Object' : name;
}

const withoutLimit = (entries) => (context, value, level) => {
  const { maxArrayLength } = context;
  context.maxArrayLength = Infinity;
  const output = entries(context, value, level);
  context.maxArrayLength = maxArrayLength;
  return output;
};

function shapeIterable(shape, kind) {
  const { context, value, constructor_: constructor } = shape;
  switch (kind) {
    case KIND.ARRAY: {
      const name = constructor !== 'Array' || shape.tag !== '' ? shape.prefix('Array', `(${value.length})`) : '';
      shape.keys = host.inspect.ownNonIndexProperties(value, !context.showHidden);
      shape.braces = [`${name}[`, ']'];
      if (value.length === 0 && shape.isBare()) shape.done = `${shape.braces[0]}]`;
      shape.form = ELEMENTS_AND_KEYS;
      shape.entries = contents.arrayElements;
      return true;
    }
    case KIND.SET:
    case KIND.MAP: {
      const isMap = kind === KIND.MAP;
      const size = isMap ? MapSize(value) : SetSize(value);
      const name = shape.prefix(isMap ? 'Map' : 'Set', `(${size})`);
      shape.keys = ownKeys(value, context.showHidden);
      shape.entries = isMap ? contents.mapEntries : contents.setValues;
      // As in Node, an array without a prototype is listed in full.
      if (constructor === null) shape.entries = withoutLimit(shape.entries);
      if (size === 0 && shape.isBare()) shape.done = `${name}{}`;
      shape.braces = [`${name}{`, '}'];
      return true;
    }
    case KIND.TYPED_ARRAY: {
      shape.keys = host.inspect.ownNonIndexProperties(value, !context.showHidden);
      const type = TypedArrayTag(value);
      const elements = constructor === null ? new TypedArrayConstructors[type](value) : value;
      const size = TypedArrayLength(value);
      shape.braces = [`${shape.prefix(constructor === null ? type : '', `(${size})`)}[`, ']'];
      if (value.length === 0 && shape.keys.length === 0 && !context.showHidden) shape.done = `${shape.braces[0]}]`;
      const entries = (_, __, level) => contents.typedArrayElements(context, value, elements, size, level);
      shape.entries = entries;
      shape.form = ELEMENTS_AND_KEYS;
      return true;
    }
    case KIND.MAP_ITERATOR:
    case KIND.SET_ITERATOR: {
      shape.keys = ownKeys(value, context.showHidden);
      const type = `${kind === KIND.MAP_ITERATOR ? 'Map' : 'Set'} Iterator`;
      shape.braces = [shape.tag === type ? `[${type}] {` : `[${shape.tag === '' ? '' : `${shape.tag}] [`}${type}] {`, '}'];
      shape.entries = contents.iteratorEntries(shape.braces);
      return true;
    }
  }
  return false;
}

function shapeOther(shape, kind, insideTypedArray) {
  const { context, value, constructor_: constructor, tag } = shape;
  shape.keys = ownKeys(value, context.showHidden);
  if (constructor === 'Object' && typeof value !== 'function') {
    if (kind === KIND.ARGUMENTS) shape.braces[0] = '[Arguments] {';
    else if (tag !== '') shape.braces[0] = `${shape.prefix('Object')}{`;
    if (shape.isBare()) shape.done = `${shape.braces[0]}}`;
    return;
  }
  switch (kind) {
    case KIND.FUNCTION:
    case KIND.ASYNC_FUNCTION:
    case KIND.GENERATOR_FUNCTION:
    case KIND.ASYNC_GENERATOR_FUNCTION:
      shape.base = functionBase(context, value, constructor, tag, kind);
      if (shape.isBare()) shape.done = context.stylize(shape.base, 'special');
      return;
    case KIND.REGEXP: {
      shape.base = withPrefix(shape, 'RegExp', RegExpToString(constructor !== null ? value : new RegExp(value)));
      shape.base = context.stylize(shape.base, 'regexp');
      if (shape.isBare() || isTooDeep(shape)) shape.done = shape.base;
      return;
    }
    case KIND.DATE:
      shape.base = withPrefix(shape, 'Date', NumberIsNaN(DateGetTime(value)) ? DateToString(value) : DateToISOString(value));
      if (shape.isBare()) shape.done = context.stylize(shape.base, 'date');
      return;
    case KIND.ERROR:
      shape.base = formatError(context, value, constructor, tag, shape.keys);
      if (shape.isBare()) shape.done = shape.base;
      return;
    case KIND.NUMBER_OBJECT:
    case KIND.STRING_OBJECT:
    case KIND.BOOLEAN_OBJECT:
    case KIND.SYMBOL_OBJECT:
    case KIND.BIGINT_OBJECT:
      shape.base = boxedBase(shape, kind);
      if (shape.isBare()) shape.done = shape.base;
      return;
  }
  if (value instanceof Error) {
    shape.base = formatError(context, value, constructor, tag, shape.keys);
    if (shape.isBare()) shape.done = shape.base;
    return;
  }
  shapeBraced(shape, kind, insideTypedArray);
}

function shapeBraced(shape, kind, insideTypedArray) {
  const { context, value } = shape;
  switch (kind) {
    case KIND.ARRAY_BUFFER:
    case KIND.SHARED_ARRAY_BUFFER: {
      const name = shape.prefix(kind === KIND.ARRAY_BUFFER ? 'ArrayBuffer' : 'SharedArrayBuffer');
      shape.entries = contents.bufferContents;
      shape.braces[0] = `${name}{`;
      if (insideTypedArray === true && shape.isBare())
        shape.done = `${name}{ [byteLength]: ${primitive(context, value.byteLength)} }`;
      return;
    }
    case KIND.DATA_VIEW:
      shape.braces[0] = `${shape.prefix('DataView')}{`;
      shape.entries = contents.dataViewContents;
      return;
    case KIND.PROMISE:
      shape.braces[0] = `${shape.prefix('Promise')}{`;
      shape.entries = contents.promiseState;
      return;
    case KIND.WEAK_SET:
      shape.braces[0] = `${shape.prefix('WeakSet')}{`;
      shape.entries = context.showHidden ? contents.weakSetValues : contents.unknownItems;
      return;
    case KIND.WEAK_MAP:
      shape.braces[0] = `${shape.prefix('WeakMap')}{`;
      shape.entries = context.showHidden ? contents.weakMapEntries : contents.unknownItems;
      return;
    case KIND.MODULE_NAMESPACE:
      shape.braces[0] = `${shape.prefix('Module')}{`;
      shape.entries = contents.moduleBindings(shape.keys);
      shape.keys = [];
      return;
  }
  if (!isTooDeep(shape) && isUrl(value)) {
    shape.base = value.href;
    if (shape.isBare()) shape.done = shape.base;
    return;
  }
  if (shape.isBare()) {
    shape.done =
      kind === KIND.EXTERNAL
        ? context.stylize(`[External: ${host.inspect.externalAddress(value)}]`, 'special')
        : `${shape.prefix(className(value, shape.constructor_, shape.tag))}{}`;
    return;
  }
  shape.braces[0] = `${shape.prefix(className(value, shape.constructor_, shape.tag))}{`;
}

const isUrl = (value) => typeof value.href === 'string' && isInstance('URL', value);

const isTooDeep = ({ context, level }) => level > context.depth && context.depth !== null;

function withPrefix(shape, type, text) {
  const name = shape.prefix(type);
  return name === `${type} ` ? text : `${name}${text}`;
}

const BOXES = {
  __proto__: null,
  [KIND.NUMBER_OBJECT]: ['Number', NumberValueOf],
  [KIND.STRING_OBJECT]: ['String', StringValueOf],
  [KIND.BOOLEAN_OBJECT]: ['Boolean', BooleanValueOf],
  [KIND.SYMBOL_OBJECT]: ['Symbol', SymbolValueOf],
  [KIND.BIGINT_OBJECT]: ['BigInt', BigIntValueOf],
};

function boxedBase(shape, kind) {
  const { context, value, constructor_: constructor, tag, keys } = shape;
  const { 0: type, 1: unbox } = BOXES[kind];
  if (kind === KIND.STRING_OBJECT) ArraySplice(keys, 0, value.length); // The characters are not additional keys.
  let base = `[${type}`;
  if (type !== constructor) base += constructor === null ? ' (null prototype)' : ` (${constructor})`;
  base += `: ${primitive({ ...context, stylize: (text) => text }, unbox(value))}]`;
  if (tag !== '' && tag !== constructor) base += ` [${tag}]`;
  return keys.length !== 0 ? base : context.stylize(base, StringToLowerCase(type));
}

ObjectAssign(exports, { Shape, shapeIterable, shapeOther, className });
