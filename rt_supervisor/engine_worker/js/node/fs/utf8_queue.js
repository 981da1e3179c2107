'use strict';
// Owns: the pending writes of a Utf8Stream: strings or bytes, joined up to the size of one write.

const { AnySubarray } = require('internal/any_kind');
const { ArrayPush, ArrayShift, ArrayUnshift } = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { validateString } = require('internal/validators');

const buffers = () => require('node/buffer/buffer').Buffer;

/** Strings; lengths are in UTF-16 code units. */
class TextQueue {
  #most;
  #pieces = [];
  constructor(most) {
    this.#most = most;
  }
  get isEmpty() {
    return this.#pieces.length === 0;
  }
  check(data) {
    validateString(data, 'data');
  }
  push(text) {
    const last = this.#pieces.length - 1;
    if (last < 0 || this.#pieces[last].length + text.length > this.#most) ArrayPush(this.#pieces, text);
    else this.#pieces[last] += text;
  }
  shift() {
    return ArrayShift(this.#pieces) ?? '';
  }
  unshift(text) {
    ArrayUnshift(this.#pieces, text);
  }
  /** The rest of `text` after its first `count` bytes; a character split there is written again. */
  after(text, count) {
    const bytes = buffers().from(text);
    if (count === undefined || bytes.length === count) return '';
    while (count > 0 && (bytes[count] & 0xc0) === 0x80) count--;
    return bytes.toString('utf8', count);
  }
}

/** Bytes. */
class BytesQueue {
  #most;
  #pieces = []; // { parts, length }
  constructor(most) {
    this.#most = most;
  }
  get isEmpty() {
    return this.#pieces.length === 0;
  }
  check(data) {
    if (!buffers().isBuffer(data)) throw new codes.ERR_INVALID_ARG_TYPE('data', 'Buffer', data);
  }
  push(bytes) {
    const last = this.#pieces[this.#pieces.length - 1];
    if (last === undefined || last.length + bytes.length > this.#most) {
      ArrayPush(this.#pieces, { parts: [bytes], length: bytes.length });
    } else {
      ArrayPush(last.parts, bytes);
      last.length += bytes.length;
    }
  }
  shift() {
    const piece = ArrayShift(this.#pieces);
    return piece === undefined ? buffers().alloc(0) : buffers().concat(piece.parts, piece.length);
  }
  unshift(bytes) {
    ArrayUnshift(this.#pieces, { parts: [bytes], length: bytes.length });
  }
  after(bytes, count) {
    return count === undefined ? buffers().alloc(0) : AnySubarray(bytes, count);
  }
}

module.exports = { TextQueue, BytesQueue };
