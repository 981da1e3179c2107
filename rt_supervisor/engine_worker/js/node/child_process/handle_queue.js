'use strict';
// Owns: the order of messages while a handle is in transit: later messages wait until the other side acknowledges it
// (NODE_HANDLE_ACK); after NODE_HANDLE_NACK the handle is sent again. The protocol is Node's, so either side may be Node.
//
//     idle --a handle is sent--> waiting --ack--> idle; then the queued messages are sent, up to the next handle

const runtimeParts = require('internal/parts');
const { ArrayPush, intact } = require('internal/primordials');
const { attach, detach, typeOf } = require('node/child_process/handles');
const { SocketLists } = require('node/child_process/socket_lists');

const MOST_TRIES = 4;

class HandleQueue {
  #target;
  #transmit;
  #resume;
  #waiting = null; // [[message, handle, options, callback], …] while a handle is in transit
  #pending; // that handle: { sent, descriptor, close, tries }
  #lists;

  /**
   * `transmit(message, callback, descriptor?)` writes; `resume(message, handle, options, callback)` sends a queued message.
   */
  constructor(target, transmit, resume) {
    this.#target = target;
    this.#transmit = transmit;
    this.#resume = resume;
    this.#lists = new SocketLists(target);
  }

  get isWaiting() {
    return this.#waiting !== null;
  }

  /** Queues a message behind the handle in transit; returns true for the first one. */
  wait(...entry) {
    ArrayPush(this.#waiting, entry);
    return this.#waiting.length === 1;
  }

  send(message, handle, options = {}, callback) {
    const type = typeOf(handle);
    if (this.isWaiting) return this.wait(message, handle, options, callback);
    const envelope = { cmd: 'NODE_HANDLE', type, msg: message };
    const { descriptor, close } = detach(type, handle, { message: envelope, options, lists: this.#lists });
    // The handle has been closed or sent before: the message is sent without it.
    if (descriptor < 0) return this.#transmit(message, callback);
    this.#waiting = [];
    this.#pending = { sent: envelope, descriptor, close, tries: 1 };
    return this.#transmit(
      envelope,
      (outcome) => {
        if (outcome < 0) this.forget();
        callback(outcome);
      },
      descriptor,
    );
  }

  /** The other side has acknowledged the handle, or reported that it did not arrive. */
  handleReply(hasArrived) {
    if (this.#waiting === null) return;
    const pending = this.#pending;
    if (!hasArrived && pending !== undefined && pending.close !== undefined && pending.tries < MOST_TRIES) {
      pending.tries++;
      this.#transmit(pending.sent, () => {}, pending.descriptor);
      return;
    }
    if (!hasArrived) {
      const text = 'Handle did not reach the receiving process correctly';
      runtimeParts.process.process.emitWarning(text, 'SentHandleNotReceivedWarning');
    }
    this.forget();
    const waiting = this.#waiting;
    this.#waiting = null;
    for (const { 0: message, 1: handle, 2: options, 3: callback } of intact(waiting)) {
      this.#resume(message, handle, options, callback);
    }
  }

  /** Closes the sender's descriptor of the handle in transit. */
  forget() {
    const pending = this.#pending;
    this.#pending = undefined;
    pending?.close?.();
  }

  /** A message with a handle has arrived, with `descriptor` or without. */
  receive(message, descriptor, onHandle) {
    const isThere = descriptor !== undefined;
    if (this.#target.connected) this.#transmit({ cmd: isThere ? 'NODE_HANDLE_ACK' : 'NODE_HANDLE_NACK' }, () => {});
    if (isThere) attach(message, descriptor, this.#lists, onHandle);
  }
}

module.exports = { HandleQueue };
