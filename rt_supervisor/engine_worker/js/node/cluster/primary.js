'use strict';
// Owns: node:cluster in the primary: starts workers, opens the sockets that they request, and emits their events.

const { defineLazily } = require('internal/lazy');
const runtimeParts = require('internal/parts');
const {
  ArraySlice,
  ArraySome,
  MapDelete,
  MapGet,
  MapSet,
  ObjectAssign,
  ObjectKeys,
  ObjectValues,
  RegExpTest,
  WeakMapGet,
  WeakMapSet,
  intact,
} = require('internal/primordials');
const native = host.native;
const EventEmitter = require('node/events/events');
const { Worker, Exchange } = require('node/cluster/worker');
const { SharedSocket, handleAnswer, reassignConnections } = require('node/cluster/shared_socket');
const { nextTick } = require('internal/timers');
const { codes } = require('internal/errors/errors');
const { validatePort } = require('internal/validators');
const { nextPort } = require('internal/inspector_ports');

const DEBUGGER = /--inspect(?:-brk|-port|-wait)?|--debug-port/;
const POLICIES = { __proto__: null, none: 1, rr: 2 };
const intercom = new EventEmitter();
const sockets = new Map(); // key -> SharedSocket
const members = new WeakMap(); // Worker -> { member: its handle for shared sockets, exchange: its messages }
let ids = 0;

const cluster = new EventEmitter();
module.exports = cluster;
ObjectAssign(cluster, {
  isWorker: false,
  isMaster: true,
  isPrimary: true,
  Worker,
  workers: {},
  settings: {},
  SCHED_NONE: 1,
  SCHED_RR: 2,
  schedulingPolicy: 2,
});
defineLazily(cluster, 'schedulingPolicy', () => POLICIES[runtimeParts.process.process.env.NODE_CLUSTER_SCHED_POLICY] ?? 2);

cluster.setupPrimary = function setupPrimary(options) {
  const { process } = runtimeParts.process;
  cluster.settings = {
    args: ArraySlice(process.argv, 2),
    exec: process.argv[1],
    execArgv: process.execArgv,
    silent: false,
    ...cluster.settings,
    ...options,
  };
  nextTick(() => cluster.emit('setup', cluster.settings));
};
cluster.setupMaster = cluster.setupPrimary;

/** The flags of a new worker: with a debugger, each listens on the port after the last. */
function debugFlags({ execArgv, inspectPort }) {
  if (inspectPort === null) throw new codes.ERR_SOCKET_BAD_PORT('Port', null, true);
  const { env } = runtimeParts.process.process;
  const isDebugged = (word) => RegExpTest(DEBUGGER, word);
  if (!ArraySome(execArgv, isDebugged) && !isDebugged(env.NODE_OPTIONS ?? '')) return execArgv;
  const port = typeof inspectPort === 'function' ? inspectPort() : (inspectPort ?? nextPort());
  validatePort(port);
  return [...intact(execArgv), `--inspect-port=${port}`];
}

function startProcess(id, env) {
  const { settings } = cluster;
  const { fork } = require('node/child_process/spawn');
  const [ours, theirs] = intact(native.cluster_pair());
  const stdio = [...intact(settings.stdio ?? (settings.silent ? ['pipe', 'pipe', 'pipe', 'ipc'] : [0, 1, 2, 'ipc'])), theirs];
  const child = fork(settings.exec, settings.args, {
    cwd: settings.cwd,
    execArgv: debugFlags(settings),
    serialization: settings.serialization,
    gid: settings.gid,
    uid: settings.uid,
    env: { ...runtimeParts.process.process.env, ...env, NODE_UNIQUE_ID: `${id}`, NODE_CLUSTER_HANDLE_FD: `${stdio.length - 1}` },
    stdio,
  });
  native.cluster_close(theirs);
  return { child, channel: ours };
}

cluster.fork = function fork(env) {
  cluster.setupPrimary();
  const id = ++ids;
  const { child, channel } = startProcess(id, env);
  const worker = new Worker({ id, process: child });
  const exchange = new Exchange(child);
  const member = { send: (descriptor, text) => native.cluster_send(channel, descriptor, text) };
  WeakMapSet(members, worker, { member, exchange });
  worker.on('message', function onMessage(message, handle) {
    cluster.emit('message', this, message, handle);
  });
  worker.process.once('exit', (code, signal) => {
    leave(worker);
    native.cluster_close(channel);
    if (!worker.isConnected()) {
      reassignConnections(member);
      remove(worker);
    }
    worker.exitedAfterDisconnect = Boolean(worker.exitedAfterDisconnect);
    worker.state = 'dead';
    worker.emit('exit', code, signal);
    cluster.emit('exit', worker, code, signal);
  });
  worker.process.once('disconnect', () => {
    leave(worker);
    reassignConnections(member); // all its messages have been handled
    if (worker.isDead()) remove(worker);
    worker.exitedAfterDisconnect = Boolean(worker.exitedAfterDisconnect);
    worker.state = 'disconnected';
    worker.emit('disconnect');
    cluster.emit('disconnect', worker);
    remove(worker);
  });
  worker.process.on('internalMessage', (message) => handleMessage(worker, message));
  cluster.workers[id] = worker;
  nextTick(() => cluster.emit('fork', worker));
  return worker;
};

function remove(worker) {
  delete cluster.workers[worker.id];
  if (ObjectKeys(cluster.workers).length === 0) intercom.emit('disconnect');
}

/** Removes a worker from all shared sockets. */
function leave(worker) {
  const { member } = WeakMapGet(members, worker);
  for (const { 0: key, 1: socket } of intact(sockets)) if (socket.remove(member)) MapDelete(sockets, key);
}

function handleMessage(worker, message) {
  if (message.cmd !== 'NODE_CLUSTER') return;
  const { exchange } = WeakMapGet(members, worker);
  if (exchange.isAnswer(message)) return;
  HEARD[message.act]?.(worker, message, (answer) => exchange.send({ ack: message.seq, ...answer }));
}

const HEARD = {
  __proto__: null,
  online(worker) {
    worker.state = 'online';
    worker.emit('online');
    cluster.emit('online', worker);
  },
  exitedAfterDisconnect(worker, message, answer) {
    worker.exitedAfterDisconnect = true;
    answer({});
  },
  queryServer(worker, message, answer) {
    if (worker.exitedAfterDisconnect) return;
    const { address, port, addressType, index } = message;
    const key = `${address}:${port}:${addressType}:${index}`;
    let socket = MapGet(sockets, key);
    if (socket === undefined)
      MapSet(sockets, key, (socket = new SharedSocket(key, message, cluster.schedulingPolicy === cluster.SCHED_RR)));
    const outcome = socket.add(WeakMapGet(members, worker).member);
    if (socket.descriptor < 0) MapDelete(sockets, key);
    socket.data ??= message.data;
    answer({ errno: outcome, key, data: socket.data });
  },
  listening(worker, { address, port, addressType }) {
    const info = { addressType, address, port, fd: typeof addressType === 'string' ? -1 : undefined };
    worker.state = 'listening';
    worker.emit('listening', info);
    cluster.emit('listening', worker, info);
  },
  close(worker, { key }) {
    if (MapGet(sockets, key)?.remove(WeakMapGet(members, worker).member)) MapDelete(sockets, key);
  },
  accepted(worker, { number, accepted }) {
    handleAnswer(number, accepted);
  },
};

cluster.disconnect = function disconnect(callback) {
  const workers = ObjectValues(cluster.workers);
  if (workers.length === 0) nextTick(() => intercom.emit('disconnect'));
  for (const worker of intact(workers)) if (worker.isConnected()) worker.disconnect();
  if (typeof callback === 'function') intercom.once('disconnect', callback);
};

Worker.prototype.disconnect = function disconnect() {
  this.exitedAfterDisconnect = true;
  WeakMapGet(members, this).exchange.send({ act: 'disconnect' });
  leave(this);
  return this;
};
Worker.prototype.destroy = function destroy(signal) {
  this.process.kill(signal || 'SIGTERM');
};
