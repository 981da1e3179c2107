// @ts-check
'use strict';
// Owns: the stream of a body that is an async iterator. As with the peer the value that it returns at its end counts, and each `yield`
// gives the program a controller that writes, flushes and ends beside what it yields.

const { AnyCatch } = require('internal/any_kind');
const { bytesOf } = require('internal/bytes');

const encoded = (value) => (typeof value === 'string' ? host.native.encodeUtf8(value) : value);

/** What a stream of `iterator` is made of. */
function sourceOf(iterator) {
  let controller;
  let isOver = false;
  let tellRoom; // settles the promise of flush()
  const stopIterator = () => AnyCatch(iterator.return?.(), () => {});
  const finish = () => {
    if (isOver) return;
    isOver = true;
    controller.close();
  };
  const fail = (error) => {
    if (isOver) return;
    isOver = true;
    controller.error(error);
  };
  const face = {
    write(chunk) {
      if (isOver) throw new TypeError('The stream is closed');
      const bytes = typeof chunk === 'string' ? encoded(chunk) : bytesOf(chunk)?.slice();
      if (bytes === undefined) throw new TypeError('Expected a string, ArrayBuffer or view of one');
      if (bytes.length > 0) controller.enqueue(bytes);
      return bytes.length;
    },
    flush() {
      if (isOver || controller.desiredSize >= 0) return undefined;
      return new Promise((resolve) => {
        const before = tellRoom;
        tellRoom = () => {
          before?.();
          resolve(undefined);
        };
      });
    },
    end: () => finish(),
    close: (error) => (error === undefined ? finish() : fail(error)),
    error: (error) => fail(error),
  };
  const roomIsThere = () => {
    const tell = tellRoom;
    tellRoom = undefined;
    tell?.();
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
        if (isOver) {
          if (!done) stopIterator();
          return;
        }
        const isThere = value !== undefined && value !== null;
        if (!done && isThere) isAsking = false;
        if (isThere) controller.enqueue(encoded(value));
        if (done) finish();
        if (done || isThere) return;
      }
    } catch (error) {
      fail(error);
    }
  };
  return {
    start(made) {
      controller = made;
    },
    pull() {
      roomIsThere();
      if (!isAsking) ask(); // not waited for: `flush` inside the iterator's step waits for the next pull
    },
    async cancel() {
      isOver = true;
      roomIsThere();
      if (!isAsking) await iterator.return?.();
    },
  };
}

/** @param {any} ReadableStream @param {any} iterator */
const streamOf = (ReadableStream, iterator) => new ReadableStream(sourceOf(iterator), { highWaterMark: 0 });

module.exports = { streamOf };
