'use strict';
// Owns: the arguments of HTMLRewriter's handlers: elements, text chunks, comments, doctypes, end tags, the end of the
// document. A piece is usable until its handler, or the promise that the handler returned, has settled; after that, it
// reads as undefined and ignores changes.

const {
  ArrayFilter,
  ArrayIncludes,
  ArraySort,
  ObjectDefineProperty,
  ObjectGetOwnPropertyDescriptor,
  ObjectGetOwnPropertyNames,
  StringToWellFormed,
  intact,
} = require('internal/primordials');
const { consoleForm } = require('internal/inspect/rt_forms');

const native = host.native;
const { wrongType } = require('internal/errors/errors');
const MADE = Symbol('made by rt');
let rewritingOf;

class Piece {
  #rewriting;

  constructor(mark, rewriting) {
    if (mark !== MADE) throw new TypeError('Illegal constructor');
    this.#rewriting = rewriting;
  }
  static {
    /** Returns the rewriting that has stopped at the piece, or undefined once it has continued. */
    rewritingOf = (piece) => (piece.#rewriting.current === piece ? piece.#rewriting : undefined);
  }
}

function textOf(value) {
  if (value === undefined || value === null) throw wrongType('Expected string');
  return StringToWellFormed(`${value}`);
}

function ask(piece, what, name = '') {
  const rewriting = rewritingOf(piece);
  return rewriting === undefined ? undefined : native.html_ask(rewriting.number, what, name);
}

function insert(piece, place, content, options) {
  const text = textOf(content);
  const isHtml = typeof options === 'object' && options !== null && Boolean(options.html);
  const rewriting = rewritingOf(piece);
  if (rewriting === undefined) return undefined;
  native.html_insert(rewriting.number, place, text, isHtml);
  return piece;
}

function change(piece, what, name = '', value = '') {
  const rewriting = rewritingOf(piece);
  if (rewriting === undefined) return undefined;
  const problem = native.html_change(rewriting.number, what, name, value);
  if (problem !== null) throw require('rt/html/rewriting').rewriterError(problem);
  return piece;
}

/**
 * Adds the members of a piece that only forward to the native half.
 * @param {Function} Class
 * @param {{ values?: Record<string, string>, settable?: string[], inserts?: string[], changes?: Record<string, string> }} members
 *   `values`: accessor -> native name; `settable`: those of them with a setter; `inserts`: methods named for the place of an
 *   insertion; `changes`: method -> native name.
 */
function addMembers({ prototype }, { values = {}, settable = [], inserts = [], changes = {} }) {
  const define = (holder, name) =>
    ObjectDefineProperty(prototype, name, { ...ObjectGetOwnPropertyDescriptor(holder, name), __proto__: null, enumerable: true });
  for (const name in values) {
    const what = values[name];
    const reader = {
      get [name]() {
        return ask(this, what);
      },
    };
    const accessor = {
      get [name]() {
        return ask(this, what);
      },
      set [name](value) {
        change(this, what, '', textOf(value));
      },
    };
    define(ArrayIncludes(settable, name) ? accessor : reader, name);
  }
  for (const name of intact(inserts)) {
    const place = name === 'setInnerContent' ? 'inner' : name;
    const method = {
      [name](content, options = undefined) {
        return insert(this, place, content, options);
      },
    };
    define(method, name);
  }
  for (const name in changes) {
    const what = changes[name];
    const method = {
      [name]() {
        return change(this, what);
      },
    };
    define(method, name);
  }
}

/** An iterator over a snapshot of an element's attributes. */
class AttributeIterator {
  #names;
  #at = 0;

  constructor(mark, names) {
    if (mark !== MADE) throw new TypeError('Illegal constructor');
    this.#names = names;
  }
  next() {
    const at = this.#at;
    if (at >= this.#names.length) return { value: undefined, done: true };
    this.#at += 2;
    return { value: [this.#names[at], this.#names[at + 1]], done: false };
  }
  [Symbol.iterator]() {
    return this;
  }
}

class Element extends Piece {
  get attributes() {
    const names = ask(this, 'attributes');
    return names === undefined ? undefined : new AttributeIterator(MADE, names);
  }
  getAttribute(name) {
    return ask(this, 'attribute', textOf(name)) ?? null;
  }
  hasAttribute(name) {
    return ask(this, 'hasAttribute', textOf(name)) ?? false;
  }
  setAttribute(name, value) {
    return change(this, 'attribute', textOf(name), textOf(value));
  }
  removeAttribute(name) {
    return change(this, 'removeAttribute', textOf(name));
  }
  onEndTag(handler) {
    if (typeof handler !== 'function') throw new TypeError('Expected a function');
    const rewriting = rewritingOf(this);
    if (rewriting === undefined) return null;
    rewriting.onEndTag(handler);
    return this;
  }
}
class TextChunk extends Piece {}
class Comment extends Piece {}
class DocType extends Piece {}
class EndTag extends Piece {}
class DocEnd extends Piece {}

const removed = 'removed';
const remove = 'remove';
addMembers(Element, {
  values: { tagName: 'name', namespaceURI: 'namespace', selfClosing: 'selfClosing', canHaveContent: 'canHaveContent', removed },
  settable: ['tagName'],
  inserts: ['before', 'after', 'prepend', 'append', 'replace', 'setInnerContent'],
  changes: { remove, removeAndKeepContent: 'unwrap' },
});
addMembers(TextChunk, {
  values: { text: 'text', lastInTextNode: 'isLast', removed },
  inserts: ['before', 'after', 'replace'],
  changes: { remove },
});
addMembers(Comment, {
  values: { text: 'text', removed },
  settable: ['text'],
  inserts: ['before', 'after', 'replace'],
  changes: { remove },
});
addMembers(DocType, { values: { name: 'name', publicId: 'publicId', systemId: 'systemId', removed }, changes: { remove } });
addMembers(EndTag, { values: { name: 'name' }, settable: ['name'], inserts: ['before', 'after'], changes: { remove } });
addMembers(DocEnd, { inserts: ['append'] });

const CLASSES = { __proto__: null, Element, TextChunk, Comment, DocType, EndTag, DocEnd, AttributeIterator };
for (const name in CLASSES) {
  const { prototype } = CLASSES[name];
  for (const member of intact(ObjectGetOwnPropertyNames(prototype)))
    if (member !== 'constructor') ObjectDefineProperty(prototype, member, { __proto__: null, enumerable: true });
  ObjectDefineProperty(prototype, Symbol.toStringTag, { __proto__: null, value: name, configurable: true });
  const members = ArraySort(ArrayFilter(ObjectGetOwnPropertyNames(prototype), (member) => member !== 'constructor'));
  ObjectDefineProperty(prototype, consoleForm, {
    __proto__: null,
    value(printer) {
      const fields = {};
      for (const member of intact(members)) fields[member] = this[member];
      return printer.object(fields, name);
    },
  });
}

// The classes by the handlers' bits (rt/html/rewriter has the lists).
const OF_ELEMENTS = { __proto__: null, 1: Element, 2: Comment, 4: TextChunk };
const OF_DOCUMENT = { __proto__: null, 1: DocType, 2: Comment, 4: TextChunk, 8: DocEnd };

module.exports = { OF_ELEMENTS, OF_DOCUMENT, EndTag, make: (Class, rewriting) => new Class(MADE, rewriting) };
