'use strict';
// Owns: node:cluster in a worker. The primary opens the sockets of servers and UDP sockets that are not `exclusive`; with
// SCHED_RR it also sends the connections.

const { JSONParse, MapDelete, MapGet, MapSet, MapValues, ObjectAssign, intact } = require('internal/primordials');
const native = host.native;
const runtimeParts = require('internal/parts');
const EventEmitter = require('node/events/events');
const { Worker, Exchange } = require('node/cluster/worker');

const cluster = new EventEmitter();
let exchange;
let worker;
const indexes = new Map(); // how often an address with port 0 was requested: each request gets a different socket
const shares = new Map(); // key -> { hear, stop, isFull } of the listeners here
const arrived = new Map(); // key -> a socket that arrived before its response
const awaited = new Map(); // key -> a function that waits for the socket after its response

ObjectAssign(cluster, { isWorker: true, isMaster: false, isPrimary: false, worker: null, Worker });

/** Makes this process a worker of the primary at the other end of `process`'s channel. */
function start(process) {
  const { NODE_UNIQUE_ID: id, NODE_CLUSTER_HANDLE_FD: channel } = process.env;
  delete process.env.NODE_UNIQUE_ID;
  delete process.env.NODE_CLUSTER_HANDLE_FD;
  runtimeParts.cluster = { share };
  worker = new Worker({ id: Number(id) | 0, process, state: 'online' });
  cluster.worker = worker;
  exchange = new Exchange(process);
  native.cluster_receive(Number(channel), arrive);
  process.once('disconnect', () => {
    process.channel = null;
    worker.emit('disconnect');
    if (!worker.exitedAfterDisconnect) process.exit(0); // the primary has ended
  });
  process.on('internalMessage', (message) => {
    if (message.cmd !== 'NODE_CLUSTER' || exchange.isAnswer(message)) return;
    if (message.act === 'disconnect') leave(true);
  });
  exchange.send({ act: 'online' });
}

/** A descriptor has arrived: a listening socket, or a connection that the primary accepted on it. */
function arrive(text, descriptor) {
  const { key, number, isInTurn } = JSONParse(text);
  if (number === undefined) {
    const callback = MapGet(awaited, key);
    MapDelete(awaited, key);
    if (callback === undefined) MapSet(arrived, key, { descriptor, isInTurn });
    else callback(descriptor, isInTurn);
    return;
  }
  const share = MapGet(shares, key);
  const accepted = share !== undefined && !share.isFull?.(); // if not, the primary sends it to another worker
  exchange.send({ act: 'accepted', number, accepted });
  if (accepted) share.hear(descriptor);
  else native.cluster_close(descriptor);
}

/**
 * Requests a socket from the primary: { address, port, addressType, backlog, … }. `onAnswer(errno, descriptor, isInTurn,
 * left)`
 * is called once; the listener calls `left` when it is closed. `hear(descriptor)` receives connections unless `isFull()`;
 * `stop()` closes the listener. All servers of a socket share the data of the first one (`_getServerData`: TLS ticket keys).
 */
function share(request, { server, hear, stop, onAnswer, isFull }) {
  const name = `${request.address}:${request.port}:${request.addressType}`;
  const index = request.port === 0 ? (MapGet(indexes, name) ?? 0) : 0;
  if (request.port === 0) MapSet(indexes, name, index + 1);
  const own = server?._getServerData?.();
  exchange.send({ act: 'queryServer', index, data: own, ...request }, ({ errno, key, data }) => {
    if (errno < 0) {
      onAnswer(errno);
      return;
    }
    if (own !== undefined && data !== undefined) server._setServerData(data);
    take(key, (descriptor, isInTurn) => {
      const name = `${key}`;
      MapSet(shares, name, { hear, stop, isFull });
      const [address, , port] = intact(native.net_localName(descriptor));
      onAnswer(0, descriptor, isInTurn, () => {
        if (!MapDelete(shares, name)) return;
        exchange.send({ act: 'close', key });
      });
      const isPipe = request.addressType === -1;
      exchange.send({
        act: 'listening',
        key,
        addressType: request.addressType === 6 && !request.said ? 4 : request.addressType,
        address: isPipe ? request.address : (request.said ?? null),
        port: isPipe ? -1 : (port ?? address),
      });
    });
  });
}

/** Calls `callback` with the socket of a response, which may arrive before or after the response itself. */
function take(key, callback) {
  const socket = MapGet(arrived, key);
  if (socket === undefined) {
    MapSet(awaited, key, callback);
    return;
  }
  MapDelete(arrived, key);
  callback(socket.descriptor, socket.isInTurn);
}

function leave(isRequested) {
  if (worker.exitedAfterDisconnect && !isRequested) return;
  worker.exitedAfterDisconnect = true;
  for (const { stop } of intact([...intact(MapValues(shares))])) stop();
  const { process } = runtimeParts.process;
  exchange.send({ act: 'exitedAfterDisconnect' }, () => {
    if (process.connected) process.disconnect();
  });
}

Worker.prototype.disconnect = function disconnect() {
  if (this.state !== 'disconnecting' && this.state !== 'destroying') {
    this.state = 'disconnecting';
    leave(false);
  }
  return this;
};
Worker.prototype.destroy = function destroy() {
  if (this.state === 'destroying') return;
  this.exitedAfterDisconnect = true;
  const { process } = runtimeParts.process;
  if (!this.isConnected()) process.exit(0);
  this.state = 'destroying';
  exchange.send({ act: 'exitedAfterDisconnect' }, () => process.disconnect());
  process.once('disconnect', () => process.exit(0));
};

module.exports = { cluster, start };
