// @ts-check
'use strict';
// Owns: the lifecycle of an Http2Stream: the states of the stream as a whole and of its two halves, and the transitions.

const NO_ERROR = 0;

const OPEN = 'open';
const CLOSING = 'closing';
const CLOSED = 'closed';
const ENDING = 'ending';
const AWAITING_TRAILERS = 'awaiting trailers';
const ENDED = 'ended';

/**
 * The stream:      OPEN --close() with writes pending--> CLOSING --'finish'--> CLOSED
 *                  OPEN, CLOSING --both halves ended, RST_STREAM, destroy()--> CLOSED
 * The local half:  OPEN --end()--> ENDING [--all sent--> AWAITING_TRAILERS] --END_STREAM sent--> ENDED
 * The remote half: OPEN --END_STREAM received--> ENDED
 *
 * Independently of that, a stream is pending until the session assigns its ID; it can be closed before. Once CLOSED, received
 * data can still be read; the Duplex is destroyed after that.
 */
class StreamLifecycle {
  #state = OPEN;
  #local = OPEN;
  #remote = OPEN;
  code = NO_ERROR; // the error code with which it was closed

  get isOpen() {
    return this.#state === OPEN;
  }
  get isClosed() {
    return this.#state === CLOSED;
  }
  get isEnding() {
    return this.#local === ENDING || this.#local === AWAITING_TRAILERS;
  }
  get isAwaitingTrailers() {
    return this.#local === AWAITING_TRAILERS;
  }
  get isLocalEnded() {
    return this.#local === ENDED;
  }
  get isRemoteEnded() {
    return this.#remote === ENDED;
  }
  get hasEnded() {
    return this.#local === ENDED && this.#remote === ENDED;
  }

  startEnding() {
    this.#local = ENDING;
  }
  awaitTrailers() {
    this.#local = AWAITING_TRAILERS;
  }
  endLocal() {
    this.#local = ENDED;
  }
  endRemote() {
    this.#remote = ENDED;
  }
  startClosing() {
    this.#state = CLOSING;
  }
  /** Enters CLOSED. Returns whether the stream was OPEN, so that its 'close' has yet to be published. @param {number} code */
  close(code) {
    const wasOpen = this.#state === OPEN;
    this.#state = CLOSED;
    this.code = code;
    return wasOpen;
  }
}

module.exports = { StreamLifecycle };
