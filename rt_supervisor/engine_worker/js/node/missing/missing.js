'use strict';
// Owns: modules of Node that nobody has built yet, made of the rows of `table`. They import, with Node's names and with
// constants that are real; what needs work throws ERR_NOT_IMPLEMENTED when it is called or constructed, never before.

const table = require('node/missing/table');
const { ObjectDefineProperty } = require('internal/primordials');

const made = { __proto__: null };

function refuse(module, member) {
  const { ERR_NOT_IMPLEMENTED } = require('internal/errors/errors').codes;
  throw new ERR_NOT_IMPLEMENTED(module, member);
}

/** A function, or a class that can be extended, of a `name/length` or `Name*\/length`. */
function callable(module, text, owner = '') {
  const [name, length] = text.replace('*', '').split('/');
  const member = `${owner}${name}`;
  const value = text.includes('*')
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
  for (const text of row.members.split(' ')) {
    const inner = /^(\w+)\{(.*)\}$/.exec(text);
    if (inner !== null) {
      const [, name, members] = inner;
      exported[name] = Object.fromEntries(
        members
          .split(',')
          .filter(Boolean)
          .map((each) => callable(id, each, `${name}.`)),
      );
    } else if (text.includes('/')) {
      const [name, value] = callable(id, text);
      exported[name] = value;
    } else exported[text] = data[text];
  }
  return exported;
}

module.exports = {
  names: () => Object.keys(table),
  /** The exports of module `id`, always the same. */
  load: (id) => (made[id] ??= build(id)),
  /** Functions and classes that a module that is built still lacks. */
  members: (id, texts) => Object.fromEntries(texts.split(' ').map((text) => callable(id, text))),
};
