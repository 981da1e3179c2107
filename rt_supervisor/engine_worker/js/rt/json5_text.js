'use strict';
// Owns: RT.JSON5.stringify: names without quotes where they can do without, text in single quotes.

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

const quoted = (text) =>
  `'${text.replace(/['\\\x00-\x1f\x7f\u2028\u2029]/g, (character) => ESCAPES[character] ?? `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`)}'`;
const isLeftOut = (value) => value === undefined || typeof value === 'function' || typeof value === 'symbol';

function write(value, indent, step, parents) {
  if (value instanceof Number || value instanceof String || value instanceof Boolean) value = value.valueOf();
  switch (typeof value) {
    case 'string':
      return quoted(value);
    case 'number':
      return `${value}`;
    case 'boolean':
      return `${value}`;
    case 'bigint':
      throw new Error('JSON5.stringify cannot serialize BigInt');
  }
  if (value === null || typeof value !== 'object') return 'null';
  if (parents.includes(value)) throw new Error('Converting circular structure to JSON5');
  parents.push(value);
  const inner = indent + step;
  const isList = Array.isArray(value);
  const items = isList
    ? Array.from(value, (item) => write(item, inner, step, parents))
    : Object.keys(value)
        .filter((key) => !isLeftOut(value[key]))
        .map(
          (key) => `${NAME.test(key) ? key : quoted(key)}:${step === '' ? '' : ' '}${write(value[key], inner, step, parents)}`,
        );
  parents.pop();
  const [open, close] = isList ? '[]' : '{}';
  if (items.length === 0) return open + close;
  return step === ''
    ? `${open}${items.join(',')}${close}`
    : `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${indent}${close}`;
}

function stringify(value, replacer, space) {
  if (replacer !== undefined && replacer !== null) throw new Error('JSON5.stringify does not support the replacer argument');
  if (isLeftOut(value)) return undefined;
  const step =
    typeof space === 'string' ? space.slice(0, 10) : ' '.repeat(Math.max(0, Math.min(10, Math.trunc(Number(space ?? 0)) || 0)));
  return write(value, '', step, []);
}

module.exports = { stringify };
