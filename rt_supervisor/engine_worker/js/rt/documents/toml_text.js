// @ts-check
'use strict';
// Owns: RT.TOML.stringify: a table's values first, then its tables, then its arrays of tables.

const { isDate } = require('internal/brands');
const {
  ArrayEvery,
  ArrayFilter,
  ArrayFlatMap,
  ArrayIncludes,
  ArrayIsArray,
  ArrayJoin,
  ArrayMap,
  ArrayPop,
  ArrayPush,
  DateToISOString,
  NumberIsFinite,
  NumberIsInteger,
  NumberIsNaN,
  NumberIsSafeInteger,
  NumberToString,
  ObjectIs,
  ObjectKeys,
  RegExpReplace,
  RegExpTest,
  StringCharCodeAt,
  StringIncludes,
  StringPadStart,
  StringReplace,
  StringStartsWith,
  intact,
} = require('internal/primordials');
const BARE = /^[A-Za-z\d_-]+$/;
const ESCAPES = { __proto__: null, '\b': '\\b', '\t': '\\t', '\n': '\\n', '\f': '\\f', '\r': '\\r', '"': '\\"', '\\': '\\\\' };

const quoteText = (text) =>
  `"${RegExpReplace(/["\\\x00-\x1f\x7f]/g, text, (character) => ESCAPES[character] ?? `\\u${StringPadStart(NumberToString(StringCharCodeAt(character, 0), 16), 4, '0')}`)}"`;
const keyText = (key) => (RegExpTest(BARE, key) ? key : quoteText(key));
const isLeftOut = (value) => value === undefined || typeof value === 'function' || typeof value === 'symbol';
const isTable = (value) => value !== null && typeof value === 'object' && !ArrayIsArray(value) && !isDate(value);
const isTables = (value) => ArrayIsArray(value) && value.length > 0 && ArrayEvery(value, isTable);

function numberText(value) {
  if (NumberIsNaN(value)) return 'nan';
  if (!NumberIsFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (ObjectIs(value, -0)) return '-0.0';
  return NumberIsInteger(value) && !NumberIsSafeInteger(value) && !StringIncludes(`${value}`, 'e') ? `${value}.0` : `${value}`;
}

class Writer {
  #parents = [];

  value(value, key) {
    switch (typeof value) {
      case 'string':
        return quoteText(value);
      case 'number':
        return numberText(value);
      case 'boolean':
        return `${value}`;
      case 'bigint':
        throw new Error('TOML.stringify cannot serialize BigInt');
    }
    if (value === null) throw new Error(`TOML cannot represent null (key '${key}'); remove the key or use a sentinel value`);
    if (isDate(value)) return StringReplace(DateToISOString(value), '.000Z', 'Z');
    return this.#inside(value, () => (ArrayIsArray(value) ? this.#list(value, key) : this.#inline(value)));
  }

  #list(list, key) {
    const items = ArrayMap(list, (item) => {
      if (item === null) throw new Error('TOML cannot represent null in an array');
      if (isLeftOut(item)) throw new Error('TOML cannot represent undefined in an array');
      return this.value(item, key);
    });
    return `[${ArrayJoin(items, ', ')}]`;
  }

  #inline(table) {
    const items = ArrayMap(
      ArrayFilter(ObjectKeys(table), (key) => !isLeftOut(table[key])),
      (key) => `${keyText(key)} = ${this.value(table[key], key)}`,
    );
    return items.length === 0 ? '{}' : `{ ${ArrayJoin(items, ', ')} }`;
  }

  #inside(value, work) {
    if (ArrayIncludes(this.#parents, value)) throw new Error('TOML.stringify cannot serialize a circular structure');
    ArrayPush(this.#parents, value);
    const result = work();
    ArrayPop(this.#parents);
    return result;
  }

  /** Returns the blocks of a table: its own values under `head`, then nested tables. */
  table(table, path, head) {
    return this.#inside(table, () => {
      const keys = ArrayFilter(ObjectKeys(table), (key) => !isLeftOut(table[key]));
      const own = ArrayFilter(keys, (key) => !isTable(table[key]) && !isTables(table[key]));
      const lines = ArrayJoin(
        ArrayMap(own, (key) => `${keyText(key)} = ${this.value(table[key], key)}\n`),
        '',
      );
      const inner = ArrayFlatMap(
        ArrayFilter(keys, (key) => !ArrayIncludes(own, key)),
        (key) => {
          const name = [...intact(path), keyText(key)];
          if (isTable(table[key])) return this.table(table[key], name, `[${ArrayJoin(name, '.')}]\n`);
          return ArrayFlatMap(table[key], (item) => this.table(item, name, `[[${ArrayJoin(name, '.')}]]\n`));
        },
      );
      const saysNothing = lines === '' && (head === '' || (inner.length > 0 && !StringStartsWith(head, '[[')));
      return saysNothing ? inner : [head + lines, ...intact(inner)];
    });
  }
}

function stringify(value) {
  if (!isTable(value)) throw new Error('TOML.stringify expects an object at the top level (a TOML document is a table)');
  return ArrayJoin(new Writer().table(value, [], ''), '\n');
}

module.exports = { stringify };
