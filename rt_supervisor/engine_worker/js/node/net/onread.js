'use strict';
// Owns: the `onread` option of a socket: bytes are read into the program's buffers, with one call for each. After the program
// pauses the socket or returns false, the next call comes when it resumes.

const { FunctionCall, TypedArraySet, TypedArraySubarray } = require('internal/primordials');

class OnRead {
  #next;
  #buffer; // the next buffer to fill
  #callback;
  #rest; // of a block that arrived before the pause

  constructor({ buffer, callback }) {
    this.#next = typeof buffer === 'function' ? buffer : () => buffer;
    this.#callback = callback;
  }

  begin() {
    this.#buffer ??= this.#next();
  }

  get hasRest() {
    return this.#rest !== undefined;
  }

  /** Continues where the socket was paused. */
  resume(socket) {
    if (socket.destroyed || socket.isPaused()) return;
    // Nothing was pushed, so for the stream the last read is still pending.
    if (this.#rest === undefined || this.give(socket, undefined)) socket._read();
  }

  /** Delivers the rest, then `block`; returns false if the socket wants no more for now. */
  give(socket, block) {
    const whole = this.#rest ?? block;
    this.#rest = undefined;
    for (let done = 0; done < whole.length;) {
      const buffer = this.#buffer;
      const part = TypedArraySubarray(whole, done, done + buffer.length);
      TypedArraySet(buffer, part);
      done += part.length;
      const answer = FunctionCall(this.#callback, socket, part.length, buffer);
      this.#buffer = this.#next();
      if (socket.destroyed) return false;
      if (answer === false || socket.isPaused()) {
        if (done < whole.length) this.#rest = TypedArraySubarray(whole, done);
        return false;
      }
    }
    return true;
  }
}

module.exports = { OnRead };
