// @ts-check
'use strict';
// Owns: outgoing messages of a socket: sent immediately, or queued in order until there is room; and the socket's
// node:async_hooks resource.

const { ArrayIncludes, ArrayPush, ArrayReduce, ArrayShift } = require('internal/primordials');
const { givenFlags } = require('internal/given_flags');
const runtimeParts = require('internal/parts');

const { native } = host;
const context = require('internal/async/context');
const { removeHandle, addHandle } = require('internal/active_handles');
const EAGAIN = -11;

let triesFirst; // whether a message is sent before it is queued: not with --test-udp-no-try-send

class Outgoing {
  #waiting = []; // { data, found, port, done }: the message, an address, and `done(bytes sent or a negative errno)`
  #descriptorOf;
  #owner;
  #resource = context.isUsed ? context.initResource({}, 'UDPWRAP') : undefined; // the socket's, for node:async_hooks

  /** `descriptorOf` returns the socket's descriptor, undefined once it is closed. */
  constructor(descriptorOf) {
    this.#descriptorOf = descriptorOf;
  }

  /** Registers the handle of `owner`, which keeps the program alive while `isReferenced()`. */
  open(owner, isReferenced) {
    this.#owner = owner;
    addHandle(owner, () => (isReferenced() ? 'UDPWrap' : undefined));
  }

  get length() {
    return this.#waiting.length;
  }
  get bytes() {
    return ArrayReduce(this.#waiting, (sum, { data }) => sum + data.length, 0);
  }

  /** Calls `callback` for each received message. */
  receive(descriptor, callback) {
    native.dgram_receive(descriptor, this.#resource === undefined ? callback : context.bindTo(this.#resource, callback));
  }

  close(descriptor) {
    if (descriptor >= 0) native.dgram_close(descriptor);
    removeHandle(this.#owner);
    if (this.#resource !== undefined) context.endResource(this.#resource);
  }

  send(message) {
    triesFirst ??= !ArrayIncludes(givenFlags(runtimeParts.process.process), '--test-udp-no-try-send');
    if (triesFirst && this.#waiting.length === 0) {
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
    const done = (outcome) => {
      ArrayShift(this.#waiting);
      first.done(outcome);
      this.#sendNext();
    };
    const callback = context.isUsed ? context.bindTo(context.initResource({}, 'UDPSENDWRAP', this.#resource), done, true) : done;
    native.dgram_sendLater(descriptor, first.data, first.found, first.port, callback);
  }
}

module.exports = { Outgoing };
