// @ts-check
'use strict';
// Owns: conversion of a macro's result to source text. Only plain data can be embedded in a program's source.

const { PromiseResolve } = require('internal/promises');
const {
  ArrayFrom,
  ArrayIncludes,
  ArrayIsArray,
  ArrayJoin,
  ArrayMap,
  JSONStringify,
  ObjectEntries,
  ObjectIs,
  PromiseThen,
  RegExpReplace,
  RegExpTest,
  intact,
} = require('internal/primordials');
class NotPlain extends Error {}

/** @type {(value: any) => boolean} */
const isResponse = (value) =>
  typeof value === 'object' && value !== null && value instanceof require('web/fetch/response').Response;

/** Calls a macro. Returns a promise if the macro does, or if it returns a Response whose body must be read. */
function call(macro, args) {
  const value = macro(...intact(args));
  if (value !== null && typeof value === 'object' && typeof value.then === 'function')
    return PromiseThen(PromiseResolve(value), read);
  return read(value);
}

function read(value) {
  if (!isResponse(value)) return value;
  return RegExpTest(/\bjson\b/, value.headers.get('content-type') ?? '') ? value.json() : value.text();
}

function text(value, open) {
  switch (typeof value) {
    case 'undefined':
      return 'undefined';
    case 'boolean':
      return `${value}`;
    case 'number':
      return ObjectIs(value, -0) ? '-0' : `${value}`;
    case 'string':
      return RegExpReplace(/\u2029/g, RegExpReplace(/\u2028/g, JSONStringify(value), '\\u2028'), '\\u2029');
    case 'object':
      return value === null ? 'null' : objectText(value, open);
    case 'function':
      throw new NotPlain('Function');
    case 'bigint':
      throw new NotPlain('BigInt');
    default:
      throw new NotPlain(typeof value);
  }
}

function objectText(value, open) {
  if (ArrayIncludes(open, value)) throw new NotPlain('a circular structure');
  const inside = [...intact(open), value];
  if (ArrayIsArray(value))
    return `[${ArrayJoin(
      ArrayFrom(intact(value), (item) => text(item, inside)),
      ', ',
    )}]`;
  const kind = host.native.kindOf(value);
  if (kind === 'regexp') return `${value}`;
  if (kind !== 'object') throw new NotPlain(value.constructor?.name || kind);
  // A computed key makes `__proto__` an ordinary property.
  const entries = ArrayMap(
    ObjectEntries(value),
    ({ 0: key, 1: item }) => `${key === '__proto__' ? `["${key}"]` : JSONStringify(key)}: ${text(item, inside)}`,
  );
  return `({${ArrayJoin(entries, ', ')}})`;
}

/** Returns the source text of a value, or an array that holds a description of a value that cannot be written as source. */
function sourceText(value) {
  try {
    return text(value, []);
  } catch (problem) {
    if (problem instanceof NotPlain) return [problem.message];
    throw problem;
  }
}

module.exports = { call, sourceText };
