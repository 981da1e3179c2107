// @ts-check
'use strict';
// Owns: the state shared by the controllers that programs write with: bytes are accepted until the stream is closed or errored,
// which happens once, and callers can wait for room in the queue.

const { bytesOf } = require('internal/bytes');

/** Writes to a stream on behalf of a program, once `controller` is set. */
class ProgramWriter {
  /** @type {any} */
  controller;
  isOver = false;
  /** @type {(() => void) | undefined} */
  #signalRoom;

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
   * Writes a string or a copy of bytes. Returns the number of bytes. The stream may pull again before this returns.
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

  /** Returns a promise of `value` that `releaseRoom` resolves. */
  room(value) {
    return new Promise((resolve) => {
      const before = this.#signalRoom;
      const signalRoom = () => {
        before?.();
        resolve(value);
      };
      this.#signalRoom = signalRoom;
    });
  }
  releaseRoom() {
    const signalRoom = this.#signalRoom;
    this.#signalRoom = undefined;
    signalRoom?.();
  }
}

module.exports = { ProgramWriter };
