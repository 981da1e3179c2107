'use strict';
// Owns: the rewriting of one document: the native half stops at each piece for which a handler is registered, and continues
// once the handler, or the promise that it returned, has finished.

const { isPromise } = require('internal/brands');
const { ArrayMap, ArrayPush, FinalizationRegistryRegister, PromiseThen, ReflectApply, intact } = require('internal/primordials');
const { PromiseResolve } = require('internal/promises');
const { concatArrayBuffers } = require('internal/bytes');
const pieces = require('rt/html/pieces');

const native = host.native;
// The first item of a native step's result.
const WANTS = 0;
const PIECE = 1;
// Which handlers to call.
const OF_ELEMENTS = 0;
const OF_END_TAG = 2;

/** Closes rewritings whose output is never read to the end. */
const registry = new FinalizationRegistry((number) => native.html_close(number));

function rewriterError(message) {
  const error = new Error(message);
  error.name = 'HTMLRewriterError';
  return error;
}

class Rewriting {
  #number; // undefined before the start, 0 after the end
  #elements;
  #documents;
  #endTags = [];
  #output = [];
  /** The piece that a handler is processing. */
  current = null;

  constructor(elements, documents) {
    this.#elements = elements;
    this.#documents = documents;
  }

  /** Starts the native half, once the first part of the document arrives. */
  #begin() {
    if (this.#number !== undefined) return;
    const selectors = ArrayMap(this.#elements, ({ selector, bits }) => [selector, bits]);
    const documents = ArrayMap(this.#documents, ({ bits }) => bits);
    this.#number = native.html_start(selectors, documents);
    FinalizationRegistryRegister(registry, this, this.#number);
  }

  get number() {
    return this.#number;
  }

  /** Feeds a part of the document. Returns a promise if a handler is asynchronous; with `isHasty`, microtasks run first. */
  feed(bytes, isHasty = false) {
    this.#begin();
    return this.#guard(() => this.#go(native.html_feed(this.#number, bytes), isHasty));
  }

  /** Ends the document. */
  finish(isHasty = false) {
    this.#begin();
    return this.#guard(() => this.#go(native.html_finish(this.#number), isHasty));
  }

  /** Returns the output since the last call. */
  takeOutput() {
    const parts = this.#output;
    this.#output = [];
    return parts.length === 1 ? parts[0] : concatArrayBuffers(parts, Infinity, true);
  }

  /** Closes the rewriting; a piece that a handler still holds becomes unusable. */
  stop() {
    this.current = null;
    if (this.#number) native.html_close(this.#number);
    this.#number = 0;
  }

  /** Registers `handler` for the end tag of the current element. */
  onEndTag(handler) {
    const problem = native.html_onEndTag(this.#number, this.#endTags.length);
    if (problem !== null) throw rewriterError(problem);
    ArrayPush(this.#endTags, handler);
  }

  #guard(run) {
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
        PromiseThen(result, undefined, () => {}); // marks the rejection as handled
        if (settled === 2) throw value;
      }
      this.current = null;
      step = native.html_resume(this.#number);
    }
  }

  /** Waits for a handler, then continues. */
  #later(promise) {
    const next = () => {
      if (this.#number === 0) return undefined; // closed meanwhile
      this.current = null;
      return this.#guard(() => this.#go(native.html_resume(this.#number), false));
    };
    const fail = (error) => {
      this.stop();
      throw error;
    };
    return PromiseThen(PromiseResolve(promise), next, fail);
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
