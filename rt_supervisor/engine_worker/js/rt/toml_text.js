'use strict';
// Owns: RT.TOML.stringify: values of a table first, then its tables, then its arrays of tables.

const BARE = /^[A-Za-z\d_-]+$/;
const ESCAPES = { __proto__: null, '\b': '\\b', '\t': '\\t', '\n': '\\n', '\f': '\\f', '\r': '\\r', '"': '\\"', '\\': '\\\\' };

const quoted = (text) =>
  `"${text.replace(/["\\\x00-\x1f\x7f]/g, (character) => ESCAPES[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`;
const keyText = (key) => (BARE.test(key) ? key : quoted(key));
const isLeftOut = (value) => value === undefined || typeof value === 'function' || typeof value === 'symbol';
const isTable = (value) => value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date);
const isTables = (value) => Array.isArray(value) && value.length > 0 && value.every(isTable);

function numberText(value) {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (Object.is(value, -0)) return '-0.0';
  return Number.isInteger(value) && !Number.isSafeInteger(value) && !`${value}`.includes('e') ? `${value}.0` : `${value}`;
}

class Writer {
  #parents = [];

  value(value, key) {
    switch (typeof value) {
      case 'string':
        return quoted(value);
      case 'number':
        return numberText(value);
      case 'boolean':
        return `${value}`;
      case 'bigint':
        throw new Error('TOML.stringify cannot serialize BigInt');
    }
    if (value === null) throw new Error(`TOML cannot represent null (key '${key}'); remove the key or use a sentinel value`);
    if (value instanceof Date) return value.toISOString().replace('.000Z', 'Z');
    return this.#inside(value, () => (Array.isArray(value) ? this.#list(value, key) : this.#inline(value)));
  }

  #list(list, key) {
    const items = list.map((item) => {
      if (item === null) throw new Error('TOML cannot represent null in an array');
      if (isLeftOut(item)) throw new Error('TOML cannot represent undefined in an array');
      return this.value(item, key);
    });
    return `[${items.join(', ')}]`;
  }

  #inline(table) {
    const items = Object.keys(table)
      .filter((key) => !isLeftOut(table[key]))
      .map((key) => `${keyText(key)} = ${this.value(table[key], key)}`);
    return items.length === 0 ? '{}' : `{ ${items.join(', ')} }`;
  }

  #inside(value, work) {
    if (this.#parents.includes(value)) throw new Error('TOML.stringify cannot serialize a circular structure');
    this.#parents.push(value);
    const result = work();
    this.#parents.pop();
    return result;
  }

  /** The blocks of a table: its own values under `head`, then those of what it holds. */
  table(table, path, head) {
    return this.#inside(table, () => {
      const keys = Object.keys(table).filter((key) => !isLeftOut(table[key]));
      const own = keys.filter((key) => !isTable(table[key]) && !isTables(table[key]));
      const lines = own.map((key) => `${keyText(key)} = ${this.value(table[key], key)}\n`).join('');
      const inner = keys
        .filter((key) => !own.includes(key))
        .flatMap((key) => {
          const name = [...path, keyText(key)];
          if (isTable(table[key])) return this.table(table[key], name, `[${name.join('.')}]\n`);
          return table[key].flatMap((item) => this.table(item, name, `[[${name.join('.')}]]\n`));
        });
      const saysNothing = lines === '' && (head === '' || (inner.length > 0 && !head.startsWith('[[')));
      return saysNothing ? inner : [head + lines, ...inner];
    });
  }
}

function stringify(value) {
  if (!isTable(value)) throw new Error('TOML.stringify expects an object at the top level (a TOML document is a table)');
  return new Writer().table(value, [], '').join('\n');
}

module.exports = { stringify };
