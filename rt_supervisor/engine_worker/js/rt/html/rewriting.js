'use strict';
// Owns: one document that is rewritten: the native half stops at each piece that a handler wants, and goes on when the handler, or
// the promise that it returned, is done.

const { isPromise } = require('internal/brands');
const { ArrayMap, ArrayPush, FinalizationRegistryRegister, PromiseThen, ReflectApply, intact } = require('internal/primordials');
const { PromiseResolve } = require('internal/promises');
const { concatArrayBuffers } = require('internal/bytes');
const pieces = require('rt/html/pieces');

const native = host.native;
// What a step of the native half says first.
const WANTS = 0;
const PIECE = 1;
// Whose handler is to be called.
const OF_ELEMENTS = 0;
const OF_END_TAG = 2;

/** Those that nobody reads to their end. */
const left = new FinalizationRegistry((number) => native.html_close(number));

function rewriterError(message) {
  const error = new Error(message);
  error.name = 'HTMLRewriterError';
  return error;
}

class Rewriting {
  #number; // undefined before it begins, 0 when it is over
  #elements;
  #documents;
  #endTags = [];
  #output = [];
  /** The piece that a handler has in its hands. */
  current = null;

  constructor(elements, documents) {
    this.#elements = elements;
    this.#documents = documents;
  }

  /** Have the native half begin, once there is something of the document. */
  #begin() {
    if (this.#number !== undefined) return;
    const selectors = ArrayMap(this.#elements, ({ selector, bits }) => [selector, bits]);
    const documents = ArrayMap(this.#documents, ({ bits }) => bits);
    this.#number = native.html_start(selectors, documents);
    FinalizationRegistryRegister(left, this, this.#number);
  }

  get number() {
    return this.#number;
  }

  /** More of the document. Returns a promise where a handler has to be waited for; with `isHasty` microtasks are run before. */
  feed(bytes, isHasty = false) {
    this.#begin();
    return this.#guarded(() => this.#go(native.html_feed(this.#number, bytes), isHasty));
  }

  /** The document has ended. */
  finish(isHasty = false) {
    this.#begin();
    return this.#guarded(() => this.#go(native.html_finish(this.#number), isHasty));
  }

  /** What has been written since the last time. */
  taken() {
    const parts = this.#output;
    this.#output = [];
    return parts.length === 1 ? parts[0] : concatArrayBuffers(parts, Infinity, true);
  }

  /** Let go of it; a piece that a handler still has says nothing any more. */
  stop() {
    this.current = null;
    if (this.#number) native.html_close(this.#number);
    this.#number = 0;
  }

  /** Have `handler` be called at the end tag of the element in hand. */
  onEndTag(handler) {
    const problem = native.html_onEndTag(this.#number, this.#endTags.length);
    if (problem !== null) throw rewriterError(problem);
    ArrayPush(this.#endTags, handler);
  }

  #guarded(run) {
    try {
      return run();
    } catch (error) {
      this.stop();
      throw error;
    }
  }

  #go(step, isHasty) {
    for (;;) {
      const [state, owner, index, kind, output, problem] = intact(step);
      if (output !== null) ArrayPush(this.#output, output);
      if (state === WANTS) return undefined;
      if (state !== PIECE) {
        this.stop();
        if (problem !== null) throw rewriterError(problem);
        return undefined;
      }
      const result = this.#call(owner, index, kind);
      if (isPromise(result)) {
        if (isHasty) native.runMicrotasks();
        const [settled, value] = intact(native.promiseDetails(result));
        if (settled === 0) return this.#later(result);
        PromiseThen(result, undefined, () => {}); // a rejection is heard
        if (settled === 2) throw value;
      }
      this.current = null;
      step = native.html_goOn(this.#number);
    }
  }

  /** Wait for a handler, and go on. */
  #later(promise) {
    const next = () => {
      if (this.#number === 0) return undefined; // nobody wants the rest
      this.current = null;
      return this.#guarded(() => this.#go(native.html_goOn(this.#number), false));
    };
    const failed = (error) => {
      this.stop();
      throw error;
    };
    return PromiseThen(PromiseResolve(promise), next, failed);
  }

  #call(owner, index, kind) {
    if (owner === OF_END_TAG) {
      this.current = pieces.make(pieces.EndTag, this);
      const handler = this.#endTags[index];
      return handler(this.current);
    }
    const { handlers, calls } = (owner === OF_ELEMENTS ? this.#elements : this.#documents)[index];
    this.current = pieces.make((owner === OF_ELEMENTS ? pieces.OF_ELEMENTS : pieces.OF_DOCUMENT)[kind], this);
    return ReflectApply(calls[kind], handlers, [this.current]);
  }
}

module.exports = { Rewriting, rewriterError };
