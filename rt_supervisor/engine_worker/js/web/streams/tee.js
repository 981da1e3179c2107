// @ts-check
'use strict';
// Owns: tee (Streams standard §4.9.1, ReadableStreamDefaultTee and ReadableByteStreamTee): two branches that are read
// independently; the original is cancelled once both are.

const { AnyCatch, AnySlice } = require('internal/any_kind');
const { PromiseCatch, PromiseResolve } = require('internal/promises');
const { ArrayFill, ArrayMap, PromiseThen, intact } = require('internal/primordials');
const { Deferred } = require('web/streams/basics');
const readable = require('web/streams/readable');
const { ReaderRecord } = require('web/streams/readers');

/** Returns two streams with the chunks of `record`. With `clones`, the second one gets copies of chunks that are not bytes. */
const tee = (record, clones = false) => (record.controller.isBytes ? teeBytes(record) : teeDefault(record, clones));

/** The cancellations of both branches, which both kinds of tee share. */
class Branches {
  isCanceled = [false, false];
  reasons = [undefined, undefined];
  /** @type {any[]} */
  records = [undefined, undefined];
  cancelled = new Deferred();

  constructor(source) {
    this.source = source;
  }

  cancel(index, reason) {
    this.isCanceled[index] = true;
    this.reasons[index] = reason;
    if (this.isCanceled[1 - index]) this.cancelled.resolve(readable.cancel(this.source, this.reasons));
    return this.cancelled.promise;
  }
  each(work) {
    for (let at = 0, list = [0, 1]; at < list.length; at++) {
      const index = list[at];
      if (!this.isCanceled[index]) work(this.records[index].controller, index);
    }
  }
  /** Errors both branches and cancels the source. */
  fail(error) {
    for (const branch of intact(this.records)) branch.controller.error(error);
    this.cancelled.resolve(readable.cancel(this.source, error));
  }
  finish() {
    if (!this.isCanceled[0] || !this.isCanceled[1]) this.cancelled.resolve(undefined);
  }
}

function teeDefault(record, clones) {
  const { createReadableStream } = require('web/streams/readable_default');
  const reader = new ReaderRecord(record, false);
  const branches = new Branches(record);
  let isReading = false;
  let readAgain = false;

  function pull() {
    if (isReading) {
      readAgain = true;
      return PromiseResolve();
    }
    isReading = true;
    reader.read({
      chunk(chunk) {
        PromiseThen(PromiseResolve(), () => {
          readAgain = false;
          let second = chunk;
          if (clones) {
            try {
              second = require('web/messaging/structured_clone').structuredClone(chunk);
            } catch (error) {
              branches.fail(error);
              return;
            }
          }
          branches.each((controller, index) => controller.enqueue(index === 1 ? second : chunk));
          isReading = false;
          if (readAgain) pull();
        });
      },
      close() {
        isReading = false;
        branches.each((controller) => controller.close());
        branches.finish();
      },
      error() {
        isReading = false;
      },
    });
    return PromiseResolve();
  }

  const streams = ArrayMap([0, 1], (index) =>
    createReadableStream({ __proto__: null, pull, cancel: (reason) => branches.cancel(index, reason) }),
  );
  branches.records = ArrayMap(streams, readable.recordOf);
  PromiseCatch(reader.closed.promise, (reason) => {
    for (const branch of intact(branches.records)) branch.controller.error(reason);
    branches.finish();
  });
  return streams;
}

function teeBytes(record) {
  const { createByteStream } = require('web/streams/readable_bytes');
  const branches = new Branches(record);
  let reader = new ReaderRecord(record, false);
  let isReading = false;
  const readAgain = [false, false];

  function forwardErrors(from) {
    AnyCatch(from.closed.promise, (reason) => {
      if (reader !== from) return;
      for (const branch of intact(branches.records)) branch.controller.error(reason);
      branches.finish();
    });
  }
  /** Continues with a reader of the other kind. */
  function useReader(isByob) {
    if (reader.isByob === isByob) return;
    reader.release();
    reader = new ReaderRecord(record, isByob);
    forwardErrors(reader);
  }
  function afterChunk() {
    isReading = false;
    if (readAgain[0]) pull(0);
    else if (readAgain[1]) pull(1);
  }
  /** Clones a chunk for the second branch. If that fails, both branches are errored and the stream is cancelled. */
  function copyOf(chunk) {
    try {
      return new Uint8Array(AnySlice(chunk.buffer, chunk.byteOffset, chunk.byteOffset + chunk.byteLength));
    } catch (error) {
      for (const branch of intact(branches.records)) branch.controller.error(error);
      branches.cancelled.resolve(readable.cancel(record, error));
      return undefined;
    }
  }

  function pullDefault() {
    useReader(false);
    reader.read({
      chunk(chunk) {
        PromiseThen(PromiseResolve(), () => {
          ArrayFill(readAgain, false);
          const second = branches.isCanceled[0] || branches.isCanceled[1] ? chunk : copyOf(chunk);
          if (second === undefined) return;
          branches.each((controller, index) => controller.enqueue(index === 0 ? chunk : second));
          afterChunk();
        });
      },
      close() {
        isReading = false;
        branches.each((controller) => controller.close());
        for (let index = 0, list = branches.records; index < list.length; index++) {
          const { controller } = list[index];
          if (controller.pending.length > 0) controller.respond(0);
        }
        branches.finish();
      },
      error() {
        isReading = false;
      },
    });
  }

  function pullInto(view, index) {
    useReader(true);
    const other = 1 - index;
    reader.readInto(view, 1, {
      chunk(chunk) {
        PromiseThen(PromiseResolve(), () => {
          ArrayFill(readAgain, false);
          const own = branches.records[index].controller;
          if (!branches.isCanceled[other]) {
            const copy = copyOf(chunk);
            if (copy === undefined) return;
            if (!branches.isCanceled[index]) own.respondWithNewView(chunk);
            branches.records[other].controller.enqueue(copy);
          } else if (!branches.isCanceled[index]) {
            own.respondWithNewView(chunk);
          }
          afterChunk();
        });
      },
      close(chunk) {
        isReading = false;
        branches.each((controller) => controller.close());
        if (chunk !== undefined) {
          const own = branches.records[index].controller;
          const { controller } = branches.records[other];
          if (!branches.isCanceled[index]) own.respondWithNewView(chunk);
          if (!branches.isCanceled[other] && controller.pending.length > 0) controller.respond(0);
        }
        branches.finish();
      },
      error() {
        isReading = false;
      },
    });
  }

  function pull(index) {
    if (isReading) {
      readAgain[index] = true;
      return PromiseResolve();
    }
    isReading = true;
    const request = branches.records[index].controller.getRequest();
    if (request === null) pullDefault();
    else pullInto(request.view, index);
    return PromiseResolve();
  }

  const streams = ArrayMap([0, 1], (index) =>
    createByteStream({ __proto__: null, pull: () => pull(index), cancel: (reason) => branches.cancel(index, reason) }),
  );
  branches.records = ArrayMap(streams, readable.recordOf);
  forwardErrors(reader);
  return streams;
}

module.exports = { tee };
