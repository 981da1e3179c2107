// @ts-check
'use strict';
// Owns: the IPC channel of RT.spawn: `ipc`, `serialization`, `onDisconnect`.

const { ArrayPush, intact } = require('internal/primordials');
const { reportingPairs } = require('internal/watch_channel');
const { Channel } = require('node/child_process/ipc_channel');
const { typeError } = require('rt/spawn/options');

/** Adds a socket after the child's other descriptors, and passes its number in the child's environment. */
function addChannel(request, { serialization = 'advanced' }) {
  if (serialization !== 'json' && serialization !== 'advanced') throw typeError('serialization must be "json" or "advanced"');
  ArrayPush(request.env, `NODE_CHANNEL_FD=${request.stdio.length}`, `NODE_CHANNEL_SERIALIZATION_MODE=${serialization}`);
  ArrayPush(request.stdio, 'socket');
  ArrayPush(request.env, ...intact(reportingPairs(request.file)));
}

class RTChannel {
  #channel;
  #onDisconnect;
  isOpen = true;

  constructor(subprocess, fd, { ipc, serialization = 'advanced', onDisconnect }) {
    this.#onDisconnect = onDisconnect;
    const hear = typeof ipc === 'function' ? ipc : () => {};
    this.#channel = new Channel(
      fd,
      serialization,
      (message) => {
        if (message?.cmd === 'NODE_HANDLE') this.#refuse();
        else require('internal/timers').call(hear, subprocess, [message, subprocess, undefined]);
      },
      () => this.close(),
    );
  }

  /** Closes a descriptor that the child has sent and informs the child: only node:child_process receives handles. */
  #refuse() {
    const descriptor = this.#channel.takeDescriptor();
    if (descriptor !== undefined) host.native.pipes_close(descriptor);
    this.#channel.send({ cmd: 'NODE_HANDLE_NACK' }, () => {});
  }

  send(message) {
    if (message === undefined) throw new (require('internal/errors/errors').codes.ERR_MISSING_ARGS)('message');
    this.#channel.send(message, (outcome) => {
      if (outcome < 0) this.close();
    });
    return true;
  }
  close() {
    if (!this.isOpen) return;
    this.isOpen = false;
    host.nextTick(() => {
      this.#channel.close();
      this.#onDisconnect?.(true);
    });
  }
  /** Called when the child has exited; messages sent before may still arrive. */
  handleExit() {
    this.#channel.unref();
  }
  ref() {
    this.#channel.ref();
  }
  unref() {
    this.#channel.unref();
  }
}

const openChannel = (subprocess, fd, options) => new RTChannel(subprocess, fd, options);

module.exports = { addChannel, openChannel };
