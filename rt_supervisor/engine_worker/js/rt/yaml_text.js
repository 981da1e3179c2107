'use strict';
// Owns: RT.YAML.stringify: block style with `space`, one line of flow style without. A value that turns up twice gets an
// anchor, so circles can be written.

const { plainValue } = require('rt/yaml');

const WORDS = /^(?:y|n|yes|no|on|off|true|false|null|nan|inf|infinity)$/i;
const STARTS = /^[-?:,[\]{}#&*!|>'"%@`\s~=]|^\.\.\.|^<<$/;
const INSIDE = /[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff"'\\,[\]{}]|: |:$| #|\s$/;
const ESCAPES = {
  __proto__: null,
  '\0': '\\0',
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\x1b': '\\e',
  '"': '\\"',
  '\\': '\\\\',
};
const BACKWARDS_EQUAL = '=';

function escaped(character) {
  return (
    ESCAPES[character] ??
    (character.charCodeAt(0) < 256
      ? `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
  );
}

function text(value) {
  const isPlain =
    value !== '' &&
    (value === BACKWARDS_EQUAL || !STARTS.test(value)) &&
    !INSIDE.test(value) &&
    !WORDS.test(value) &&
    typeof plainValue(value) === 'string';
  return isPlain ? value : `"${value.replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff"\\]/g, escaped)}"`;
}

function scalar(value) {
  switch (typeof value) {
    case 'string':
      return text(value);
    case 'number':
      if (Number.isNaN(value)) return '.nan';
      if (Number.isFinite(value)) return Object.is(value, -0) ? '-0' : `${value}`;
      return value > 0 ? '.inf' : '-.inf';
    case 'boolean':
      return `${value}`;
    case 'bigint':
      throw new Error('YAML.stringify cannot serialize BigInt');
    default:
      return 'null';
  }
}

const isLeftOut = (value) => value === undefined || typeof value === 'function' || typeof value === 'symbol';

/** Boxed values are what they box. */
function plain(value) {
  if (value instanceof Number || value instanceof String || value instanceof Boolean) return value.valueOf();
  return value;
}

class Writer {
  #names = new Map();
  #taken = new Set(['root']);
  #written = new Set();

  constructor(step) {
    this.step = step;
  }

  /** Name every object that is met more than once, after the key it is met under. */
  count(root) {
    const seen = new Map();
    const waiting = [[root, 'root']];
    for (let next; (next = waiting.pop()) !== undefined;) {
      const [value, name] = next;
      if (value === null || typeof value !== 'object') continue;
      if (seen.has(value)) {
        if (!this.#names.has(value)) this.#names.set(value, seen.get(value));
        continue;
      }
      seen.set(value, name);
      const keys = Object.keys(value);
      for (const key of keys.reverse()) waiting.push([plain(value[key]), Array.isArray(value) ? 'item' : key]);
    }
    for (const [value, name] of this.#names) {
      if (value === root) this.#names.set(value, 'root');
      else this.#names.set(value, this.#unused(/^[\w-]+$/.test(name) ? name : 'value'));
    }
  }

  #unused(name) {
    let wish = name;
    for (let number = 1; this.#taken.has(wish); number++) wish = `${name}${number}`;
    this.#taken.add(wish);
    return wish;
  }

  /** [anchor or alias, whether that is all]. */
  #mark(value) {
    const name = this.#names.get(value);
    if (name === undefined) return ['', false];
    if (this.#written.has(value)) return [`*${name}`, true];
    this.#written.add(value);
    return [`&${name}`, false];
  }

  #entries(value) {
    if (Array.isArray(value)) return value.filter((item) => !isLeftOut(item)).map((item) => [undefined, plain(item)]);
    return Object.keys(value)
      .filter((key) => !isLeftOut(value[key]))
      .map((key) => [text(key), plain(value[key])]);
  }

  flow(value) {
    if (value === null || typeof value !== 'object') return scalar(value);
    const [mark, isAlias] = this.#mark(value);
    if (isAlias) return mark;
    const inner = this.#entries(value)
      .map(([key, item]) => (key === undefined ? this.flow(item) : `${key}: ${this.flow(item)}`))
      .join(',');
    return (mark && `${mark} `) + (Array.isArray(value) ? `[${inner}]` : `{${inner}}`);
  }

  /** The lines of a value; `lead` is what stands before the first of them when it goes on in the line of its key. */
  block(value, indent) {
    if (value === null || typeof value !== 'object') return { isInline: true, lines: [scalar(value)] };
    const [mark, isAlias] = this.#mark(value);
    if (isAlias) return { isInline: false, lines: [indent + mark] };
    const entries = this.#entries(value);
    if (entries.length === 0) return { isInline: true, lines: [(mark && `${mark} `) + (Array.isArray(value) ? '[]' : '{}')] };
    const lines = mark === '' ? [] : [indent + mark];
    for (const [key, item] of entries) this.#entry(lines, key, item, indent);
    return { isInline: false, lines };
  }

  #entry(lines, key, item, indent) {
    if (key === undefined) {
      const { isInline, lines: inner } = this.block(item, `${indent}  `);
      lines.push(`${indent}- ${isInline ? inner[0] : inner[0].slice(indent.length + 2)}`, ...inner.slice(1));
      return;
    }
    const { isInline, lines: inner } = this.block(item, indent + this.step);
    if (isInline) lines.push(`${indent}${key}: ${inner[0]}`);
    else lines.push(`${indent}${key}:`, ...inner);
  }
}

function indentOf(space) {
  if (typeof space === 'string') return ' '.repeat(Math.min(10, space.length));
  return ' '.repeat(Math.max(0, Math.min(10, Math.trunc(Number(space ?? 0)) || 0)));
}

function stringify(value, replacer, space) {
  if (replacer !== undefined && replacer !== null) throw new Error('YAML.stringify does not support the replacer argument');
  if (isLeftOut(value)) return undefined;
  const step = indentOf(space);
  const writer = new Writer(step);
  const root = plain(value);
  writer.count(root);
  return step === '' ? writer.flow(root) : writer.block(root, '').lines.join('\n');
}

module.exports = { stringify };
