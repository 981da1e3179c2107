'use strict';
// Owns: the encoding of events from a test file's process to the runner: frames on standard output, interleaved with the
// program's own output. A frame is a mark, the length of the rest, and the event as a structured clone.

const { AnySubarray } = require('internal/any_kind');
const { ArrayEvery, ArraySlice, MathMin, TypedArraySet } = require('internal/primordials');
const { packError, unpackError } = require('node/worker_threads/errors');

const MARK = [0xff, 0x0f, 0x54, 0x53]; // not valid at the start of UTF-8 text
const HEAD = MARK.length + 4;

function frameOf({ type, data }) {
  const error = data?.details?.error;
  const payload = error === undefined ? data : { ...data, details: { ...data.details, error: packError(error) } };
  const body = require('node/v8').serialize({ type, data: payload, hasError: error !== undefined });
  const frame = require('node/buffer/buffer').Buffer.alloc(HEAD + body.length);
  TypedArraySet(frame, MARK);
  frame.writeUInt32BE(body.length, MARK.length);
  TypedArraySet(frame, body, HEAD);
  return frame;
}

/** Splits a process's output, in chunks of any size, into events (`onEvent`) and other output (`onText`). */
class FrameReader {
  #rest = require('node/buffer/buffer').Buffer.alloc(0);
  #onEvent;
  #onText;

  constructor(onEvent, onText) {
    this.#onEvent = onEvent;
    this.#onText = onText;
  }

  push(bytes) {
    const { Buffer } = require('node/buffer/buffer');
    let data = this.#rest.length > 0 ? Buffer.concat([this.#rest, bytes]) : bytes;
    const mark = Buffer.from(MARK);
    while (data.length > 0) {
      const place = data.indexOf(mark);
      if (place !== 0) {
        // A partial mark at the end waits for its rest.
        const end = place > 0 ? place : data.length - partOfMark(data);
        if (end > 0) this.#onText(AnySubarray(data, 0, end));
        data = AnySubarray(data, end);
        if (place < 0) break;
        continue;
      }
      if (data.length < HEAD) break;
      const length = data.readUInt32BE(MARK.length);
      if (data.length < HEAD + length) break;
      this.#deliver(AnySubarray(data, HEAD, HEAD + length));
      data = AnySubarray(data, HEAD + length);
    }
    this.#rest = data;
  }

  #deliver(body) {
    const { type, data, hasError } = require('node/v8').deserialize(body);
    if (hasError) data.details.error = unpackError(data.details.error);
    this.#onEvent(type, data);
  }

  end() {
    if (this.#rest.length > 0) this.#onText(this.#rest);
    this.#rest = this.#rest.subarray(this.#rest.length);
  }
}

function partOfMark(data) {
  for (let length = MathMin(MARK.length - 1, data.length); length > 0; length--) {
    if (ArrayEvery(ArraySlice(MARK, 0, length), (byte, index) => data[data.length - length + index] === byte)) return length;
  }
  return 0;
}

module.exports = { frameOf, FrameReader };
