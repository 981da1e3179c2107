'use strict';
// Owns: cluster.Worker: a process of a cluster, from either side.

const { MapDelete, MapGet, MapSet, ObjectAssign, ObjectSetPrototypeOf, ReflectApply } = require('internal/primordials');
const EventEmitter = require('node/events/events');

function Worker(options) {
  if (!(this instanceof Worker)) return new Worker(options);
  ReflectApply(EventEmitter, this, []);
  const settings = options !== null && typeof options === 'object' ? options : {};
  this.exitedAfterDisconnect = undefined;
  this.state = settings.state || 'none';
  this.id = settings.id | 0;
  if (settings.process) {
    this.process = settings.process;
    this.process.on('error', (code, signal) => this.emit('error', code, signal));
    this.process.on('message', (message, handle) => this.emit('message', message, handle));
  }
}
ObjectSetPrototypeOf(Worker.prototype, EventEmitter.prototype);
ObjectSetPrototypeOf(Worker, EventEmitter);
ObjectAssign(Worker.prototype, {
  kill() {
    ReflectApply(this.destroy, this, arguments);
  },
  send() {
    return ReflectApply(this.process.send, this.process, arguments);
  },
  isDead() {
    return this.process.exitCode != null || this.process.signalCode != null;
  },
  isConnected() {
    return this.process.connected;
  },
});

/** Internal messages between both sides; `NODE_CLUSTER` marks them, and a response's `ack` is the request's `seq`. */
class Exchange {
  #target;
  #next = 0;
  #requests = new Map();

  constructor(target) {
    this.#target = target;
  }

  send(message, onAnswer) {
    const envelope = { cmd: 'NODE_CLUSTER', ...message, seq: this.#next };
    if (onAnswer !== undefined) MapSet(this.#requests, this.#next, onAnswer);
    this.#next++;
    if (!this.#target.connected) return false;
    return this.#target.send(envelope, (error) => {
      void error;
    });
  }

  /** Whether `message` is a response to a request of this side; if so, its callback has been called. */
  isAnswer(message) {
    const callback = MapGet(this.#requests, message.ack);
    if (message.ack === undefined || callback === undefined) return false;
    MapDelete(this.#requests, message.ack);
    callback(message);
    return true;
  }
}

module.exports = { Worker, Exchange };
