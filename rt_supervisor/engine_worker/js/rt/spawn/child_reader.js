'use strict';
// Owns: an output stream of a child of RT.spawn. The pipe is read on demand, and the child blocks otherwise. After the child's
// exit the rest is buffered, so that an unread stream does not hold a descriptor.

const { ArrayPush, ArrayShift } = require('internal/primordials');
const { PipeHandle } = require('internal/pipe_handle');

const MOST_KEPT = 1024 * 1024;

class ChildReader {
  #handle;
  #stream;
  #most;
  #overflow;
  #size = 0;
  #rest = []; // blocks buffered after the child's exit
  #keptSize = 0;
  #isTakingIn = false;

  /** `overflow()` is called once more than `most` bytes have been read. */
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
          this.#rest = [];
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
    if (this.#rest.length > 0) {
      this.#deliver(controller, ArrayShift(this.#rest));
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
        this.#rest = [];
        this.#handle.close();
        controller.close();
        this.#overflow();
      }
    }
  }

  /** Called when the child has exited: buffers the rest, up to a limit, without keeping the program alive. */
  handleExit() {
    if (this.#handle.isClosed || this.#handle.isReading) return;
    this.#isTakingIn = true;
    this.#handle.unref();
    this.#handle.read((block) => {
      if (block !== null && typeof block !== 'number') {
        ArrayPush(this.#rest, block);
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
