// @ts-check
'use strict';
// Owns: `navigator.locks`: named locks, exclusive or shared, granted in the order of requests.

const runtimeParts = require('internal/parts');
const { AnyIndexOf, AnyValues } = require('internal/any_kind');
const {
  ArrayEvery,
  ArrayFlat,
  ArrayMap,
  ArrayPush,
  ArrayShift,
  ArraySplice,
  MapDelete,
  MapGet,
  MapHas,
  MapSet,
  ObjectAssign,
  ObjectDefineProperty,
  StringStartsWith,
  intact,
} = require('internal/primordials');
const { PromiseWithResolvers } = require('internal/promises');
const { DOMException } = require('internal/dom_exception');
const { codes } = require('internal/errors/errors');

const kName = Symbol('kName');
const kMode = Symbol('kMode');
const kOwn = Symbol('own');
let clients = 0;
const publish = (event, message) => runtimeParts.publish?.(`locks.request.${event}`, message);

class Lock {
  /** @param {any} [token] @param {any} [name] @param {any} [mode] */
  constructor(token = undefined, name = undefined, mode = undefined) {
    if (token !== kOwn) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
    this[kName] = name;
    this[kMode] = mode;
  }

  get name() {
    return this[kName];
  }
  get mode() {
    return this[kMode];
  }
}

const notSupported = (message) => new DOMException(message, 'NotSupportedError');
const stolen = () => new DOMException('The operation was aborted', 'AbortError');
const typeError = (code, message) => ObjectAssign(new TypeError(message), { code });

/** Requests { name, mode, callback, resolve, reject, settled } by name: the holders, and those that wait, in order. */
const heldByName = new Map();
const queues = new Map();
const listOf = (map, name) => {
  if (!MapHas(map, name)) MapSet(map, name, []);
  return MapGet(map, name);
};

const isFree = (name, mode) => {
  const holders = MapGet(heldByName, name) ?? [];
  return holders.length === 0 || (mode === 'shared' && ArrayEvery(holders, (each) => each.mode === 'shared'));
};

function release(request) {
  const holders = listOf(heldByName, request.name);
  const place = AnyIndexOf(holders, request);
  if (place >= 0) ArraySplice(holders, place, 1);
  if (holders.length === 0) MapDelete(heldByName, request.name);
  grantNext(request.name);
}

async function grant(request) {
  ArrayPush(listOf(heldByName, request.name), request);
  try {
    await undefined; // the callback runs in a microtask; until then, the request can be aborted
    request.stopListening();
    if (request.isAborted) {
      release(request);
      return;
    }
    publish('grant', { name: request.name, mode: request.mode });
    request.resolve(await request.callback(new Lock(kOwn, request.name, request.mode)));
  } catch (error) {
    request.reject(error);
  }
  release(request);
}

function grantNext(name) {
  const queue = MapGet(queues, name);
  while (queue !== undefined && queue.length > 0 && isFree(name, queue[0].mode)) {
    grant(ArrayShift(queue));
  }
  if (queue?.length === 0) MapDelete(queues, name);
}

function steal(request) {
  for (const holder of intact(MapGet(heldByName, request.name) ?? [])) holder.reject(stolen());
  MapDelete(heldByName, request.name);
  grant(request);
}

function checkOptions(options) {
  const { mode = 'exclusive', ifAvailable = false, steal: steals = false, signal } = options ?? {};
  if (mode !== 'exclusive' && mode !== 'shared') {
    throw typeError('ERR_INVALID_ARG_VALUE', `mode '${mode}' is not a valid enum value of type LockMode.`);
  }
  if (signal !== undefined && (typeof signal !== 'object' || signal === null))
    throw typeError('ERR_INVALID_ARG_TYPE', 'signal is not an object.');
  if (ifAvailable && steals) throw notSupported('ifAvailable and steal are mutually exclusive');
  if (mode !== 'exclusive' && steals) throw notSupported(`mode: "${mode}" and steal are mutually exclusive`);
  if (signal !== undefined && (steals || ifAvailable)) throw notSupported('signal cannot be used with steal or ifAvailable');
  return { mode, ifAvailable: Boolean(ifAvailable), steals: Boolean(steals), signal };
}

class LockManager {
  /** @param {any} [token] */
  constructor(token = undefined) {
    if (token !== kOwn) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
  }

  /** @param {any} name @param {any} options @param {any} [callback] */
  async request(name, options, callback = undefined) {
    if (callback === undefined) [options, callback] = intact([undefined, options]);
    const text = `${name}`;
    if (typeof callback !== 'function') throw new codes.ERR_INVALID_ARG_TYPE('callback', 'function', callback);
    const { mode, ifAvailable, steals, signal } = checkOptions(options);
    if (StringStartsWith(text, '-')) throw notSupported('Lock name may not start with hyphen');
    signal?.throwIfAborted();
    const description = { name: text, mode };
    publish('start', description);
    const over = { ...description, ifAvailable, steal: steals, error: undefined };
    try {
      const result = await this.#ask(description, callback, ifAvailable, steals, signal);
      publish('end', over);
      return result;
    } catch (error) {
      publish('end', { ...over, error });
      throw error;
    }
  }

  #ask(description, callback, ifAvailable, steals, signal) {
    const { name: text, mode } = description;
    if (ifAvailable && !(isFree(text, mode) && !MapHas(queues, text))) {
      publish('miss', description);
      return callback(null);
    }
    const { promise, resolve, reject } = PromiseWithResolvers();
    const request = { name: text, mode, callback, resolve, reject, isAborted: false, stopListening() {} };
    if (steals) steal(request);
    else {
      if (signal !== undefined) {
        const onAbort = () => {
          request.isAborted = true;
          reject(signal.reason);
          const queue = MapGet(queues, text) ?? [];
          const place = AnyIndexOf(queue, request);
          if (place < 0) return; // granted, but the callback has not been called
          ArraySplice(queue, place, 1);
          host.nextTick(() => grantNext(text)); // after the reactions to the rejection
        };
        signal.addEventListener('abort', onAbort, { once: true });
        request.stopListening = () => signal.removeEventListener('abort', onAbort);
      }
      ArrayPush(listOf(queues, text), request);
      grantNext(text);
    }
    return promise;
  }

  async query() {
    clients ||= runtimeParts.process.process.pid;
    const clientId = `node-${clients}-0`;
    const describe = (map) => ArrayMap(ArrayFlat([...intact(AnyValues(map))]), ({ name, mode }) => ({ name, mode, clientId }));
    return { held: describe(heldByName), pending: describe(queues) };
  }
}
for (const { 0: Class, 1: names } of intact([
  [LockManager, ['request', 'query']],
  [Lock, ['name', 'mode']],
])) {
  for (const name of intact(names)) ObjectDefineProperty(Class.prototype, name, { __proto__: null, enumerable: true });
  ObjectDefineProperty(Class.prototype, Symbol.toStringTag, { __proto__: null, configurable: true, value: Class.name });
}

module.exports = { LockManager, Lock, locks: new LockManager(kOwn) };
