'use strict';
// Owns: one end of a channel as in Node: adds send, disconnect, connected and channel to a ChildProcess, or to `process`
// under a parent that opened a channel. Messages wait until there is a listener. Handles sent with them are in
// node/child_process/handle_queue.js.

const { ArrayIncludes, ArrayPush, StringStartsWith, intact } = require('internal/primordials');
const EventEmitter = require('node/events/events');
const { Channel } = require('node/child_process/ipc_channel');
const { codes, errnoException } = require('internal/errors/errors');

/**
 * The `channel` of a target: keeps the program alive while there are listeners, or as ref() and unref() of the program
 * determine.
 */
class Control extends EventEmitter {
  #channel;
  #listeners = 0;
  #isForced = null; // ref() and unref() of the program override the listener count

  constructor(channel) {
    super();
    this.#channel = channel;
  }

  get fd() {
    return this.#channel.fd;
  }
  refCounted() {
    if (++this.#listeners === 1 && this.#isForced === null) this.#channel.ref();
  }
  unrefCounted() {
    if (--this.#listeners === 0 && this.#isForced === null) {
      this.#channel.unref();
      this.emit('unref');
    }
  }
  ref() {
    this.#isForced = true;
    this.#channel.ref();
  }
  unref() {
    this.#isForced = false;
    this.#channel.unref();
  }
}

function checkMessage(message) {
  if (message === undefined) throw new codes.ERR_MISSING_ARGS('message');
  if (!ArrayIncludes(['string', 'object', 'number', 'boolean'], typeof message)) {
    throw new codes.ERR_INVALID_ARG_TYPE('message', ['string', 'object', 'number', 'boolean'], message);
  }
}

const isInternal = (message) =>
  message !== null && typeof message === 'object' && typeof message.cmd === 'string' && StringStartsWith(message.cmd, 'NODE_');

/**
 * Opens the channel `fd` for `target`; unless `isKeeping`, only listeners keep the program alive. `onClosed` is called when
 * it is closed, after 'disconnect'.
 */
function openChannel(target, fd, serialization, { isKeeping, onClosed }) {
  let waiting = [];
  const channel = new Channel(
    fd,
    serialization,
    (message) => {
      if (!isInternal(message)) host.nextTick(deliver, 'message', message);
      else if (message.cmd === 'NODE_HANDLE_ACK' || message.cmd === 'NODE_HANDLE_NACK') handleReply(message.cmd);
      else if (message.cmd === 'NODE_HANDLE') {
        handles().receive(message, channel.takeDescriptor(), (handle) =>
          host.nextTick(deliver, isInternal(message.msg) ? 'internalMessage' : 'message', message.msg, handle),
        );
      } else host.nextTick(deliver, 'internalMessage', message);
    },
    () => {
      if (target.connected) {
        target.connected = false;
        target._disconnect();
      } else if (target.channel !== null) target._disconnect();
    },
  );
  if (!isKeeping) channel.unref();
  const control = new Control(channel);

  let queue; // created with the first handle
  const handles = () =>
    (queue ??= new (require('node/child_process/handle_queue').HandleQueue)(
      target,
      (message, callback, descriptor) => channel.send(message, callback, descriptor),
      (...message) => transmit(...intact(message)),
    ));
  function handleReply(cmd) {
    queue?.handleReply(cmd === 'NODE_HANDLE_ACK');
    if (!target.connected && target.channel !== null && !queue?.isWaiting) target._disconnect();
  }
  /** Sends a message, with or without a handle, in order. */
  function transmit(message, handle, options, callback) {
    if (handle !== undefined && handle !== null) return handles().send(message, handle, options, callback);
    if (queue?.isWaiting) return queue.wait(message, handle, options, callback);
    return channel.send(message, callback);
  }

  function deliver(name, message, handle) {
    if (name === 'internalMessage' || target.listenerCount('message') > 0) target.emit(name, message, handle);
    else ArrayPush(waiting, [message, handle]);
  }
  target.on('newListener', () => {
    if (waiting.length > 0) {
      host.nextTick(() => {
        if (target.channel === null || target.listenerCount('message') === 0) return;
        const messages = waiting;
        waiting = [];
        for (const { 0: message, 1: handle } of intact(messages)) target.emit('message', message, handle);
      });
    }
  });

  target.channel = control;
  target.connected = true;

  target.send = function send(message, handle, options, callback) {
    if (typeof handle === 'function') [callback, handle] = intact([handle, undefined]);
    else if (typeof options === 'function') callback = options;
    else if (options !== undefined) require('internal/validators').validateObject(options, 'options');
    if (!this.connected) return fail(new codes.ERR_IPC_CHANNEL_CLOSED(), callback);
    checkMessage(message);
    return transmit(message, handle, typeof options === 'object' && options !== null ? options : undefined, (outcome) => {
      if (outcome < 0) fail(errnoException(outcome, 'write'), callback);
      else if (typeof callback === 'function') callback(null);
    });
  };

  function fail(error, callback) {
    if (typeof callback === 'function') host.nextTick(callback, error);
    else host.nextTick(() => target.emit('error', error));
    return false;
  }

  target.disconnect = function disconnect() {
    if (!this.connected) {
      this.emit('error', new codes.ERR_IPC_DISCONNECTED());
      return;
    }
    this.connected = false;
    if (!queue?.isWaiting) this._disconnect(); // otherwise when the handle in transit has arrived
  };
  target._disconnect = function _disconnect() {
    this.channel = null;
    queue?.forget();
    host.nextTick(() => {
      channel.close();
      target.emit('disconnect');
      onClosed();
    });
  };
  return control;
}

module.exports = { openChannel };
