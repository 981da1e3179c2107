// @ts-check
'use strict';
// Owns: Node modules that are not implemented, generated from the rows of `table`. They can be imported, with Node's names
// and real constants; functions and classes throw ERR_NOT_IMPLEMENTED when called or constructed, never before.

const table = require('node/missing/table');
const {
  ArrayFilter,
  ArrayMap,
  ObjectDefineProperty,
  ObjectFromEntries,
  ObjectKeys,
  RegExpExec,
  StringIncludes,
  StringReplace,
  StringSplit,
  intact,
} = require('internal/primordials');

const modules = { __proto__: null };

function refuse(module, member) {
  const { ERR_NOT_IMPLEMENTED } = require('internal/errors/errors').codes;
  throw new ERR_NOT_IMPLEMENTED(module, member);
}

/** Makes a function, or a class that can be extended, from `name/length` or `Name*\/length`. */
function callable(module, text, owner = '') {
  const { 0: name, 1: length } = StringSplit(StringReplace(text, '*', ''), '/');
  const member = `${owner}${name}`;
  const value = StringIncludes(text, '*')
    ? {
        [name]: function () {
          refuse(module, member);
        },
      }[name]
    : {
        [name](...args) {
          refuse(module, member);
        },
      }[name];
  ObjectDefineProperty(value, 'length', { __proto__: null, value: Number(length), configurable: true });
  return [name, value];
}

function build(id) {
  const row = table[id];
  const data = row.data?.() ?? {};
  const exported = row.callable === undefined ? {} : callable(id, row.callable)[1];
  for (const text of intact(StringSplit(row.members, ' '))) {
    const inner = RegExpExec(/^(\w+)\{(.*)\}$/, text);
    if (inner !== null) {
      const { 1: name, 2: members } = inner;
      exported[name] = ObjectFromEntries(
        intact(ArrayMap(ArrayFilter(StringSplit(members, ','), Boolean), (each) => callable(id, each, `${name}.`))),
      );
    } else if (StringIncludes(text, '/')) {
      const [name, value] = intact(callable(id, text));
      exported[name] = value;
    } else exported[text] = data[text];
  }
  return exported;
}

module.exports = {
  names: () => ObjectKeys(table),
  /** The exports of module `id`, always the same object. */
  load: (id) => (modules[id] ??= build(id)),
  /** The functions and classes that an implemented module lacks. */
  members: (id, texts) => ObjectFromEntries(intact(ArrayMap(StringSplit(texts, ' '), (text) => callable(id, text)))),
};
