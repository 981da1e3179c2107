'use strict';
// Owns: the connections of the native half (native/src/http/server.rs): each turn's events are dispatched to their connections.
// A connection calls for writing, pausing and ending by its number.

const { ArrayPush, ObjectAssign, intact } = require('internal/primordials');
const native = host.native;
const { setImmediate, drain } = require('internal/timers');

const HEAD = 1;
const BODY = 2;
const END = 3;
const RAW = 6;
const DRAINED = 7;
const ENDED = 8;
const GONE = 9;
const FAILED = 10;
const SPEAKS_HTTP2 = 11;
const SIZES = [0, 7, 3, 3, 0, 0, 3, 2, 2, 2, 3, 2]; // of an item of each kind, including the connection's number
const RELEASED = null; // replaces a connection about which more events may follow in this turn

const {
  0: RELEASE,
  1: PAUSE,
  2: RESUME,
  3: UPGRADE,
  4: REFUSE_UPGRADE,
  5: FINISH,
  6: WAITING,
  7: IDLE_LIMIT,
  8: STOP,
} = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const NO_SERVER = 2 ** 30 - 1; // replaces a server number that the next server may reuse
const TURN_FOLLOWS = 3; // a result of writing a file: a turn must be scheduled
const REUSE_PORT = 1;
const IPV6_ONLY = 2;

class NativeSource {
  #id;
  #descriptor;
  #connections = []; // by number
  #dispatches = 0; // active calls of #dispatch
  #released = []; // numbers released since the first of those began
  #makeConnection;
  #isScheduled = false;
  #count = 0;
  isClosed = false;

  /** Listens; throws an error with `errno` on failure. */
  constructor({ address, port, reusePort, ipv6Only, headLimit, acceptor = 0 }, makeConnection) {
    const flags = (reusePort ? REUSE_PORT : 0) | (ipv6Only ? IPV6_ONLY : 0);
    const made = native.httpServerListen(address, port, flags, headLimit, acceptor);
    if (typeof made === 'number') throw ObjectAssign(new Error('listen'), { errno: made });
    [this.#id, this.#descriptor, this.port] = intact(made);
    this.#makeConnection = makeConnection;
    native.httpServerWatch(this.#descriptor, () => this.#turn());
  }

  get count() {
    return this.#count;
  }
  connection(number) {
    return this.#connections[number] ?? undefined;
  }
  *connections() {
    for (let index = 0, list = this.#connections; index < list.length; index++) {
      const connection = list[index];
      if (connection !== undefined && connection !== RELEASED && connection.isCarrier !== true) yield connection;
    }
  }

  #turn() {
    if (this.isClosed) return;
    const items = native.httpServerTurn(this.#id);
    this.#dispatch(items);
    if (items[items.length - 1] === 1) this.#schedule();
  }

  #schedule() {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#turn();
    });
  }

  #dispatch(items) {
    this.#dispatches++;
    try {
      this.#dispatchAll(items);
    } finally {
      if (--this.#dispatches === 0) {
        for (let index = 0; index < this.#released.length; index++) this.#connections[this.#released[index]] = undefined;
        this.#released.length = 0;
      }
    }
  }
  #dispatchAll(items) {
    const last = items.length - 1;
    for (let at = 0, next; at < last; at = next) {
      const number = items[at];
      const kind = items[at + 1];
      const value = items[at + 2];
      next = at + SIZES[kind];
      let connection = this.#connections[number];
      if (connection === RELEASED) continue;
      if (connection === undefined) {
        if (kind === SPEAKS_HTTP2) {
          this.#connections[number] = this.carrierOf(number);
          continue;
        }
        connection = this.#connections[number] = this.#makeConnection(number);
        this.#count++;
      }
      switch (kind) {
        case HEAD:
          connection.head(value, items[at + 3], items[at + 4], items[at + 5], items[at + 6]);
          drain();
          break;
        case BODY:
          connection.body(value);
          break;
        case END:
          connection.end();
          break;
        case RAW:
          connection.raw(value);
          drain();
          break;
        case DRAINED:
          connection.drained();
          break;
        case ENDED:
          connection.ended();
          break;
        case GONE:
          connection.gone();
          break;
        case FAILED:
          connection.failed(value);
          break;
      }
    }
  }

  /** Returns 0 if everything was written, 1 if `drained` follows, 2 if the client has disconnected. */
  write(number, flags, head, body) {
    return native.httpServerWrite(this.#id, number, flags, head, body);
  }
  /** Like `write`, with part of a file as the body; negative if the file cannot be opened. */
  writeFile(number, head, path, start, length) {
    const outcome = native.httpServerWriteFile(this.#id, number, head, path, start, length);
    if (outcome !== TURN_FOLLOWS) return outcome;
    this.#schedule();
    return 1;
  }
  release(number) {
    const connection = this.#connections[number];
    if (connection) {
      if (connection.isCarrier !== true) this.#count--;
      this.#connections[number] = this.#dispatches === 0 ? undefined : RELEASED;
      if (this.#dispatches > 0) ArrayPush(this.#released, number);
    }
    native.httpServerControl(this.#id, number, RELEASE);
  }
  pause(number) {
    native.httpServerControl(this.#id, number, PAUSE);
  }
  resume(number) {
    native.httpServerControl(this.#id, number, RESUME);
    this.#schedule();
  }
  upgrade(number) {
    const held = native.httpServerControl(this.#id, number, UPGRADE);
    this.#schedule();
    return held;
  }
  refuseUpgrade(number) {
    this.#dispatch(native.httpServerControl(this.#id, number, REFUSE_UPGRADE));
    this.#schedule();
  }
  finish(number) {
    native.httpServerControl(this.#id, number, FINISH);
  }
  waiting(number) {
    return native.httpServerControl(this.#id, number, WAITING);
  }
  setIdleLimit(number, ms) {
    native.httpServerControl(this.#id, number, IDLE_LIMIT, ms);
  }
  peer(number) {
    const found = native.httpServerPeer(this.#id, number);
    if (found === undefined) return undefined;
    const [address, port, isV6] = intact(found);
    return { address, family: isV6 === 1 ? 'IPv6' : 'IPv4', port };
  }
  /** Returns the numbers of connections that exceeded the idle limit, each with whether its head is incomplete. */
  sweep(idleMs) {
    return native.httpServerSweep(this.#id, idleMs);
  }
  stop() {
    native.httpServerControl(this.#id, 0, STOP);
  }
  close() {
    if (this.isClosed) return;
    this.isClosed = true;
    native.httpServerWatch(this.#descriptor);
    native.httpServerClose(this.#id);
    this.#id = NO_SERVER;
  }
}

const FLAGS = { ADDS_LENGTH: 1, ENDS: 2, OMITS_BODY: 4 };

module.exports = { NativeSource, FLAGS };
