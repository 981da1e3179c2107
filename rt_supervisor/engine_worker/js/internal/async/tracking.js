'use strict';
// Owns: ids of asynchronous resources, the stack of those that run, and the context (a "frame": a Map of stores) that is
// kept with each. Loaded with node:async_hooks, and only then; it fills in `internal/async/context`.
// The frame of now lives in V8, which gives every promise reaction the frame of the moment that `then` was called.

const handedDown = require('internal/parts');
const {
  ArrayPop,
  ArrayPush,
  ArraySplice,
  ObjectAssign,
  ObjectKeys,
  StringSplit,
  StringToUpperCase,
  intact,
} = require('internal/primordials');
const context = require('internal/async/context');
const hooks = require('internal/async/hooks');

const { native } = host;
const { getContinuationPreservedEmbedderData: currentFrame, setContinuationPreservedEmbedderData: setFrame } =
  native?.extras ?? {};
const { apply } = Reflect;

const kId = Symbol('async_id_symbol');
const kTrigger = Symbol('trigger_async_id_symbol');
const kFrame = Symbol('kAsyncContextFrame');

let lastId = 1; // 1 is the main file's
const newId = () => ++lastId;

// What runs: three numbers or objects for each entry, the innermost last.
const stack = [];
let executionId = 0;
let triggerId = 0;
let resource;
const topLevel = {};

const executionAsyncId = () => (stack.length > 0 ? executionId : context.isMain ? 1 : 0);
const triggerAsyncId = () => triggerId;
const executionAsyncResource = () => (stack.length > 0 && resource !== undefined ? resource : topLevel);

function enter(id, trigger, of) {
  ArrayPush(stack, executionId, triggerId, resource);
  executionId = id;
  triggerId = trigger;
  resource = of;
  if (hooks.counts.before > 0) hooks.emit('before', id);
}

function exit(id, isTold = true) {
  if (stack.length === 0) return; // an error that nobody caught has emptied it
  if (isTold && hooks.counts.after > 0) hooks.emit('after', id);
  if (stack.length === 0) return;
  resource = ArrayPop(stack);
  triggerId = ArrayPop(stack);
  executionId = ArrayPop(stack);
}

function exchangeFrame(frame) {
  const prior = currentFrame();
  if (prior !== frame) setFrame(frame);
  return prior;
}

/** Give `of` its ids and the frame of now, and tell `init`. */
function began(of, type) {
  const id = newId();
  of[kId] = id;
  of[kTrigger] = executionAsyncId();
  of[kFrame] = currentFrame();
  if (hooks.counts.init > 0) hooks.emitInit(id, type, of[kTrigger], of);
  return of;
}

/** Ids for an object of the program's, which itself keeps nothing of them, as `init` is told. */
function beganFor(object, type) {
  const of = { id: newId(), trigger: executionAsyncId(), object };
  if (hooks.counts.init > 0) hooks.emitInit(of.id, type, of.trigger, object);
  return of;
}

/** Call `callback` in the context of `of`. False when it threw: `uncaught` has heard of it, in the same context. */
function attempt(of, callback, receiver, args, uncaught) {
  const known = of[kId] !== undefined; // else it is older than node:async_hooks
  const id = known ? of[kId] : 0;
  const prior = exchangeFrame(of[kFrame]);
  const depth = stack.length;
  enter(id, known ? of[kTrigger] : 0, of);
  let returned = true;
  try {
    apply(callback, receiver, args);
  } catch (error) {
    returned = false;
    uncaught(error);
  } finally {
    while (stack.length > depth + 3) exit(executionId);
    if (stack.length > depth) exit(id);
    setFrame(prior);
  }
  return returned;
}

const destroyed = [];

/** `of` runs no more. */
function ended(of) {
  if (hooks.counts.destroy > 0 && of[kId] > 0) ArrayPush(destroyed, of[kId]);
}

function queueDestroy(id) {
  if (hooks.counts.destroy > 0 && id > 0) ArrayPush(destroyed, id);
}

/** Tell the destroy hooks; they are called between turns, in no context. */
function flush() {
  while (destroyed.length > 0) {
    const batch = ArraySplice(destroyed, 0);
    for (let index = 0; index < batch.length; index++) hooks.emit('destroy', batch[index]);
  }
}

/** A function for the host, which calls it later: `callback` in the frame of now, as a resource of that type. */
function bound(callback, type, repeats = false) {
  const of = began({}, type);
  return (...args) => {
    attempt(of, callback, undefined, args, uncaught);
    if (!repeats) ended(of);
  };
}

let uncaught; // of the runtime

// The operations of the host that keep a callback, by their area; those that call it many times.
const TYPES = {
  __proto__: null,
  fs: 'FSREQCALLBACK',
  dns: 'QUERYWRAP',
  net: 'TCPWRAP',
  pipes: 'PIPEWRAP',
  children: 'PROCESSWRAP',
  udp: 'UDPWRAP',
  crypto: 'RANDOMBYTESREQUEST',
  passwords: 'SCRYPTREQUEST',
  zlib: 'ZLIB',
  tls: 'TLSWRAP',
  http: 'HTTPINCOMINGMESSAGE',
};
const OF_ONE = {
  __proto__: null,
  dns_lookup: 'GETADDRINFOREQWRAP',
  dns_lookupService: 'GETNAMEINFOREQWRAP',
  net_accept: 'TCPSERVERWRAP',
  net_connect: 'TCPCONNECTWRAP',
  pipes_write: 'WRITEWRAP',
};
const REPEATS = { __proto__: null, net_accept: true, pipes_read: true, pipes_readChannel: true };
// What SQLite calls it calls while the program waits.
const WITHOUT_CALLBACKS = {
  __proto__: null,
  core: true,
  process: true,
  os: true,
  modules: true,
  v8: true,
  rt: true,
  sqlite: true,
};

/** Have the host's operations keep the context of the callbacks that they are given. */
function bindOperations() {
  for (const name of intact(ObjectKeys(native))) {
    const { 0: area, 1: action } = StringSplit(name, '_');
    if (action === undefined || area in WITHOUT_CALLBACKS) continue;
    const operation = native[name];
    const type = OF_ONE[name] ?? TYPES[area] ?? StringToUpperCase(area);
    native[name] = (...args) => {
      const last = args.length - 1;
      if (typeof args[last] === 'function') args[last] = bound(args[last], type, REPEATS[name]);
      return apply(operation, native, args);
    };
  }
}

function use() {
  if (context.isUsed) return;
  uncaught = handedDown.uncaught;
  ObjectAssign(context, {
    began,
    attempt,
    ended,
    bound,
    flush,
    inside(frame, callback) {
      const prior = exchangeFrame(frame);
      try {
        return callback();
      } finally {
        setFrame(prior);
      }
    },
    leave() {
      stack.length = 0;
      executionId = triggerId = 0;
      resource = undefined;
      setFrame(undefined);
    },
    isUsed: true,
  });
  bindOperations();
}
if (native !== undefined) use(); // else a test only looks whether the file loads

module.exports = {
  kId,
  kTrigger,
  kFrame,
  newId,
  enter,
  exit,
  began,
  beganFor,
  queueDestroy,
  currentFrame,
  setFrame,
  exchangeFrame,
  hasRunning: () => stack.length > 0,
  executionAsyncId,
  triggerAsyncId,
  executionAsyncResource,
};
