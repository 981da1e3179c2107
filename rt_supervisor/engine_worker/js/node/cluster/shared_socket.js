'use strict';
// Owns: a socket of the primary shared by workers. It is bound once; each worker gets a duplicate. With SCHED_RR the primary
// accepts connections and passes each to the next worker; otherwise the first worker to accept one gets it.

const runtimeParts = require('internal/parts');
const {
  ArrayIndexOf,
  ArrayPush,
  ArrayShift,
  ArraySplice,
  JSONStringify,
  MapDelete,
  MapGet,
  MapSet,
  intact,
} = require('internal/primordials');
const native = host.native;

const MODE_READABLE = 0o444;
const MODE_WRITABLE = 0o222;

const inTransit = new Map(); // number -> { connection, member, socket } of connections sent to a worker and not yet acknowledged
let next = 0;

class SharedSocket {
  data; // shared by all its servers: TLS ticket keys
  #workers = []; // listening workers; the first one gets the next connection
  #waiting = []; // connections waiting for a worker
  #path;

  constructor(key, request, isInTurn) {
    this.key = key;
    this.isInTurn = isInTurn && typeof request.addressType === 'number';
    const isPath = request.addressType === -1;
    this.descriptor = open(isPath ? { ...request, address: shortest(request.address) } : request);
    if (this.descriptor < 0) return;
    if (isPath) this.#path = request.address;
    if (!this.isInTurn) return;
    native.net_accept(this.descriptor, (accepted) => {
      if (typeof accepted === 'number') return;
      for (const connection of intact(accepted)) this.hand(connection);
    });
  }

  /** `member`: { send(descriptor, text): errno }. */
  add(member) {
    if (this.descriptor < 0) return this.descriptor;
    const outcome = member.send(this.descriptor, JSONStringify({ key: this.key, isInTurn: this.isInTurn }));
    if (outcome < 0) return outcome;
    ArrayPush(this.#workers, member);
    this.#handWaiting();
    return 0;
  }

  #handWaiting() {
    for (const connection of intact(ArraySplice(this.#waiting, 0))) this.hand(connection);
  }

  /** Sends a connection to the next available worker. */
  hand(connection) {
    if (this.descriptor < 0) {
      native.cluster_close(connection); // no worker is listening any more
      return;
    }
    for (let tries = this.#workers.length; tries > 0; tries--) {
      const member = ArrayShift(this.#workers);
      ArrayPush(this.#workers, member);
      const number = next++;
      if (member.send(connection, JSONStringify({ key: this.key, number })) === 0) {
        MapSet(inTransit, number, { connection, member, socket: this });
        return;
      }
    }
    ArrayPush(this.#waiting, connection);
  }

  /** A worker has accepted `connection`. */
  handleAccepted(connection) {
    native.cluster_close(connection);
    this.#handWaiting();
  }

  /**
   * Removes a worker that no longer listens; returns true if no worker is left. It still acknowledges the connections
   * it was sent.
   */
  remove(member) {
    const place = ArrayIndexOf(this.#workers, member);
    if (place >= 0) ArraySplice(this.#workers, place, 1);
    if (this.#workers.length > 0) return false;
    if (this.descriptor >= 0) native.cluster_close(this.descriptor);
    this.descriptor = -1;
    this.#handWaiting();
    if (this.#path !== undefined && this.#path[0] !== '\0') require('node/fs/fs').rmSync(this.#path, { force: true });
    return true;
  }
}

/** A worker has accepted or refused a connection: sends the next one. */
function handleAnswer(number, isAccepted) {
  const { connection, socket } = MapGet(inTransit, number) ?? {};
  if (socket === undefined || !MapDelete(inTransit, number)) return;
  if (isAccepted) socket.handleAccepted(connection);
  else socket.hand(connection);
}

/** A worker will not respond any more: other workers get its pending connections. */
function reassignConnections(member) {
  for (const { 0: number, 1: each } of intact([...intact(inTransit)])) if (each.member === member) handleAnswer(number, false);
}

/** A socket path is limited to 107 bytes: the path relative to the working directory may fit where the given one does not. */
function shortest(path) {
  if (path[0] === '\0') return path;
  const fromHere = require('node/path/path').relative(runtimeParts.process.process.cwd(), path);
  return fromHere.length < path.length ? fromHere : path;
}

/** Opens a socket for a worker's request; returns it or a negative errno. */
function open({ address, port, addressType, backlog, ipv6Only, reusePort, reuseAddr, mode }) {
  if (addressType === 'udp4' || addressType === 'udp6') {
    const family = addressType === 'udp6' ? 6 : 4;
    const descriptor = native.dgram_open(family, {
      reuseAddr: Boolean(reuseAddr),
      reusePort: Boolean(reusePort),
      ipv6Only: Boolean(ipv6Only),
    });
    if (descriptor < 0) return descriptor;
    const outcome = native.dgram_at(descriptor, 'bind', address, port);
    if (outcome < 0) native.cluster_close(descriptor);
    return outcome < 0 ? outcome : descriptor;
  }
  if (addressType === -1) return native.net_listenUnix(address, backlog, mode & (MODE_READABLE | MODE_WRITABLE));
  return native.net_listen(address, port, { backlog, ipv6Only, reusePort, family: addressType });
}

module.exports = { SharedSocket, handleAnswer, reassignConnections };
