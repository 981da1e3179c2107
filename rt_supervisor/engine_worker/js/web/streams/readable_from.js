// @ts-check
'use strict';
// Owns: ReadableStream.from (Streams standard §4.2.5, ReadableStreamFromIterable).

const { FunctionCall } = require('internal/primordials');
const { codes } = require('internal/errors/errors');

function iteratorOf(iterable) {
  if (iterable === null || iterable === undefined) throw new codes.ERR_ARG_NOT_ITERABLE(iterable);
  const method = iterable[Symbol.asyncIterator] ?? iterable[Symbol.iterator];
  if (typeof method !== 'function') throw new codes.ERR_ARG_NOT_ITERABLE(iterable);
  const iterator = FunctionCall(method, iterable);
  if ((typeof iterator !== 'object' && typeof iterator !== 'function') || iterator === null) {
    throw new codes.ERR_INVALID_STATE('The iterator method must return an object');
  }
  return { iterator, isAsync: iterable[Symbol.asyncIterator] != null };
}

function from(iterable) {
  const { createReadableStream } = require('web/streams/readable_default');
  const { iterator, isAsync } = iteratorOf(iterable);
  const { next } = iterator;
  let controller;
  const checked = (result, what) => {
    if (typeof result !== 'object' || result === null) throw new TypeError(`The promise or value of ${what}() must be an object`);
    return result;
  };
  return createReadableStream({
    __proto__: null,
    start(streamController) {
      controller = streamController;
    },
    async pull() {
      const result = checked(isAsync ? await FunctionCall(next, iterator) : FunctionCall(next, iterator), 'next');
      if (result.done) controller.close();
      else controller.enqueue(isAsync ? result.value : await result.value);
    },
    async cancel(reason) {
      const method = iterator.return;
      if (method === undefined || method === null) return undefined;
      checked(await FunctionCall(method, iterator, reason), 'return');
      return undefined;
    },
    highWaterMark: 0,
  });
}

module.exports = { from };
