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

let answer; // records that a request of an iterator was answered
let finish;

/** A request for the next chunk. */
class IteratorRequest {
  #iterator;
  #resolve;
  #reject;
  constructor(iterator) {
    this.#iterator = iterator;
    const { promise, resolve, reject } = PromiseWithResolvers();
    this.promise = promise;
    this.#resolve = resolve;
    this.#reject = reject;
  }
  chunk(value) {
    answer(this.#iterator);
    this.#resolve({ done: false, value });
  }
  close() {
    finish(this.#iterator);
    this.#resolve({ done: true, value: undefined });
  }
  error(reason) {
    finish(this.#iterator);
    this.#reject(reason);
  }
}

class ReadableStreamAsyncIterator {
  #reader;
  #preventCancel;
  /** The last call's promise. @type {any} */
  #last = undefined;
  #pending = 0; // calls that have not been answered
  #isDone = false;

  constructor(reader, preventCancel) {
    this.#reader = reader;
    this.#preventCancel = preventCancel;
  }

  next() {
    this.#last = this.#pending++ === 0 ? this.#request() : this.#inTurn(() => this.#request());
    return this.#last;
  }

  return(value) {
    const end = async () => {
      if (this.#isDone) return { done: true, value };
      const { stream } = this.#reader;
      const cancelled = this.#preventCancel ? undefined : readable.cancel(stream, value);
      this.#finish();
      await cancelled;
      return { done: true, value };
    };
    this.#pending++;
    this.#last = this.#last === undefined ? end() : this.#inTurn(end);
    return this.#last;
  }

  #inTurn(work) {
    return PromiseThen(this.#last, work, work);
  }

  #request() {
    if (this.#isDone) return PromiseResolve({ done: true, value: undefined });
    const request = new IteratorRequest(this);
    this.#reader.read(request);
    return PromiseThen(request.promise); // the reaction that Web IDL puts before the program's
  }

  #finish() {
    this.#isDone = true;
    if (this.#reader.stream !== undefined) this.#reader.release();
  }

  static {
    answer = (iterator) => iterator.#pending--;
    finish = (iterator) => iterator.#finish();
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
