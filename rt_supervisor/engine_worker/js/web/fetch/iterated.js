// @ts-check
'use strict';
// Owns: the stream of a body that is an async iterator. As in Bun, the iterator's return value is part of the body, and `yield`
// evaluates to a controller that the program can use to write, flush and end the body as well.

const { AnyCatch } = require('internal/any_kind');
const { ProgramWriter } = require('web/streams/program_writer');

const encode = (value) => (typeof value === 'string' ? host.native.encodeUtf8(value) : value);

/** Returns the underlying source for a stream over `iterator`. */
function sourceOf(iterator) {
  const writer = new ProgramWriter();
  const stopIterator = () => AnyCatch(iterator.return?.(), () => {});
  const face = {
    write: (chunk) => writer.write(chunk),
    flush: () => (writer.isOver || writer.controller.desiredSize >= 0 ? undefined : writer.room(undefined)),
    end: () => writer.finish(),
    close: (error) => writer.close(error),
    error: (error) => writer.fail(error),
  };
  let isAsking = false;
  let answer;
  /** Requests values until one is defined. The reader may pull again as soon as that one is enqueued. */
  const ask = async () => {
    isAsking = true;
    try {
      for (;;) {
        const { done, value } = await iterator.next(answer);
        answer = face;
        if (writer.isOver) {
          if (!done) stopIterator();
          return;
        }
        const isThere = value !== undefined && value !== null;
        if (!done && isThere) isAsking = false;
        if (isThere) writer.controller.enqueue(encode(value));
        if (done) writer.finish();
        if (done || isThere) return;
      }
    } catch (error) {
      writer.fail(error);
    }
  };
  return {
    start(controller) {
      writer.controller = controller;
    },
    pull() {
      writer.releaseRoom();
      if (!isAsking) ask(); // not awaited: `flush` inside the iterator's step waits for the next pull
    },
    async cancel() {
      writer.isOver = true;
      writer.releaseRoom();
      if (!isAsking) await iterator.return?.();
    },
  };
}

/** @param {any} ReadableStream @param {any} iterator */
const streamOf = (ReadableStream, iterator) => new ReadableStream(sourceOf(iterator), { highWaterMark: 0 });

module.exports = { streamOf };
