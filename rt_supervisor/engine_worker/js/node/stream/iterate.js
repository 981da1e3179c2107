'use strict';
// Owns: a Readable as an async iterator. A buffered chunk is returned without another turn; requests made during a pending
// one are answered in order.

const { AnyThen } = require('internal/any_kind');
const { ArrayPush, ArrayShift, ObjectGetPrototypeOf, ObjectSetPrototypeOf, PromiseThen } = require('internal/primordials');
const { PromiseWithResolvers } = require('internal/promises');
const { aggregateTwoErrors } = require('internal/errors/errors');
const { validateObject } = require('internal/validators');

const AsyncIteratorPrototype = ObjectGetPrototypeOf(ObjectGetPrototypeOf(async function* () {}).prototype);
const nothing = () => {};

class ChunkIterator {
  #stream;
  #options;
  #stop; // removes the listeners; set once iteration has begun
  #error; // null: the end was reached
  #isCompleted = false;
  #isBusy = false;
  #requests = []; // functions, each answering one request
  #wake = nothing;
  #onReadable = () => this.#wakeUp();

  constructor(stream, options) {
    // Visible, as on Node's iterator.
    this.stream = stream;
    this.#stream = stream;
    this.#options = options;
  }

  #wakeUp() {
    const wake = this.#wake;
    this.#wake = nothing;
    wake();
  }

  #begin() {
    this.#stream.on('readable', this.#onReadable);
    this.#stop = require('node/stream/finished').finished(this.#stream, { writable: false }, (failure) => {
      this.#error = failure ? aggregateTwoErrors(this.#error, failure) : null;
      this.#wakeUp();
    });
  }

  /** Ends the iteration: destroys the stream, or stops listening to it. */
  #complete() {
    this.#isCompleted = true;
    const stream = this.#stream;
    if (
      (this.#error || this.#options?.destroyOnReturn !== false) &&
      (this.#error === undefined || stream._readableState.autoDestroy)
    ) {
      require('node/stream/destroy').destroyer(stream, null);
    } else {
      stream.off('readable', this.#onReadable);
      this.#stop();
    }
  }

  #fail(error) {
    this.#error = aggregateTwoErrors(this.#error, error);
    this.#complete();
    return this.#error;
  }

  #take() {
    return this.#stream.destroyed ? null : this.#stream.read();
  }
  #whenReadable() {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #finishRequest() {
    this.#isBusy = false;
    while (!this.#isBusy && this.#requests.length > 0) ArrayShift(this.#requests)();
  }

  /** Settles one request, now or when a chunk arrives. */
  #pump(resolve, reject) {
    this.#isBusy = true;
    const chunk = this.#take();
    if (typeof chunk?.then === 'function') {
      AnyThen(
        chunk,
        (value) => {
          resolve({ done: false, value });
          this.#finishRequest();
        },
        (error) => {
          reject(this.#fail(error));
          this.#finishRequest();
        },
      );
      return;
    }
    if (chunk !== null) {
      resolve({ done: false, value: chunk });
    } else if (this.#error) {
      reject(this.#fail(this.#error));
    } else if (this.#error === null) {
      this.#complete();
      resolve({ done: true, value: undefined });
    } else {
      PromiseThen(this.#whenReadable(), () => this.#pump(resolve, reject));
      return;
    }
    this.#finishRequest();
  }

  next() {
    if (!this.#isBusy && !this.#isCompleted) {
      if (this.#stop === undefined) this.#begin();
      const { promise, resolve, reject } = PromiseWithResolvers();
      this.#pump(resolve, reject);
      return promise;
    }
    return this.#inTurn((resolve, reject) => {
      if (this.#isCompleted) {
        resolve({ done: true, value: undefined });
        return;
      }
      if (this.#stop === undefined) this.#begin();
      this.#pump(resolve, reject);
    });
  }

  return(value) {
    return this.#inTurn((resolve) => {
      if (!this.#isCompleted) {
        // An iterator that never started leaves the stream untouched.
        if (this.#stop === undefined) this.#isCompleted = true;
        else this.#complete();
      }
      resolve({ done: true, value });
    });
  }

  throw(error) {
    return this.#inTurn((resolve, reject) => {
      if (this.#isCompleted || this.#stop === undefined) {
        this.#isCompleted = true;
        reject(error);
      } else {
        reject(this.#fail(error));
      }
    });
  }

  #inTurn(answer) {
    return new Promise((resolve, reject) => {
      if (this.#isBusy) ArrayPush(this.#requests, () => answer(resolve, reject));
      else answer(resolve, reject);
    });
  }
}
ObjectSetPrototypeOf(ChunkIterator.prototype, AsyncIteratorPrototype);

function iterator(stream, options) {
  if (typeof stream.read !== 'function') stream = require('node/stream/readable').wrap(stream, { objectMode: true });
  return new ChunkIterator(stream, options);
}

function install(Readable) {
  Readable.prototype[Symbol.asyncIterator] = function asyncIterator() {
    return iterator(this);
  };
  Readable.prototype.iterator = function withOptions(options) {
    if (options !== undefined) validateObject(options, 'options');
    return iterator(this, options);
  };
}

module.exports = { iterator, install };
