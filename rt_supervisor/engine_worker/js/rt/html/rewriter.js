'use strict';
// Owns: the global HTMLRewriter: registration of handlers, and transformation of strings, bytes and Responses. The rewriting of
// one document is in `rewriting`.

const { isStringObject } = require('internal/brands');
const { ArrayPush, ArraySlice, ObjectDefineProperty, StringToWellFormed, intact } = require('internal/primordials');
const { bytesOf } = require('internal/bytes');
const { Rewriting, rewriterError } = require('rt/html/rewriting');

const native = host.native;
const { wrongType } = require('internal/errors/errors');
// The handler names of a registration; the index is the bit by which the native half identifies a handler.
const OF_ELEMENTS = ['element', 'comments', 'text'];
const OF_DOCUMENT = ['doctype', 'comments', 'text', 'end'];

// The native parser recurses for each `:not(`.
const MOST_NESTED = 100;

/** Returns whether parentheses in `selector` are nested too deeply to be parsed. */
function isTooDeep(selector) {
  let depth = 0;
  for (let at = 0; at < selector.length; at++) {
    if (selector[at] === '(' && ++depth > MOST_NESTED) return true;
    if (selector[at] === ')') depth--;
  }
  return false;
}

/** Returns a registration for `handlers`: the object, its functions and their bits. */
function rowOf(handlers, names) {
  if ((typeof handlers !== 'object' && typeof handlers !== 'function') || handlers === null) throw wrongType('Expected object');
  const row = { handlers, bits: 0, calls: { __proto__: null } };
  for (let place = 0; place < names.length; place++) {
    const call = handlers[names[place]];
    if (call === undefined) continue;
    if (typeof call !== 'function') throw wrongType(`${names[place]} must be a function`);
    row.bits |= 1 << place;
    row.calls[1 << place] = call;
  }
  return row;
}

class HTMLRewriter {
  #elements = [];
  #documents = [];

  on(selector, handlers) {
    if (arguments.length < 2) throw wrongType('Missing argument');
    const text = StringToWellFormed(`${selector}`);
    const row = rowOf(handlers, OF_ELEMENTS);
    const problem = isTooDeep(text) ? 'The selector is nested too deeply.' : native.html_selectorProblem(text);
    if (problem !== null) throw rewriterError(problem);
    row.selector = text;
    ArrayPush(this.#elements, row);
    return this;
  }

  onDocument(handlers) {
    if (arguments.length < 1) throw wrongType('Missing argument');
    ArrayPush(this.#documents, rowOf(handlers, OF_DOCUMENT));
    return this;
  }

  transform(input) {
    if (typeof input === 'string' || isStringObject(input)) {
      return native.decodeUtf8(this.#atOnce(native.encodeUtf8(`${input}`), 'a string'));
    }
    const bytes = typeof input === 'object' && input !== null ? bytesOf(input) : undefined;
    if (bytes !== undefined) return this.#atOnce(bytes, 'an ArrayBuffer').buffer;
    if (input instanceof require('web/fetch/response').Response) {
      return require('rt/html/responses').transform(input, () => this.#rewriting());
    }
    throw wrongType('Expected Response or Body');
  }

  #rewriting() {
    return new Rewriting(ArraySlice(this.#elements), ArraySlice(this.#documents));
  }

  /** Rewrites a complete document synchronously, before other code runs. */
  #atOnce(bytes, what) {
    const rewriting = this.#rewriting();
    const waits = rewriting.feed(bytes, true) ?? rewriting.finish(true);
    if (waits !== undefined) {
      rewriting.stop();
      throw new TypeError(
        `HTMLRewriter.transform() cannot synchronously return ${what} because a content handler returned a Promise that did ` +
          'not resolve within a microtask. Pass a Response instead and await its body',
      );
    }
    return rewriting.takeOutput();
  }
}
for (const name of intact(['on', 'onDocument', 'transform']))
  ObjectDefineProperty(HTMLRewriter.prototype, name, { __proto__: null, enumerable: true });
ObjectDefineProperty(HTMLRewriter.prototype, Symbol.toStringTag, { __proto__: null, value: 'HTMLRewriter', configurable: true });

module.exports = { HTMLRewriter };
