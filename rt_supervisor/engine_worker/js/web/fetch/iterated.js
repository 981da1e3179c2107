// @ts-check
'use strict';
// Owns: the stream of a body that is an async iterator. As with the peer the value that it returns at its end counts, and each `yield`
// gives the program a controller that writes, flushes and ends beside what it yields.

const { AnyCatch } = require('internal/any_kind');
const { Hand } = require('web/streams/hand');

const encoded = (value) => (typeof value === 'string' ? host.native.encodeUtf8(value) : value);

/** What a stream of `iterator` is made of. */
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
  /** Ask for the next value that is one; who reads may ask again as soon as it is there. */
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
        if (isThere) hand.controller.enqueue(encoded(value));
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
      if (!isAsking) ask(); // not waited for: `flush` inside the iterator's step waits for the next pull
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
