// @ts-check
'use strict';
// Owns: messages on their way out of a socket: sent at once, or in their order as soon as there is room.

const { ArrayPush, ArrayReduce, ArrayShift } = require('internal/primordials');

const { native } = host;
const EAGAIN = -11;

class Outgoing {
  #waiting = []; // { data, found, port, done }: the message, an address, and who is told how many bytes went, or an errno
  #descriptorOf;

  /** `descriptorOf` gives the socket's descriptor, undefined once it is closed. */
  constructor(descriptorOf) {
    this.#descriptorOf = descriptorOf;
  }

  get length() {
    return this.#waiting.length;
  }
  get bytes() {
    return ArrayReduce(this.#waiting, (sum, { data }) => sum + data.length, 0);
  }

  send(message) {
    if (this.#waiting.length === 0) {
      const outcome = native.dgram_send(this.#descriptorOf(), message.data, message.found, message.port);
      if (outcome !== EAGAIN) {
        message.done(outcome);
        return;
      }
    }
    ArrayPush(this.#waiting, message);
    if (this.#waiting.length === 1) this.#sendNext();
  }

  #sendNext() {
    const first = this.#waiting[0];
    const descriptor = this.#descriptorOf();
    if (first === undefined || descriptor === undefined) return;
    native.dgram_sendLater(descriptor, first.data, first.found, first.port, (outcome) => {
      ArrayShift(this.#waiting);
      first.done(outcome);
      this.#sendNext();
    });
  }
}

module.exports = { Outgoing };
