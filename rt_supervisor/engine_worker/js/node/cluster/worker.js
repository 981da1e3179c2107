'use strict';
// Owns: cluster.Worker: a process of a cluster, as both sides see it.

const EventEmitter = require('node/events/events');

function Worker(options) {
  if (!(this instanceof Worker)) return new Worker(options);
  Reflect.apply(EventEmitter, this, []);
  const given = options !== null && typeof options === 'object' ? options : {};
  this.exitedAfterDisconnect = undefined;
  this.state = given.state || 'none';
  this.id = given.id | 0;
  if (given.process) {
    this.process = given.process;
    this.process.on('error', (code, signal) => this.emit('error', code, signal));
    this.process.on('message', (message, handle) => this.emit('message', message, handle));
  }
}
Object.setPrototypeOf(Worker.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Worker, EventEmitter);
Object.assign(Worker.prototype, {
  kill() {
    Reflect.apply(this.destroy, this, arguments);
  },
  send() {
    return Reflect.apply(this.process.send, this.process, arguments);
  },
  isDead() {
    return this.process.exitCode != null || this.process.signalCode != null;
  },
  isConnected() {
    return this.process.connected;
  },
});

/** Messages between the two sides; `NODE_CLUSTER` marks them, `seq` and `ack` join an answer to its question. */
class Exchange {
  #target;
  #next = 0;
  #asked = new Map();

  constructor(target) {
    this.#target = target;
  }

  send(message, answered) {
    const sent = { cmd: 'NODE_CLUSTER', ...message, seq: this.#next };
    if (answered !== undefined) this.#asked.set(this.#next, answered);
    this.#next++;
    if (!this.#target.connected) return false;
    return this.#target.send(sent, (error) => {
      void error;
    });
  }

  /** Whether `message` was an answer, which has been given to who asked. */
  isAnswer(message) {
    const answered = this.#asked.get(message.ack);
    if (message.ack === undefined || answered === undefined) return false;
    this.#asked.delete(message.ack);
    answered(message);
    return true;
  }
}

module.exports = { Worker, Exchange };
