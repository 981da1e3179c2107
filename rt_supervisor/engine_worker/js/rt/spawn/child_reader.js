'use strict';
// Owns: one stream that a child of RT.spawn writes. The pipe is read when the stream is, and the child waits when it is not.
// After the child's end what is left is taken in, so that a stream nobody reads holds no descriptor.

const { ArrayPush, ArrayShift } = require('internal/primordials');
const { PipeHandle } = require('internal/pipe_handle');

const MOST_KEPT = 1024 * 1024;

class ChildReader {
  #handle;
  #stream;
  #most;
  #overflow;
  #size = 0;
  #kept = []; // blocks taken in after the child's end
  #keptSize = 0;
  #isTakingIn = false;

  /** `overflow()` is called when more than `most` bytes were read. */
  constructor(fd, most, overflow) {
    this.#handle = new PipeHandle(fd);
    this.#most = most;
    this.#overflow = overflow;
  }

  get stream() {
    const { ReadableStream } = require('web/streams/readable');
    return (this.#stream ??= new ReadableStream(
      {
        pull: (controller) => this.#pull(controller),
        cancel: () => {
          this.#kept = [];
          this.#handle.close();
        },
      },
      { highWaterMark: 0 },
    ));
  }

  #pull(controller) {
    if (this.#isTakingIn) {
      this.#isTakingIn = false;
      this.#handle.stop();
      this.#handle.ref();
    }
    if (this.#kept.length > 0) {
      this.#deliver(controller, ArrayShift(this.#kept));
      return undefined;
    }
    if (this.#handle.isClosed) {
      controller.close();
      return undefined;
    }
    return new Promise((resolve) => {
      this.#handle.read((block) => {
        this.#handle.stop();
        this.#deliver(controller, block);
        resolve();
      });
    });
  }

  #deliver(controller, block) {
    if (block === null) {
      this.#handle.close();
      controller.close();
    } else if (typeof block === 'number') {
      this.#handle.close();
      controller.error(require('internal/errors/errors').errnoException(block, 'read'));
    } else {
      this.#size += block.length;
      controller.enqueue(block);
      if (this.#size > this.#most) {
        this.#kept = [];
        this.#handle.close();
        controller.close();
        this.#overflow();
      }
    }
  }

  /** The child has ended: take in the rest, as long as it is little; it does not keep the program alive. */
  ended() {
    if (this.#handle.isClosed || this.#handle.isReading) return;
    this.#isTakingIn = true;
    this.#handle.unref();
    this.#handle.read((block) => {
      if (block !== null && typeof block !== 'number') {
        ArrayPush(this.#kept, block);
        this.#keptSize += block.length;
        if (this.#keptSize < MOST_KEPT) return;
      } else this.#handle.close();
      this.#isTakingIn = false;
      this.#handle.stop();
      this.#handle.ref();
    });
  }

  ref() {
    this.#handle.ref();
  }
  unref() {
    this.#handle.unref();
  }
}

module.exports = { ChildReader };
