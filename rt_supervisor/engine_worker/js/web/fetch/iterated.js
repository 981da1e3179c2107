// @ts-check
'use strict';
// Owns: the stream of a body that is an async iterator. As in Bun, the iterator's return value is part of the body, and `yield`
// evaluates to a controller that the program can use to write, flush and end the body as well.

const { AnyCatch } = require('internal/any_kind');
const { Hand } = require('web/streams/hand');

const encode = (value) => (typeof value === 'string' ? host.native.encodeUtf8(value) : value);

/** Returns the underlying source for a stream over `iterator`. */
function sourceOf(iterator) {
  const hand = new Hand();
  const stopIterator = () => AnyCatch(iterator.return?.(), () => {});
  const face = {
    write: (chunk) => hand.write(chunk),
    flush: () => (hand.isOver || hand.controller.desiredSize >= 0 ? undefined : hand.room(undefined)),
    end: () => hand.finish(),
    close: (error) => hand.close(error),
    error: (error) => hand.fail(error),
  };
  let isAsking = false;
  let given;
  /** Requests values until one is defined. The reader may pull again as soon as that one is enqueued. */
  const ask = async () => {
    isAsking = true;
    try {
      for (;;) {
        const { done, value } = await iterator.next(given);
        given = face;
        if (hand.isOver) {
          if (!done) stopIterator();
          return;
        }
        const isThere = value !== undefined && value !== null;
        if (!done && isThere) isAsking = false;
        if (isThere) hand.controller.enqueue(encode(value));
        if (done) hand.finish();
        if (done || isThere) return;
      }
    } catch (error) {
      hand.fail(error);
    }
  };
  return {
    start(made) {
      hand.controller = made;
    },
    pull() {
      hand.roomIsThere();
      if (!isAsking) ask(); // not awaited: `flush` inside the iterator's step waits for the next pull
    },
    async cancel() {
      hand.isOver = true;
      hand.roomIsThere();
      if (!isAsking) await iterator.return?.();
    },
  };
}

/** @param {any} ReadableStream @param {any} iterator */
const streamOf = (ReadableStream, iterator) => new ReadableStream(sourceOf(iterator), { highWaterMark: 0 });

module.exports = { streamOf };
