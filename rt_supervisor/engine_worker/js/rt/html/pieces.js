'use strict';
// Owns: what HTMLRewriter's handlers are given: elements, texts, comments, doctypes, end tags, the document's end. A piece speaks
// while its handler, or the promise that this returned, is not done; afterwards it tells nothing and changes nothing.

const {
  ArrayFilter,
  ArraySort,
  ObjectDefineProperty,
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
    /** The rewriting that has stopped at the piece; undefined when it has gone on. */
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

/** An element's attributes, as they were when it was asked for them. */
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
  get tagName() {
    return ask(this, 'name');
  }
  set tagName(name) {
    change(this, 'name', '', textOf(name));
  }
  get namespaceURI() {
    return ask(this, 'namespace');
  }
  get selfClosing() {
    return ask(this, 'selfClosing');
  }
  get canHaveContent() {
    return ask(this, 'canHaveContent');
  }
  get removed() {
    return ask(this, 'removed');
  }
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
  before(content, options = undefined) {
    return insert(this, 'before', content, options);
  }
  after(content, options = undefined) {
    return insert(this, 'after', content, options);
  }
  prepend(content, options = undefined) {
    return insert(this, 'prepend', content, options);
  }
  append(content, options = undefined) {
    return insert(this, 'append', content, options);
  }
  replace(content, options = undefined) {
    return insert(this, 'replace', content, options);
  }
  setInnerContent(content, options = undefined) {
    return insert(this, 'inner', content, options);
  }
  remove() {
    return change(this, 'remove');
  }
  removeAndKeepContent() {
    return change(this, 'unwrap');
  }
  onEndTag(handler) {
    if (typeof handler !== 'function') throw new TypeError('Expected a function');
    const rewriting = rewritingOf(this);
    if (rewriting === undefined) return null;
    rewriting.onEndTag(handler);
    return this;
  }
}

class TextChunk extends Piece {
  get text() {
    return ask(this, 'text');
  }
  get lastInTextNode() {
    return ask(this, 'isLast');
  }
  get removed() {
    return ask(this, 'removed');
  }
  before(content, options = undefined) {
    return insert(this, 'before', content, options);
  }
  after(content, options = undefined) {
    return insert(this, 'after', content, options);
  }
  replace(content, options = undefined) {
    return insert(this, 'replace', content, options);
  }
  remove() {
    return change(this, 'remove');
  }
}

class Comment extends Piece {
  get text() {
    return ask(this, 'text');
  }
  set text(text) {
    change(this, 'text', '', textOf(text));
  }
  get removed() {
    return ask(this, 'removed');
  }
  before(content, options = undefined) {
    return insert(this, 'before', content, options);
  }
  after(content, options = undefined) {
    return insert(this, 'after', content, options);
  }
  replace(content, options = undefined) {
    return insert(this, 'replace', content, options);
  }
  remove() {
    return change(this, 'remove');
  }
}

class DocType extends Piece {
  get name() {
    return ask(this, 'name');
  }
  get publicId() {
    return ask(this, 'publicId');
  }
  get systemId() {
    return ask(this, 'systemId');
  }
  get removed() {
    return ask(this, 'removed');
  }
  remove() {
    return change(this, 'remove');
  }
}

class EndTag extends Piece {
  get name() {
    return ask(this, 'name');
  }
  set name(name) {
    change(this, 'name', '', textOf(name));
  }
  before(content, options = undefined) {
    return insert(this, 'before', content, options);
  }
  after(content, options = undefined) {
    return insert(this, 'after', content, options);
  }
  remove() {
    return change(this, 'remove');
  }
}

class DocEnd extends Piece {
  append(content, options = undefined) {
    return insert(this, 'append', content, options);
  }
}

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
      const shown = {};
      for (const member of intact(members)) shown[member] = this[member];
      return printer.object(shown, name);
    },
  });
}

// Which class is for a handler of which bit (rt/html/rewriter has the lists).
const OF_ELEMENTS = { __proto__: null, 1: Element, 2: Comment, 4: TextChunk };
const OF_DOCUMENT = { __proto__: null, 1: DocType, 2: Comment, 4: TextChunk, 8: DocEnd };

module.exports = { OF_ELEMENTS, OF_DOCUMENT, EndTag, make: (Class, rewriting) => new Class(MADE, rewriting) };
