// @ts-check
'use strict';
// Owns: what the programs' own controllers of a stream have in common: bytes are written until the stream has come to its end, by a
// close or by an error, which comes once; and whoever waits for room is told of it.

const { bytesOf } = require('internal/bytes');

/** Writes for a program into a stream, once `controller` is there. */
class Hand {
  /** @type {any} */
  controller;
  isOver = false;
  /** @type {(() => void) | undefined} */
  #tellRoom;

  finish() {
    if (this.isOver) return;
    this.isOver = true;
    this.controller.close();
  }
  fail(error) {
    if (this.isOver) return;
    this.isOver = true;
    this.controller.error(error);
  }
  close(error) {
    if (error === undefined) this.finish();
    else this.fail(error);
  }

  /**
   * Write a text or a copy of bytes; returns how many bytes that are. The stream may ask for more before this returns.
   * @param {any} chunk
   * @param {() => void} [beforeBytes] called before there are any
   */
  write(chunk, beforeBytes = undefined) {
    if (this.isOver) throw new TypeError('The stream is closed');
    const bytes = typeof chunk === 'string' ? host.native.encodeUtf8(chunk) : bytesOf(chunk)?.slice();
    if (bytes === undefined) throw new TypeError('Expected a string, ArrayBuffer or view of one');
    if (bytes.length > 0) {
      beforeBytes?.();
      this.controller.enqueue(bytes);
    }
    return bytes.length;
  }

  /** A promise of `value` that is settled by `roomIsThere`. */
  room(value) {
    return new Promise((resolve) => {
      const before = this.#tellRoom;
      this.#tellRoom = () => {
        before?.();
        resolve(value);
      };
    });
  }
  roomIsThere() {
    const tell = this.#tellRoom;
    this.#tellRoom = undefined;
    tell?.();
  }
}

module.exports = { Hand };
