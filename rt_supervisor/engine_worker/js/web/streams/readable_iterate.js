// @ts-check
'use strict';
// Owns: the async iterator of ReadableStream (Streams standard §4.2.5). Requests are answered in order; an early exit cancels
// the stream unless `preventCancel` is set.

const { ObjectDefineProperty, ObjectGetPrototypeOf, ObjectSetPrototypeOf, PromiseThen, intact } = require('internal/primordials');
const { PromiseResolve, PromiseWithResolvers } = require('internal/promises');
const { ReaderRecord } = require('web/streams/readers');
const readable = require('web/streams/readable');
const { stateError } = require('web/streams/basics');

const AsyncIteratorPrototype = ObjectGetPrototypeOf(ObjectGetPrototypeOf(async function* () {}).prototype);

class ReadableStreamAsyncIterator {
  #reader;
  #preventCancel;
  #last = undefined; // the request that is being answered
  #isDone = false;

  constructor(reader, preventCancel) {
    this.#reader = reader;
    this.#preventCancel = preventCancel;
  }

  #inTurn(work) {
    this.#last = this.#last === undefined ? work() : PromiseThen(this.#last, work, work);
    return this.#last;
  }

  next() {
    return this.#inTurn(() => {
      if (this.#isDone) return PromiseResolve({ done: true, value: undefined });
      const { promise, resolve, reject } = PromiseWithResolvers();
      this.#reader.read({
        chunk: (value) => resolve({ done: false, value }),
        close: () => {
          this.#finish();
          resolve({ done: true, value: undefined });
        },
        error: (reason) => {
          this.#finish();
          reject(reason);
        },
      });
      // The additional reaction that Web IDL puts before the program's: the next request does not wait for this one.
      return PromiseThen(promise, (result) => {
        this.#last = undefined;
        return result;
      });
    });
  }

  return(value) {
    return this.#inTurn(async () => {
      if (this.#isDone) return { done: true, value };
      const { stream } = this.#reader;
      const cancelled = this.#preventCancel ? undefined : readable.cancel(stream, value);
      this.#finish();
      await cancelled;
      return { done: true, value };
    });
  }

  #finish() {
    this.#isDone = true;
    if (this.#reader.stream !== undefined) this.#reader.release();
  }
}
ObjectSetPrototypeOf(ReadableStreamAsyncIterator.prototype, AsyncIteratorPrototype);
// Web IDL: the prototype of an asynchronous iterator has these and no constructor.
// @ts-ignore a class has one
delete ReadableStreamAsyncIterator.prototype.constructor;
for (const name of intact(['next', 'return']))
  ObjectDefineProperty(ReadableStreamAsyncIterator.prototype, name, { __proto__: null, enumerable: true });

function iterate(record, preventCancel) {
  if (record.locked) throw stateError('ReadableStream is locked');
  return new ReadableStreamAsyncIterator(new ReaderRecord(record, false), preventCancel);
}

module.exports = { iterate };
