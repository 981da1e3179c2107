'use strict';
// Owns: the module node:worker_threads, whose values differ inside a worker.

const { defineLazily } = require('internal/lazy');
const { WeakSetAdd, WeakSetHas, intact } = require('internal/primordials');
const runtimeParts = require('internal/parts');
const { MessagePort, MessageChannel, receiveMessageOnPort } = require('web/messaging/port');
const { setEnvironmentData, getEnvironmentData, SHARE_ENV } = require('node/worker_threads/environment_data');
const { untransferable, markUncloneable } = require('internal/cloneable');
const { codes } = require('internal/errors/errors');
const { validateNumber } = require('internal/validators');

const self = runtimeParts.worker?.self;

const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';

function markAsUntransferable(object) {
  if (isObject(object)) WeakSetAdd(untransferable, object);
}
function markAsUncloneable(object) {
  if (isObject(object)) markUncloneable(object);
}
function isMarkedAsUntransferable(object) {
  return isObject(object) && WeakSetHas(untransferable, object);
}

function moveMessagePortToContext(port, context) {
  if (require('web/messaging/port').isGone(port)) throw new codes.ERR_CLOSED_MESSAGE_PORT();
  require('node/vm/context').validateContext(context);
  return port;
}

async function postMessageToThread(threadId, value, transferList, timeout) {
  if (typeof transferList === 'number' && timeout === undefined) [transferList, timeout] = intact([[], transferList]);
  if (timeout !== undefined) validateNumber(timeout, 'timeout', 0);
  if (threadId === (self?.threadId ?? 0)) throw new codes.ERR_WORKER_MESSAGING_SAME_THREAD();
  return require('node/worker_threads/to_thread').post(threadId, value, transferList ?? [], timeout);
}

module.exports = {
  isInternalThread: false,
  isMainThread: self === undefined,
  MessagePort,
  MessageChannel,
  markAsUncloneable,
  markAsUntransferable,
  isMarkedAsUntransferable,
  moveMessagePortToContext,
  receiveMessageOnPort,
  resourceLimits: self?.resourceLimits ?? {},
  postMessageToThread,
  threadId: self?.threadId ?? 0,
  threadName: self?.threadName ?? '',
  SHARE_ENV,
  Worker: undefined,
  parentPort: self?.parentPort ?? null,
  workerData: self === undefined ? null : self.workerData,
  BroadcastChannel: require('web/messaging/broadcast').BroadcastChannel,
  setEnvironmentData,
  getEnvironmentData,
  locks: undefined,
};
defineLazily(module.exports, 'Worker', () => require('node/worker_threads/worker').Worker);
defineLazily(module.exports, 'locks', () => require('web/locks').locks);
