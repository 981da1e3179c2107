// @ts-check
'use strict';
// Owns: the names console output gives to objects, functions and classes.

const {
  FunctionPrototype,
  FunctionToString,
  ObjectGetOwnPropertyDescriptor,
  ObjectGetPrototypeOf,
  StringIncludes,
  StringStartsWith,
} = require('internal/primordials');
const { KIND } = require('internal/kinds');
const { isClassSource } = require('internal/inspect/names');

const LONGEST_CHAIN = 100;

/** Returns the class's name, the toStringTag of a plain object, or '' for a plain or anonymous one. */
function className(value) {
  const name = constructorOf(value);
  if (name !== undefined && name !== 'Object') return name;
  return tagOf(value) || (ObjectGetPrototypeOf(value) === null ? '[Object: null prototype]' : '');
}

/** Returns the toStringTag, or ''. */
function tagOf(value) {
  try {
    const tag = value[Symbol.toStringTag];
    return typeof tag === 'string' ? tag : '';
  } catch {
    return '';
  }
}

function constructorOf(value) {
  for (let object = value, i = 0; object !== null && i < LONGEST_CHAIN; object = ObjectGetPrototypeOf(object), i++) {
    const descriptor = ObjectGetOwnPropertyDescriptor(object, 'constructor');
    if (descriptor === undefined) continue;
    const constructor = descriptor.value;
    return typeof constructor === 'function' && typeof constructor.name === 'string' ? constructor.name : undefined;
  }
  return undefined;
}

function isClass(value) {
  const source = FunctionToString(value);
  if (isClassSource(source)) return true;
  // Constructors of the runtime are classes as well, despite their native source text; plain functions have a writable
  // prototype.
  if (!StringIncludes(source, '[native code]')) return false;
  const descriptor = ObjectGetOwnPropertyDescriptor(value, 'prototype');
  return descriptor !== undefined && descriptor.writable === false && typeof descriptor.value === 'object';
}

const TYPES = {
  __proto__: null,
  [KIND.ASYNC_FUNCTION]: 'AsyncFunction',
  [KIND.GENERATOR_FUNCTION]: 'GeneratorFunction',
  [KIND.ASYNC_GENERATOR_FUNCTION]: 'AsyncGeneratorFunction',
};

function ownName(value) {
  const name = ObjectGetOwnPropertyDescriptor(value, 'name')?.value;
  if (typeof name !== 'string') return '';
  // A method named by a symbol has no name in the source.
  return StringStartsWith(name, '[') && !StringIncludes(FunctionToString(value), '[native code]') ? '' : name;
}

function functionLabel(value) {
  const type = TYPES[host.inspect.kindOf(value)] ?? 'Function';
  const name = ownName(value);
  return name === '' ? `[${type}]` : `[${type}: ${name}]`;
}

/** Returns the label and the width that it counts for, which is that of its names. */
function classLabel(value) {
  const name = ownName(value);
  const parent = ObjectGetPrototypeOf(value);
  const parentName = typeof parent === 'function' && parent !== FunctionPrototype ? ownName(parent) : '';
  const text = `[class ${name === '' ? '(anonymous)' : name}${parentName === '' ? '' : ` extends ${parentName}`}]`;
  return { text, width: name.length + parentName.length };
}

module.exports = { className, tagOf, isClass, functionLabel, classLabel };
