// @ts-check
'use strict';
// Owns: the text that util.inspect puts before the braces: constructor names, tags, null prototypes, functions and classes.
// Reads properties of user objects defensively: a throwing getter or a hostile prototype must not stop the output.

const { mapOf, setOf } = require('internal/collections');
const { RegExpSplit } = require('internal/patterns');
const {
  ArrayMap,
  FunctionHasInstance,
  FunctionToString,
  MapGet,
  ObjectGetOwnPropertyDescriptor,
  ObjectGetPrototypeOf,
  ObjectHasOwn,
  ReflectOwnKeys,
  RegExpExec,
  RegExpReplace,
  SetAdd,
  SetHas,
  StringEndsWith,
  StringIncludes,
  StringIndexOf,
  StringLastIndexOf,
  StringSlice,
  StringStartsWith,
  intact,
} = require('internal/primordials');
const { KIND } = require('internal/kinds');
const { PLAIN } = require('internal/inspect/layout');

// The constructors and namespaces of the language: properties of their prototypes are never listed as inherited.
const builtInNames = setOf(
  intact(
    RegExpSplit(
      /\s+/,
      `Object Function Array Number Infinity NaN Boolean String Symbol Date Promise RegExp Error
AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError JSON Math Intl
ArrayBuffer Atomics Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array Float16Array Float32Array
Float64Array Uint8ClampedArray BigUint64Array BigInt64Array DataView Map BigInt Set Iterator WeakMap WeakSet WeakRef
Proxy Reflect FinalizationRegistry`,
    ),
  ),
);
const TypedArray = ObjectGetPrototypeOf(Uint8Array);
// Instances of these prototypes keep their name even if a program changes `constructor`.
const wellKnownPrototypes = mapOf(
  intact(
    ArrayMap(
      [
        Array,
        ArrayBuffer,
        Function,
        Map,
        Set,
        Object,
        TypedArray,
        RegExp,
        Date,
        DataView,
        Error,
        AggregateError,
        RangeError,
        TypeError,
        Boolean,
        Number,
        String,
        Promise,
        WeakMap,
        WeakSet,
      ],
      (Class) => [Class.prototype, Class],
    ),
  ),
);
const wellKnownNames = mapOf(
  intact(ArrayMap([...intact(wellKnownPrototypes)], ({ 0: prototype, 1: { name } }) => [prototype, name])),
);
const MOST_PROTOTYPES_SHOWN = 3;

const isBuiltInName = (name) => SetHas(builtInNames, name);

function isInstance(value, constructor) {
  try {
    return FunctionHasInstance(constructor, value);
  } catch {
    return false;
  }
}

/**
 * Returns the name of the nearest constructor on the prototype chain that the value is an instance of, or null without a
 * prototype. With `inherited` (an array), formats the non-function properties of non-built-in prototypes into it.
 */
function constructorName(value, context, level, inherited) {
  let object = value;
  let firstPrototype;
  while (object) {
    const wellKnown = MapGet(wellKnownPrototypes, object);
    if (wellKnown !== undefined && isInstance(value, wellKnown)) {
      if (inherited !== undefined && firstPrototype !== object)
        printInherited(context, value, firstPrototype || value, level, inherited);
      return MapGet(wellKnownNames, object);
    }
    const descriptor = ObjectGetOwnPropertyDescriptor(object, 'constructor');
    if (
      descriptor !== undefined &&
      typeof descriptor.value === 'function' &&
      descriptor.value.name !== '' &&
      isInstance(value, descriptor.value)
    ) {
      if (inherited !== undefined && (firstPrototype !== object || !isBuiltInName(descriptor.value.name))) {
        printInherited(context, value, firstPrototype || value, level, inherited);
      }
      return `${descriptor.value.name}`;
    }
    object = ObjectGetPrototypeOf(object);
    if (firstPrototype === undefined) firstPrototype = object;
  }
  if (firstPrototype === null) return null;
  const name = host.inspect.constructorName(value);
  if (level > context.depth && context.depth !== null) return `${name} <Complex prototype>`;
  const parent = constructorName(firstPrototype, context, level + 1, inherited);
  if (parent === null) {
    const { inspect } = require('internal/inspect/inspect');
    return `${name} <${inspect(firstPrototype, { ...context, customInspect: false, depth: -1 })}>`;
  }
  return `${name} <${parent}>`;
}

function printInherited(context, main, object, level, output) {
  const { property } = require('internal/inspect/property');
  const seen = new Set();
  let keys = [];
  for (let depth = 0; depth < MOST_PROTOTYPES_SHOWN; depth++) {
    if (depth !== 0 || main === object) {
      object = ObjectGetPrototypeOf(object);
      if (object === null) return;
      const descriptor = ObjectGetOwnPropertyDescriptor(object, 'constructor');
      if (descriptor !== undefined && typeof descriptor.value === 'function' && isBuiltInName(descriptor.value.name)) return;
    }
    for (let i = 0; i < keys.length; i++) SetAdd(seen, keys[i]);
    keys = ReflectOwnKeys(object);
    context.seen[context.seen.length] = main;
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i];
      if (key === 'constructor' || ObjectHasOwn(main, key) || (depth !== 0 && SetHas(seen, key))) continue;
      const descriptor = ObjectGetOwnPropertyDescriptor(object, key);
      if (typeof descriptor?.value === 'function') continue;
      const text = property(context, object, level, key, PLAIN, descriptor, main);
      output[output.length] = context.colors ? `\u001b[2m${text}\u001b[22m` : text;
    }
    context.seen.length--;
  }
}

/** `Name(size) [Tag] `, with `fallback` for the name of a null-prototype value. */
function prefix(constructor, tag, fallback, size = '') {
  if (constructor === null) {
    if (tag !== '' && fallback !== tag) return `[${fallback}${size}: null prototype] [${tag}] `;
    return `[${fallback}${size}: null prototype] `;
  }
  if (tag !== '' && constructor !== tag) {
    // A qualified tag, such as those of Intl and Temporal, already contains the name.
    const dot = StringLastIndexOf(tag, '.');
    const isSaid = dot >= 1 && StringSlice(tag, dot + 1) === constructor;
    return isSaid ? `${tag}${size} ` : `${constructor}${size} [${tag}] `;
  }
  return `${constructor}${size} `;
}

const COMMENTS = /(\/\/.*?\n)|(\/\*(.|\n)*?\*\/)/g;
const CLASS_HEAD = /^(\s+[^(]*?)\s*{/;

function isClassSource(source) {
  if (!StringStartsWith(source, 'class') || !StringEndsWith(source, '}')) return false;
  const rest = StringSlice(source, 5, -1);
  const brace = StringIndexOf(rest, '{');
  return (
    brace !== -1 &&
    (!StringIncludes(StringSlice(rest, 0, brace), '(') || RegExpExec(CLASS_HEAD, RegExpReplace(COMMENTS, rest, '')) !== null)
  );
}

const FUNCTION_TYPES = {
  __proto__: null,
  [KIND.ASYNC_FUNCTION]: 'AsyncFunction',
  [KIND.GENERATOR_FUNCTION]: 'GeneratorFunction',
  [KIND.ASYNC_GENERATOR_FUNCTION]: 'AsyncGeneratorFunction',
};

function functionBase(context, value, constructor, tag, kind) {
  if (isClassSource(FunctionToString(value))) return classBase(value, constructor, tag);
  const type = FUNCTION_TYPES[kind] ?? 'Function';
  let base = `[${type}`;
  if (constructor === null) base += ' (null prototype)';
  if (value.name === '') base += ' (anonymous)';
  else
    base += `: ${typeof value.name === 'string' ? value.name : require('internal/inspect/value').formatValue(context, value.name, 0)}`;
  base += ']';
  if (constructor !== type && constructor !== null) base += ` ${constructor}`;
  if (tag !== '' && constructor !== tag) base += ` [${tag}]`;
  return base;
}

function classBase(value, constructor, tag) {
  const name = (ObjectHasOwn(value, 'name') && value.name) || '(anonymous)';
  let base = `class ${String(name)}`;
  if (constructor !== 'Function' && constructor !== null) base += ` [${constructor}]`;
  if (tag !== '' && constructor !== tag) base += ` [${tag}]`;
  if (constructor === null) return `[${base} extends [null prototype]]`;
  const parent = ObjectGetPrototypeOf(value).name;
  if (parent) base += ` extends ${parent}`;
  return `[${base}]`;
}

module.exports = { constructorName, isBuiltInName, isClassSource, prefix, functionBase };
