'use strict';
// Owns: the option `onread` of a socket: bytes go into the program's own buffers, with one call for each. When the program pauses
// the socket or returns false, the next call comes when it resumes.

const { FunctionCall, TypedArraySet, TypedArraySubarray } = require('internal/primordials');

class OnRead {
  #next;
  #buffer; // the one that is filled next
  #callback;
  #rest; // of a block that came before the socket was paused

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

  /** Go on where the socket was paused. */
  resume(socket) {
    if (socket.destroyed || socket.isPaused()) return;
    // Nothing was pushed, so to the stream the last read is still under way.
    if (this.#rest === undefined || this.give(socket, undefined)) socket._read();
  }

  /** Give what is left, then `block`; false where the socket wants no more for now. */
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
