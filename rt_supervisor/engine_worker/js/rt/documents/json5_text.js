// @ts-check
'use strict';
// Owns: RT.JSON5.stringify: unquoted names where possible, single-quoted strings.

const {
  ArrayFilter,
  ArrayFrom,
  ArrayIncludes,
  ArrayIsArray,
  ArrayJoin,
  ArrayMap,
  ArrayPop,
  ArrayPush,
  MathMax,
  MathMin,
  MathTrunc,
  NumberToString,
  ObjectKeys,
  RegExpReplace,
  RegExpTest,
  StringCharCodeAt,
  StringPadStart,
  StringRepeat,
  StringSlice,
  intact,
} = require('internal/primordials');
const NAME = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;
const ESCAPES = {
  __proto__: null,
  "'": "\\'",
  '\\': '\\\\',
  '\0': '\\0',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

const quoteText = (text) =>
  `'${RegExpReplace(/['\\\x00-\x1f\x7f\u2028\u2029]/g, text, (character) => ESCAPES[character] ?? `\\x${StringPadStart(NumberToString(StringCharCodeAt(character, 0), 16), 2, '0')}`)}'`;
const isLeftOut = (value) => value === undefined || typeof value === 'function' || typeof value === 'symbol';

function write(value, indent, step, parents) {
  if (value instanceof Number || value instanceof String || value instanceof Boolean) value = value.valueOf();
  switch (typeof value) {
    case 'string':
      return quoteText(value);
    case 'number':
      return `${value}`;
    case 'boolean':
      return `${value}`;
    case 'bigint':
      throw new Error('JSON5.stringify cannot serialize BigInt');
  }
  if (value === null || typeof value !== 'object') return 'null';
  if (ArrayIncludes(parents, value)) throw new Error('Converting circular structure to JSON5');
  ArrayPush(parents, value);
  const inner = indent + step;
  const isList = ArrayIsArray(value);
  const items = isList
    ? ArrayFrom(intact(value), (item) => write(item, inner, step, parents))
    : ArrayMap(
        ArrayFilter(ObjectKeys(value), (key) => !isLeftOut(value[key])),
        (key) =>
          `${RegExpTest(NAME, key) ? key : quoteText(key)}:${step === '' ? '' : ' '}${write(value[key], inner, step, parents)}`,
      );
  ArrayPop(parents);
  const [open, close] = intact(isList ? '[]' : '{}');
  if (items.length === 0) return open + close;
  return step === ''
    ? `${open}${ArrayJoin(items, ',')}${close}`
    : `${open}\n${ArrayJoin(
        ArrayMap(items, (item) => `${inner}${item},\n`),
        '',
      )}${indent}${close}`;
}

function stringify(value, replacer, space) {
  if (replacer !== undefined && replacer !== null) throw new Error('JSON5.stringify does not support the replacer argument');
  if (isLeftOut(value)) return undefined;
  const step =
    typeof space === 'string'
      ? StringSlice(space, 0, 10)
      : StringRepeat(' ', MathMax(0, MathMin(10, MathTrunc(Number(space ?? 0)) || 0)));
  return write(value, '', step, []);
}

module.exports = { stringify };
