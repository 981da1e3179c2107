'use strict';
// Owns: fs.Utf8Stream, a stream for log files: it buffers up to `minLength`, runs one write at a time, and flushSync() writes
// the rest synchronously. It emits ready, write, drain, drop, finish, close and error.
//
//     opening --ready--> idle <--> writing --end()--> writing the rest --> closed
//                         `--reopen()--> opening     (destroy() closes from any state, without the rest)

const { AnySlice } = require('internal/any_kind');
const { MathMax } = require('internal/primordials');
const EventEmitter = require('node/events/events');
const fs = require('node/fs/fs');
const { codes } = require('internal/errors/errors');
const { nextTick, setTimeout, setInterval, clearInterval } = require('internal/timers');
const { checkOptions, open } = require('node/fs/utf8_file');
const { validateFunction } = require('internal/validators');
const { TextQueue, BytesQueue } = require('node/fs/utf8_queue');

const HIGH_WATER_MARK = 16387;
const RETRY_MS = 100;
const STANDARD_ERROR = 2;
const isBusy = (error) => error.code === 'EAGAIN' || error.code === 'EBUSY';
const doNothing = () => {};
const pause = () => host.native.process_sleep(RETRY_MS);

class Utf8Stream extends EventEmitter {
  #options;
  #calls; // the functions of fs
  #fd = -1;
  #file = null;
  #queue;
  #current = ''; // the write in progress
  #length = 0; // of pending and current writes
  #isOpening = false;
  #isWriting = false;
  #isReopening = false;
  #isEnding = false;
  #isDestroyed = false;
  #isFlushing = false; // a callback of flush() is pending
  #willDrain = false;
  #timer;

  constructor(options = undefined) {
    super();
    const fd = options?.fd;
    const place = fd ?? options?.dest;
    this.#options = options = checkOptions(options);
    this.#calls = { ...fs, ...options.fs };
    this.#queue = new (options.contentMode === 'buffer' ? BytesQueue : TextQueue)(options.maxWrite);
    this.#current = options.contentMode === 'buffer' ? require('node/buffer/buffer').Buffer.alloc(0) : '';
    if (typeof place === 'number') {
      this.#fd = place;
      nextTick(() => this.emit('ready'));
    } else if (typeof place === 'string') {
      this.#open(place);
    } else {
      throw new codes.ERR_INVALID_ARG_TYPE('fd', ['number', 'string'], place);
    }
    this.on('newListener', (name) => {
      if (name === 'drain') this.#willDrain = false;
    });
    if (options.periodicFlush !== 0) {
      this.#timer = setInterval(() => this.flush(), options.periodicFlush);
      this.#timer.unref();
    }
  }

  // --- the file

  #open(file) {
    this.#isOpening = true;
    this.#isWriting = true;
    this.#willDrain = false;
    const { sync } = this.#options;
    try {
      open(this.#calls, file, this.#options, (error, fd) => {
        if (!error) {
          this.#handleOpen(file, fd);
          return;
        }
        this.#failOpening();
        this.emit('error', error);
      });
    } catch (error) {
      this.#failOpening();
      if (sync) nextTick(() => this.listenerCount('error') > 0 && this.emit('error', error));
      throw error;
    }
  }

  #failOpening() {
    this.#isOpening = this.#isWriting = this.#isReopening = false;
  }

  #handleOpen(file, fd) {
    this.#fd = fd;
    this.#file = file;
    const wasReopening = this.#isReopening;
    this.#isOpening = this.#isWriting = this.#isReopening = false;
    if (this.#options.sync) nextTick(() => this.emit('ready'));
    else this.emit('ready');
    if (this.#isDestroyed || this.#isWriting) return;
    if (this.#length > this.#options.minLength || this.#isFlushing) this.#writeNext();
    else if (wasReopening) nextTick(() => this.emit('drain'));
  }

  #checkAlive() {
    if (this.#isDestroyed) throw new codes.ERR_INVALID_STATE('Utf8Stream is destroyed');
  }

  reopen(file = undefined) {
    this.#checkAlive();
    if (this.#isOpening) {
      this.once('ready', () => this.reopen(file));
      return;
    }
    if (this.#isEnding) return;
    if (!this.#file)
      throw new codes.ERR_OPERATION_FAILED('Unable to reopen a file descriptor, you must pass a file to SonicBoom');
    if (file) this.#file = file;
    this.#isReopening = true;
    if (this.#isWriting) return;
    const old = this.#fd;
    this.once('ready', () => {
      if (old === this.#fd) return;
      this.#calls.close(old, (error) => {
        if (error) this.emit('error', error);
      });
    });
    this.#open(this.#file);
  }

  // --- writing

  write(data) {
    this.#queue.check(data);
    this.#checkAlive();
    const length = this.#length + data.length;
    const { maxLength, minLength } = this.#options;
    if (maxLength && length > maxLength) {
      this.emit('drop', data);
      return this.#length < HIGH_WATER_MARK;
    }
    this.#queue.push(data);
    this.#length = length;
    if (!this.#isWriting && length >= minLength) this.#writeNext();
    return this.#length < HIGH_WATER_MARK;
  }

  #writeNext() {
    this.#isWriting = true;
    if (this.#current.length === 0) this.#current = this.#queue.shift();
    this.#writeCurrent();
  }

  #writeCurrent() {
    const { sync, contentMode } = this.#options;
    if (!sync) {
      const written = (error, count) => this.#handleWritten(error, count);
      if (contentMode === 'utf8') this.#calls.write(this.#fd, this.#current, 'utf8', written);
      else this.#calls.write(this.#fd, this.#current, written);
      return;
    }
    let count;
    try {
      count = this.#writeSync(this.#current);
    } catch (error) {
      this.#handleWritten(error);
      return;
    }
    this.#handleWritten(null, count);
  }

  /** Accounts for written bytes of `piece`; returns its remainder. */
  #consume(piece, count) {
    const rest = this.#queue.after(piece, count);
    this.#length = MathMax(this.#length - (piece.length - rest.length), 0);
    return rest;
  }

  #handleWritten(error, count) {
    if (error) {
      this.#handleError(error);
      return;
    }
    this.emit('write', count);
    this.#current = this.#consume(this.#current, count);
    if (this.#current.length > 0) {
      this.#writeCurrent();
      return;
    }
    if (this.#options.fsync) this.#calls.fsyncSync(this.#fd);
    this.#continue();
  }

  #handleError(error) {
    const { sync, retryEAGAIN } = this.#options;
    if (isBusy(error) && retryEAGAIN(error, this.#current.length, this.#length - this.#current.length)) {
      if (sync) {
        pause();
        this.#writeCurrent();
      } else {
        setTimeout(() => this.#writeCurrent(), RETRY_MS);
      }
      return;
    }
    this.#isWriting = false;
    this.emit('error', error);
  }

  /** Continues after a piece: with the next one, another file, the end, or nothing for now. */
  #continue() {
    if (this.#isReopening) {
      this.#isWriting = false;
      this.#isReopening = false;
      this.reopen();
    } else if (this.#length > this.#options.minLength || (this.#isEnding && this.#length > 0)) {
      this.#writeNext();
    } else if (this.#isEnding) {
      this.#isWriting = false;
      this.#close();
    } else {
      this.#isWriting = false;
      if (!this.#options.sync) {
        this.emit('drain');
      } else if (!this.#willDrain) {
        this.#willDrain = true;
        nextTick(() => {
          if (this.#willDrain || this.listenerCount('drain') > 0) this.emit('drain');
          this.#willDrain = false;
        });
      }
    }
  }

  flush(callback = doNothing) {
    validateFunction(callback, 'cb');
    if (this.#isDestroyed) {
      const error = new codes.ERR_INVALID_STATE('Utf8Stream is destroyed');
      if (callback === doNothing) throw error;
      callback(error);
      return;
    }
    if (this.#options.minLength <= 0) {
      callback();
      return;
    }
    if (callback !== doNothing) this.#callAfterDrain(callback);
    if (this.#isWriting) return;
    this.#writeNext();
  }

  #callAfterDrain(callback) {
    this.#isFlushing = true;
    const onDrain = () => {
      this.off('error', onError);
      if (this.#options.fsync || this.#isDestroyed) {
        this.#isFlushing = false;
        callback();
        return;
      }
      this.#calls.fsync(this.#fd, (error) => {
        this.#isFlushing = false;
        callback(error?.code === 'EBADF' ? null : error); // it was closed meanwhile
      });
    };
    const onError = (error) => {
      this.#isFlushing = false;
      this.off('drain', onDrain);
      callback(error);
    };
    this.once('drain', onDrain);
    this.once('error', onError);
  }

  /** Performs one synchronous write; returns the number of bytes written. */
  #writeSync(piece) {
    if (this.#options.contentMode === 'utf8') return this.#calls.writeSync(this.#fd, piece, 'utf8');
    return this.#calls.writeSync(this.#fd, piece);
  }

  flushSync() {
    this.#checkAlive();
    if (this.#fd < 0) throw new codes.ERR_INVALID_STATE('Invalid file descriptor');
    const { retryEAGAIN } = this.#options;
    if (!this.#isWriting && this.#current.length > 0) {
      this.#queue.unshift(this.#current);
      this.#current = AnySlice(this.#current, 0, 0);
    }
    while (!this.#queue.isEmpty) {
      let piece = this.#queue.shift();
      while (piece.length > 0) {
        try {
          piece = this.#consume(piece, this.#writeSync(piece));
        } catch (error) {
          if (!isBusy(error) || !retryEAGAIN(error, piece.length, this.#length - piece.length)) {
            this.#queue.unshift(piece);
            throw error;
          }
          pause();
        }
      }
    }
    try {
      this.#calls.fsyncSync(this.#fd);
    } catch {
      // Only regular files can be synchronised, not pipes or terminals.
    }
  }

  // --- the end

  end() {
    this.#checkAlive();
    if (this.#isOpening) {
      this.once('ready', () => this.end());
      return;
    }
    if (this.#isEnding) return;
    this.#isEnding = true;
    if (this.#isWriting) return;
    if (this.#length > 0 && this.#fd >= 0) this.#writeNext();
    else this.#close();
  }

  destroy() {
    if (!this.#isDestroyed) this.#close();
  }

  #close() {
    if (this.#fd === -1) {
      this.once('ready', () => this.#close());
      return;
    }
    clearInterval(this.#timer);
    this.#isDestroyed = true;
    const closed = (error) => {
      if (error) {
        this.emit('error', error);
        return;
      }
      if (this.#isEnding && !this.#isWriting) this.emit('finish');
      this.emit('close');
    };
    const close = () => {
      if (this.#fd > 0 && this.#fd <= STANDARD_ERROR) closed(null);
      else this.#calls.close(this.#fd, closed);
    };
    if (this.#options.fsync)
      close(); // each write was followed by an fsync
    else this.#calls.fsync(this.#fd, close);
  }

  [Symbol.dispose]() {
    this.destroy();
  }

  get mode() {
    return this.#options.mode;
  }
  get file() {
    return this.#file;
  }
  get fd() {
    return this.#fd;
  }
  get writing() {
    return this.#isWriting;
  }
  get minLength() {
    return this.#options.minLength;
  }
  get maxLength() {
    return this.#options.maxLength;
  }
  get sync() {
    return this.#options.sync;
  }
  get fsync() {
    return this.#options.fsync;
  }
  get append() {
    return this.#options.append;
  }
  get periodicFlush() {
    return this.#options.periodicFlush;
  }
  get contentMode() {
    return this.#options.contentMode;
  }
  get mkdir() {
    return this.#options.mkdir;
  }
}

module.exports = { Utf8Stream };
