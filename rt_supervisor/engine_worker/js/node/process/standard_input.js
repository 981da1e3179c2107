'use strict';
// Owns: process.stdin where reads may block (a pipe, a terminal, a device), and tty.ReadStream. It is read on demand; paused,
// it does not keep the program alive.

const native = host.native;
const Readable = require('node/stream/readable');
const { PipeHandle } = require('internal/pipe_handle');
const { removeHandle, addHandle } = require('internal/active_handles');
const { nextTick } = require('internal/timers');
const { errnoException } = require('internal/errors/errors');

const EBADF = -9;
const EIO = -5;
const EINVAL = -22;

class StandardInput extends Readable {
  #handle;

  constructor(descriptor, options) {
    super({ highWaterMark: 65536, ...options });
    this.fd = descriptor;
    this.#handle = new PipeHandle(descriptor);
    addHandle(this, StandardInput.#activity);
    // In the next tick: the program may resume it in this one.
    this.on('pause', () => nextTick(() => this.#stopIfPaused()));
  }

  /** Node's name for the handle, which programs unref or close; null once the stream is destroyed. */
  get _handle() {
    return this.destroyed ? null : this.#handle;
  }

  /** The active-handle name while the stream may keep the program alive. */
  static #activity(stream) {
    if (!stream.#handle.hasRef()) return undefined;
    return stream.isTTY ? 'TTYWrap' : 'PipeWrap';
  }

  #stopIfPaused() {
    if (!this.#handle.isReading || this.readableFlowing) return;
    this.#handle.stop();
    this._readableState.reading = false;
  }

  _read() {
    if (this.readableFlowing === false && this._readableState.paused && this.listenerCount('readable') === 0) {
      this._readableState.reading = false; // paused: the buffer is not filled ahead
      return;
    }
    if (this.#handle.isClosed) this.destroy(errnoException(EINVAL, 'read'));
    else this.#handle.read((block) => this.#take(block));
  }

  #take(block) {
    if (typeof block === 'number' && block !== EBADF && block !== EIO) {
      this.destroy(errnoException(block, 'read'));
    } else if (block === null || typeof block === 'number') {
      this.push(null); // also for a descriptor that never existed, and for a terminal that has hung up
    } else {
      if (!this.push(require('node/buffer/views').asBuffer(block))) this.#handle.stop();
    }
  }

  _destroy(error, callback) {
    this.#handle.stop();
    removeHandle(this);
    callback(error);
  }
  ref() {
    this.#handle.ref();
    return this;
  }
  unref() {
    this.#handle.unref();
    return this;
  }
}

class TerminalInput extends StandardInput {
  constructor(descriptor, options) {
    super(descriptor, options);
    this.isRaw = false;
  }

  setRawMode(isRaw) {
    native.process_setRawMode(this.fd, Boolean(isRaw));
    this.isRaw = Boolean(isRaw);
    return this;
  }
  _destroy(error, callback) {
    if (this.isRaw) this.setRawMode(false);
    super._destroy(error, callback);
  }
}
TerminalInput.prototype.isTTY = true;

module.exports = { StandardInput, TerminalInput };
