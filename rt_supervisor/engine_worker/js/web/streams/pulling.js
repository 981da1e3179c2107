// @ts-check
'use strict';
// Owns: the part that both controllers of readable streams share (Streams standard §4.6, §4.7): starting, and pulling from the
// source one call at a time.

const { promiseAround, upon } = require('web/streams/basics');

class PullingController {
  /** The public controller. @type {any} */
  object;
  // Fields, not assignments: a program may define setters on Object.prototype.
  /** @type {any} */
  stream;
  /** @type {any} */
  pullAlgorithm;
  /** @type {any} */
  cancelAlgorithm;
  /** @type {any} */
  highWaterMark;
  isStarted = false;
  isPulling = false;
  pullAgain = false;
  // Created once: a stream may be pulled for each chunk.
  #onPulled = () => this.#hasPulled();
  #onFailed = (reason) => this.error(reason);

  /** `pull` and `cancel` return promises. */
  constructor(stream, { pull, cancel, highWaterMark }) {
    this.stream = stream;
    this.pullAlgorithm = pull;
    this.cancelAlgorithm = cancel;
    this.highWaterMark = highWaterMark;
    stream.controller = this;
  }

  /** Pulls for the first time once the result of the source's `start` has settled. */
  start(result) {
    upon(
      promiseAround(result),
      () => {
        this.isStarted = true;
        this.pullIfNeeded();
      },
      this.#onFailed,
    );
  }

  // ReadableStreamDefaultControllerCallPullIfNeeded, ReadableByteStreamControllerCallPullIfNeeded
  pullIfNeeded() {
    if (!this.shouldPull()) return;
    if (this.isPulling) {
      this.pullAgain = true;
      return;
    }
    this.isPulling = true;
    upon(this.pullAlgorithm(), this.#onPulled, this.#onFailed);
  }

  #hasPulled() {
    this.isPulling = false;
    if (!this.pullAgain) return;
    this.pullAgain = false;
    this.pullIfNeeded();
  }

  /** Defined by the subclasses. @returns {boolean} */
  shouldPull() {
    return false;
  }
  /** Defined by the subclasses. @param {unknown} _reason */
  error(_reason) {}
}

module.exports = { PullingController };
