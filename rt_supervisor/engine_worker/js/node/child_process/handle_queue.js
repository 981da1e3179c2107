'use strict';
// Owns: the order of messages while a handle is on its way: what follows it waits until the other side acknowledges it
// (NODE_HANDLE_ACK); after NODE_HANDLE_NACK the handle is sent again. The protocol is Node's: either side may be Node.
//
//     idle --a handle is sent--> waiting --ack--> idle, and what waits goes, up to the next handle

const handedDown = require('internal/parts');
const { ArrayPush, intact } = require('internal/primordials');
const { attach, detach, typeOf } = require('node/child_process/handles');
const { SocketLists } = require('node/child_process/socket_lists');

const MOST_TRIES = 4;

class HandleQueue {
  #target;
  #transmit;
  #resume;
  #waiting = null; // [[message, handle, options, callback], …] while a handle is on its way
  #pending; // that handle: { sent, descriptor, close, tries }
  #lists;

  /** `transmit(message, callback, descriptor?)` writes; `resume(message, handle, options, callback)` sends what has waited. */
  constructor(target, transmit, resume) {
    this.#target = target;
    this.#transmit = transmit;
    this.#resume = resume;
    this.#lists = new SocketLists(target);
  }

  get isWaiting() {
    return this.#waiting !== null;
  }

  /** Have a message wait behind the handle that is on its way; true for the first one. */
  wait(...entry) {
    ArrayPush(this.#waiting, entry);
    return this.#waiting.length === 1;
  }

  send(message, handle, options = {}, callback) {
    const type = typeOf(handle);
    if (this.isWaiting) return this.wait(message, handle, options, callback);
    const sent = { cmd: 'NODE_HANDLE', type, msg: message };
    const { descriptor, close } = detach(type, handle, { message: sent, options, lists: this.#lists });
    // A handle that is gone, or was sent before: the message goes alone.
    if (descriptor < 0) return this.#transmit(message, callback);
    this.#waiting = [];
    this.#pending = { sent, descriptor, close, tries: 1 };
    return this.#transmit(
      sent,
      (outcome) => {
        if (outcome < 0) this.forget();
        callback(outcome);
      },
      descriptor,
    );
  }

  /** The other side has acknowledged the handle, or said that it did not arrive. */
  answered(hasArrived) {
    if (this.#waiting === null) return;
    const pending = this.#pending;
    if (!hasArrived && pending !== undefined && pending.close !== undefined && pending.tries < MOST_TRIES) {
      pending.tries++;
      this.#transmit(pending.sent, () => {}, pending.descriptor);
      return;
    }
    if (!hasArrived) {
      const text = 'Handle did not reach the receiving process correctly';
      handedDown.process.process.emitWarning(text, 'SentHandleNotReceivedWarning');
    }
    this.forget();
    const waiting = this.#waiting;
    this.#waiting = null;
    for (const { 0: message, 1: handle, 2: options, 3: callback } of intact(waiting)) {
      this.#resume(message, handle, options, callback);
    }
  }

  /** Close the sender's own descriptor of the handle on its way. */
  forget() {
    const pending = this.#pending;
    this.#pending = undefined;
    pending?.close?.();
  }

  /** A message with a handle has come, with `descriptor` or without any. */
  receive(message, descriptor, taken) {
    const isThere = descriptor !== undefined;
    if (this.#target.connected) this.#transmit({ cmd: isThere ? 'NODE_HANDLE_ACK' : 'NODE_HANDLE_NACK' }, () => {});
    if (isThere) attach(message, descriptor, this.#lists, taken);
  }
}

module.exports = { HandleQueue };
