'use strict';
// Owns: a body that arrives from the network, buffered between the connection and the program. The program reads it as a whole,
// or as a stream with backpressure to the connection.

const { ArrayPush, ArrayShift, TypedArraySet, TypedArraySubarray, WeakRefDeref } = require('internal/primordials');
const { addAwaiting, addPlace } = require('internal/errors/places');
const { concatArrayBuffers, unclearedBytes } = require('internal/bytes');

const HIGH_WATER_MARK = 64 * 1024;
const MOST_AHEAD = 16 * 1024 * 1024; // bytes that are reserved because of an announced length

/** Returns bytes with an exclusive buffer, which the program may keep. (A Buffer's `slice` would share it.) */
const alone = (chunk) => (chunk.byteLength === chunk.buffer.byteLength ? new Uint8Array(chunk.buffer) : new Uint8Array(chunk));

class Feed {
  #chunks = [];
  #size = 0;
  #isEnded = false;
  #error;
  #wake; // resolves the promise of a waiting reader
  #isHeld = false;
  #isWhole = false; // the body is read as a whole: no backpressure
  #target; // receives a body of announced length that is read as a whole; `#size` bytes are in it
  onDrained; // called once everything has arrived and been read

  /**
   * `source` has pause(), resume(), cancel(reason), announced() (the length of the body if the header contains it, else NaN)
   * and `place`, that of the request (internal/errors/places). It may have targetFor(length), which returns memory for the whole
   * body: what follows the chunks so far is written there, and `filled` called.
   */
  constructor(source) {
    this.source = source;
  }

  /** Appends a chunk; returns false if the source should pause. */
  push(bytes) {
    const target = this.#target;
    if (target !== undefined) {
      if (this.#size + bytes.length <= target.length) {
        TypedArraySet(target, bytes, this.#size);
        this.#size += bytes.length;
        return true;
      }
      this.#endTarget(); // the body is longer than announced
    }
    ArrayPush(this.#chunks, bytes);
    this.#size += bytes.length;
    this.#wakeReader();
    if (this.#isWhole || this.#size < HIGH_WATER_MARK) return true;
    this.#isHeld = true;
    return false;
  }
  /** Counts bytes that the source has written into the target. */
  filled(count) {
    this.#size += count;
  }
  /** Returns the last `count` bytes in the target. */
  lastFilled(count) {
    return TypedArraySubarray(this.#target, this.#size - count, this.#size);
  }
  end() {
    this.#isEnded = true;
    this.#wakeReader();
  }
  fail(error) {
    if (this.#isEnded || this.#error !== undefined) return;
    this.#error = { error };
    this.#wakeReader();
  }
  /** Discards what has not been read; readers get `reason`. Has no effect once everything has been read. */
  abort(reason) {
    if (this.isDrained || this.#error !== undefined) return;
    this.#chunks = [];
    this.#error = { error: reason };
    this.#wakeReader();
  }
  /** Makes an abort of `signal` discard the unread body. The signal does not keep the body alive. */
  followSignal(signal) {
    if (this.isDrained) return;
    const feed = new WeakRef(this);
    const listening = require('web/abort').addAbortListener(signal, () => WeakRefDeref(feed)?.abort(signal.reason));
    const onDrained = () => listening[Symbol.dispose]();
    this.onDrained = onDrained;
  }
  /** Whether the whole body has arrived and been read. */
  get isDrained() {
    return this.#isEnded && this.#chunks.length === 0;
  }

  #wakeReader() {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }
  #more() {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
  #release() {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.source.resume();
  }

  /** Waits for the end and returns the whole body, with an exclusive buffer. */
  async bytes() {
    if (!this.hasArrived) await this.#whole();
    return this.takeBytes();
  }
  async #whole() {
    this.#isWhole = true;
    const length = this.source.announced?.();
    if (length > HIGH_WATER_MARK && length <= MOST_AHEAD && length >= this.#size) this.#reserve(length);
    this.#release();
    while (!this.#isEnded && this.#error === undefined) await this.#more();
    if (this.#error !== undefined) throw addAwaiting(this.#error.error);
  }
  /** Collects the body in one buffer as it arrives: each byte is copied once, and chunks do not pile up. */
  #reserve(length) {
    const chunks = this.#chunks;
    const target = this.source.targetFor?.(length) ?? unclearedBytes(length);
    this.#chunks = [target];
    this.#size = 0;
    this.#target = target;
    for (let index = 0; index < chunks.length; index++) this.push(chunks[index]);
  }
  /** Makes what has been collected an ordinary chunk. */
  #endTarget() {
    if (this.#size < this.#target.length) this.#chunks[0] = TypedArraySubarray(this.#target, 0, this.#size);
    this.#target = undefined;
  }
  /** Whether the whole body can be taken. */
  get hasArrived() {
    return this.#isEnded && this.#error === undefined;
  }
  /** Takes a body that has arrived, with an exclusive buffer. */
  takeBytes() {
    return alone(this.takeView());
  }
  /** As `takeBytes`, for callers that only read the bytes: the buffer may contain others. */
  takeView() {
    const chunks = this.#chunks;
    if (this.#target !== undefined && this.#size < this.#target.length)
      chunks[0] = TypedArraySubarray(this.#target, 0, this.#size);
    this.#chunks = [];
    this.#target = undefined;
    this.onDrained?.();
    return chunks.length === 1 ? chunks[0] : concatArrayBuffers(chunks, Infinity, true);
  }

  stream() {
    const { ReadableStream } = require('web/streams/all');
    return new ReadableStream({
      type: 'bytes',
      pull: async (controller) => {
        while (this.#chunks.length === 0 && !this.#isEnded && this.#error === undefined) {
          this.#release();
          await this.#more();
        }
        if (this.#chunks.length > 0) {
          const chunk = ArrayShift(this.#chunks);
          this.#size -= chunk.length;
          if (this.#size < HIGH_WATER_MARK) this.#release();
          controller.enqueue(alone(chunk));
          if (this.isDrained) this.onDrained?.();
        } else if (this.#error !== undefined) {
          controller.error(addPlace(this.#error.error, this.source.place));
        } else {
          controller.close();
          controller.byobRequest?.respond(0);
        }
      },
      cancel: (reason) => {
        this.#chunks = [];
        this.#isWhole = true;
        this.source.cancel(reason);
      },
    });
  }
}

module.exports = { Feed };
