'use strict';
// Owns: the connections of the native half (native/src/http/server.rs): each turn's events are dispatched to their connections.
// A connection calls for writing, pausing and ending by its number.

const { ArrayPush, ObjectAssign, intact } = require('internal/primordials');
const native = host.native;
const { setImmediate, drain } = require('internal/timers');

const numbers = require('internal/http_numbers');
const { HEAD, BODY, END, RAW, DRAINED, ENDED, FILLED, GONE, BROKEN, SPEAKS_HTTP2 } = numbers;

const SIZES = []; // of an item of each kind, including the connection's number
SIZES[HEAD] = 7;
for (const kind of intact([BODY, END, FILLED, RAW, BROKEN])) SIZES[kind] = 3;
for (const kind of intact([DRAINED, ENDED, GONE, SPEAKS_HTTP2])) SIZES[kind] = 2;
const RELEASED = null; // replaces a connection about which more events may follow in this turn

const NO_SERVER = 2 ** 30 - 1; // replaces a server number that the next server may reuse

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
    const flags = (reusePort ? numbers.REUSE_PORT : 0) | (ipv6Only ? numbers.IPV6_ONLY : 0);
    const listener = native.httpServerListen(address, port, flags, headLimit, acceptor);
    if (typeof listener === 'number') throw ObjectAssign(new Error('listen'), { errno: listener });
    [this.#id, this.#descriptor, this.port] = intact(listener);
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
        case FILLED:
          connection.filled(value);
          break;
        case END:
          connection.end();
          break;
        case RAW:
          connection.raw(value);
          drain();
          break;
        case DRAINED:
          connection.handleDrain();
          break;
        case ENDED:
          connection.handleEnd();
          break;
        case GONE:
          connection.handleClose();
          break;
        case BROKEN:
          connection.failed(value);
          break;
      }
    }
  }

  /** Returns `WRITTEN`, `QUEUED` (`handleDrain` follows) or `CLIENT_GONE`. */
  write(number, flags, head, body) {
    return native.httpServerWrite(this.#id, number, flags, head, body);
  }
  /** Like `write`, with part of a file as the body; negative if the file cannot be opened. */
  writeFile(number, head, path, start, length) {
    const outcome = native.httpServerWriteFile(this.#id, number, head, path, start, length);
    if (outcome !== numbers.TURN_FOLLOWS) return outcome;
    this.#schedule();
    return numbers.QUEUED;
  }
  release(number) {
    const connection = this.#connections[number];
    if (connection) {
      if (connection.isCarrier !== true) this.#count--;
      this.#connections[number] = this.#dispatches === 0 ? undefined : RELEASED;
      if (this.#dispatches > 0) ArrayPush(this.#released, number);
    }
    native.httpServerControl(this.#id, number, numbers.RELEASE);
  }
  pause(number) {
    native.httpServerControl(this.#id, number, numbers.PAUSE);
  }
  resume(number) {
    native.httpServerControl(this.#id, number, numbers.RESUME);
    this.#schedule();
  }
  upgrade(number) {
    const unread = native.httpServerControl(this.#id, number, numbers.ACCEPT_UPGRADE);
    this.#schedule();
    return unread;
  }
  refuseUpgrade(number) {
    this.#dispatch(native.httpServerControl(this.#id, number, numbers.REFUSE_UPGRADE));
    this.#schedule();
  }
  /** Returns memory for the body that is being received, of `length` bytes; `filled` reports what is read into it. May be undefined. */
  targetFor(number, length) {
    return native.httpServerControl(this.#id, number, numbers.TARGET, length);
  }
  finish(number) {
    native.httpServerControl(this.#id, number, numbers.FINISH);
  }
  waiting(number) {
    return native.httpServerControl(this.#id, number, numbers.WAITING);
  }
  setIdleLimit(number, ms) {
    native.httpServerControl(this.#id, number, numbers.IDLE_LIMIT, ms);
  }
  peer(number) {
    const peer = native.httpServerPeer(this.#id, number);
    if (peer === undefined) return undefined;
    const [address, port, isV6] = intact(peer);
    return { address, family: isV6 === 1 ? 'IPv6' : 'IPv4', port };
  }
  /** Returns the numbers of connections that exceeded the idle limit, each with whether its head is incomplete. */
  sweep(idleMs) {
    return native.httpServerSweep(this.#id, idleMs);
  }
  stop() {
    native.httpServerControl(this.#id, 0, numbers.STOP);
  }
  close() {
    if (this.isClosed) return;
    this.isClosed = true;
    native.httpServerWatch(this.#descriptor);
    native.httpServerClose(this.#id);
    this.#id = NO_SERVER;
  }
}

module.exports = { NativeSource };
