// @ts-check
'use strict';
// Owns: a Readable over an iterable: it pulls one value at a time and closes the iterator when destroyed.

const { PromiseThen, intact } = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { nextTick } = require('internal/timers');

function readableFrom(Class, iterable, options) {
  if (typeof iterable === 'string' || iterable instanceof require('node/buffer/buffer').Buffer) {
    return new Class({
      objectMode: true,
      ...options,
      read() {
        this.push(iterable);
        this.push(null);
      },
    });
  }
  const isAsync = Boolean(iterable?.[Symbol.asyncIterator]);
  if (!isAsync && !iterable?.[Symbol.iterator]) throw new codes.ERR_INVALID_ARG_TYPE('iterable', ['Iterable'], iterable);
  const iterator = isAsync ? iterable[Symbol.asyncIterator]() : intact(iterable)[Symbol.iterator]();
  const readable = new Class({ objectMode: true, highWaterMark: 1, ...options });
  let isReading = false;

  function _read() {
    if (isReading) return;
    isReading = true;
    pull();
  }
  readable._read = _read;
  async function pull() {
    try {
      for (;;) {
        // Available values are pushed immediately; only a promise causes a wait.
        const { value, done } = isAsync ? await iterator.next() : iterator.next();
        if (done) {
          readable.push(null);
          return;
        }
        const chunk = value && typeof value.then === 'function' ? await value : value;
        if (chunk === null) {
          isReading = false;
          throw new codes.ERR_STREAM_NULL_VALUES();
        }
        if (!readable.push(chunk)) {
          isReading = false;
          return;
        }
      }
    } catch (error) {
      readable.destroy(error);
    }
  }

  function _destroy(error, callback) {
    PromiseThen(
      close(error),
      () => nextTick(callback, error),
      (another) => nextTick(callback, another || error),
    );
  }
  readable._destroy = _destroy;
  async function close(error) {
    if (error !== undefined && error !== null && typeof iterator.throw === 'function') {
      const { value, done } = await iterator.throw(error);
      await value;
      if (done) return;
    }
    if (typeof iterator.return === 'function') {
      const { value } = await iterator.return();
      await value;
    }
  }
  return readable;
}

module.exports = { readableFrom };
