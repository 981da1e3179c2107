// @ts-check
'use strict';
// Owns: RT.YAML.stringify: block style with `space`, one line in flow style without. A value that occurs twice gets an anchor,
// so circular references can be written.

const { setOf } = require('internal/collections');
const {
  ArrayFilter,
  ArrayIsArray,
  ArrayJoin,
  ArrayMap,
  ArrayPop,
  ArrayPush,
  ArrayReverse,
  ArraySlice,
  MapGet,
  MapHas,
  MapSet,
  MathMax,
  MathMin,
  MathTrunc,
  NumberIsFinite,
  NumberIsNaN,
  NumberToString,
  ObjectIs,
  ObjectKeys,
  RegExpReplace,
  RegExpTest,
  SetAdd,
  SetHas,
  StringCharCodeAt,
  StringPadStart,
  StringRepeat,
  StringSlice,
  intact,
} = require('internal/primordials');
const { plainValue } = require('rt/documents/yaml');

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

function escapeCharacter(character) {
  return (
    ESCAPES[character] ??
    (StringCharCodeAt(character, 0) < 256
      ? `\\x${StringPadStart(NumberToString(StringCharCodeAt(character, 0), 16), 2, '0')}`
      : `\\u${StringPadStart(NumberToString(StringCharCodeAt(character, 0), 16), 4, '0')}`)
  );
}

function text(value) {
  const isPlain =
    value !== '' &&
    (value === BACKWARDS_EQUAL || !RegExpTest(STARTS, value)) &&
    !RegExpTest(INSIDE, value) &&
    !RegExpTest(WORDS, value) &&
    typeof plainValue(value) === 'string';
  return isPlain ? value : `"${RegExpReplace(/[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff"\\]/g, value, escapeCharacter)}"`;
}

function scalar(value) {
  switch (typeof value) {
    case 'string':
      return text(value);
    case 'number':
      if (NumberIsNaN(value)) return '.nan';
      if (NumberIsFinite(value)) return ObjectIs(value, -0) ? '-0' : `${value}`;
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

/** Unwraps boxed primitives. */
function plain(value) {
  if (value instanceof Number || value instanceof String || value instanceof Boolean) return value.valueOf();
  return value;
}

class Writer {
  #names = new Map();
  #usedNames = setOf(['root']);
  #anchored = new Set();

  constructor(step) {
    this.step = step;
  }

  /** Names every object that occurs more than once, after the key of its first occurrence. */
  count(root) {
    const seen = new Map();
    const waiting = [[root, 'root']];
    for (let next; (next = ArrayPop(waiting)) !== undefined;) {
      const [value, name] = intact(next);
      if (value === null || typeof value !== 'object') continue;
      if (MapHas(seen, value)) {
        if (!MapHas(this.#names, value)) MapSet(this.#names, value, MapGet(seen, value));
        continue;
      }
      MapSet(seen, value, name);
      const keys = ObjectKeys(value);
      for (const key of intact(ArrayReverse(keys))) ArrayPush(waiting, [plain(value[key]), ArrayIsArray(value) ? 'item' : key]);
    }
    for (const { 0: value, 1: name } of intact(this.#names)) {
      if (value === root) MapSet(this.#names, value, 'root');
      else MapSet(this.#names, value, this.#freeName(RegExpTest(/^[\w-]+$/, name) ? name : 'value'));
    }
  }

  #freeName(name) {
    let wish = name;
    for (let number = 1; SetHas(this.#usedNames, wish); number++) wish = `${name}${number}`;
    SetAdd(this.#usedNames, wish);
    return wish;
  }

  /** Returns [anchor or alias, whether it is an alias, which needs no value after it]. */
  #mark(value) {
    const name = MapGet(this.#names, value);
    if (name === undefined) return ['', false];
    if (SetHas(this.#anchored, value)) return [`*${name}`, true];
    SetAdd(this.#anchored, value);
    return [`&${name}`, false];
  }

  #entries(value) {
    if (ArrayIsArray(value))
      return ArrayMap(
        ArrayFilter(value, (item) => !isLeftOut(item)),
        (item) => [undefined, plain(item)],
      );
    return ArrayMap(
      ArrayFilter(ObjectKeys(value), (key) => !isLeftOut(value[key])),
      (key) => [text(key), plain(value[key])],
    );
  }

  flow(value) {
    if (value === null || typeof value !== 'object') return scalar(value);
    const [mark, isAlias] = intact(this.#mark(value));
    if (isAlias) return mark;
    const inner = ArrayJoin(
      ArrayMap(this.#entries(value), ({ 0: key, 1: item }) =>
        key === undefined ? this.flow(item) : `${key}: ${this.flow(item)}`,
      ),
      ',',
    );
    return (mark && `${mark} `) + (ArrayIsArray(value) ? `[${inner}]` : `{${inner}}`);
  }

  /** Returns the lines of a value; `lead` precedes the first one if it continues the line of its key. */
  block(value, indent) {
    if (value === null || typeof value !== 'object') return { isInline: true, lines: [scalar(value)] };
    const [mark, isAlias] = intact(this.#mark(value));
    if (isAlias) return { isInline: false, lines: [indent + mark] };
    const entries = this.#entries(value);
    if (entries.length === 0) return { isInline: true, lines: [(mark && `${mark} `) + (ArrayIsArray(value) ? '[]' : '{}')] };
    const lines = mark === '' ? [] : [indent + mark];
    for (const { 0: key, 1: item } of intact(entries)) this.#entry(lines, key, item, indent);
    return { isInline: false, lines };
  }

  #entry(lines, key, item, indent) {
    if (key === undefined) {
      const { isInline, lines: inner } = this.block(item, `${indent}  `);
      ArrayPush(
        lines,
        `${indent}- ${isInline ? inner[0] : StringSlice(inner[0], indent.length + 2)}`,
        ...intact(ArraySlice(inner, 1)),
      );
      return;
    }
    const { isInline, lines: inner } = this.block(item, indent + this.step);
    if (isInline) ArrayPush(lines, `${indent}${key}: ${inner[0]}`);
    else ArrayPush(lines, `${indent}${key}:`, ...intact(inner));
  }
}

function indentOf(space) {
  if (typeof space === 'string') return StringRepeat(' ', MathMin(10, space.length));
  return StringRepeat(' ', MathMax(0, MathMin(10, MathTrunc(Number(space ?? 0)) || 0)));
}

function stringify(value, replacer, space) {
  if (replacer !== undefined && replacer !== null) throw new Error('YAML.stringify does not support the replacer argument');
  if (isLeftOut(value)) return undefined;
  const step = indentOf(space);
  const writer = new Writer(step);
  const root = plain(value);
  writer.count(root);
  return step === '' ? writer.flow(root) : ArrayJoin(writer.block(root, '').lines, '\n');
}

module.exports = { stringify };
