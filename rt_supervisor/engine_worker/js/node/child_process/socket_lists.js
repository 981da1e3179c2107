'use strict';
// Owns: a server's connections in another process: the server's side queries their number and announces its close (Sent), the
// other side counts them and answers (Received). One list per server and channel.

const { MapGet, MapSet, intact } = require('internal/primordials');
const EventEmitter = require('node/events/events');
const { codes } = require('internal/errors/errors');

class Sent extends EventEmitter {
  #target;
  #key;

  constructor(target, key) {
    super();
    this.#target = target;
    this.#key = key;
    target.once('exit', () => this.emit('exit', this));
  }

  #ask(question, answer, callback) {
    const target = this.#target;
    const key = this.#key;
    const done = (...outcome) => {
      target.removeListener('exit', closed);
      target.removeListener('disconnect', closed);
      target.removeListener('internalMessage', onReply);
      callback(...intact(outcome));
    };
    const closed = () => done(new codes.ERR_CHILD_CLOSED_BEFORE_REPLY());
    const onReply = (message) => {
      if (message.cmd === answer && message.key === key) done(null, message);
    };
    if (!target.connected) {
      callback(new codes.ERR_CHILD_CLOSED_BEFORE_REPLY());
      return;
    }
    target.once('exit', closed);
    target.once('disconnect', closed);
    target.on('internalMessage', onReply);
    target.send({ cmd: question, key }, () => {});
  }

  /** Calls `callback(error)` when none of them is open any more. */
  close(callback) {
    this.#ask('NODE_SOCKET_NOTIFY_CLOSE', 'NODE_SOCKET_ALL_CLOSED', callback);
  }
  getConnections(callback) {
    this.#ask('NODE_SOCKET_GET_COUNT', 'NODE_SOCKET_COUNT', (error, message) => callback(error, message?.count));
  }
}

class Received extends EventEmitter {
  #connections = 0;

  constructor(target, key) {
    super();
    const answer = (cmd, more) => {
      if (target.connected) target.send({ cmd, key, ...more }, () => {});
    };
    target.on('internalMessage', (message) => {
      if (message.key !== key) return;
      if (message.cmd === 'NODE_SOCKET_GET_COUNT') answer('NODE_SOCKET_COUNT', { count: this.#connections });
      else if (message.cmd === 'NODE_SOCKET_NOTIFY_CLOSE') {
        const closed = () => answer('NODE_SOCKET_ALL_CLOSED');
        if (this.#connections === 0) closed();
        else this.once('empty', closed);
      }
    });
  }

  add(socket) {
    this.#connections++;
    socket.once('close', () => {
      if (--this.#connections === 0) this.emit('empty');
    });
  }
}

/** Calls `callback(error, count)` with the number of connections here and in other processes. */
function countAll(lists, count, callback) {
  let remaining = lists.length;
  if (remaining === 0) {
    require('internal/timers').nextTick(callback, null, count);
    return;
  }
  for (const list of intact(lists)) {
    list.getConnections((error, more) => {
      if (remaining <= 0) return;
      remaining = error ? 0 : remaining - 1;
      count += more ?? 0;
      if (error) callback(error);
      else if (remaining === 0) callback(null, count);
    });
  }
}

/** The lists of one channel. */
class SocketLists {
  #target;
  #sent = new Map();
  #received = new Map();

  constructor(target) {
    this.#target = target;
  }

  sending(key) {
    let list = MapGet(this.#sent, key);
    const isNew = list === undefined;
    if (isNew) MapSet(this.#sent, key, (list = new Sent(this.#target, key)));
    return { list, isNew };
  }
  receiving(key) {
    let list = MapGet(this.#received, key);
    if (list === undefined) MapSet(this.#received, key, (list = new Received(this.#target, key)));
    return list;
  }
}

module.exports = { SocketLists, countAll };
