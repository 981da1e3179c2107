// @ts-check
'use strict';
// Owns: ids of asynchronous resources, the stack of running ones, and the context (a "frame": a Map of stores) stored with
// each. Loaded only with node:async_hooks; it fills in `internal/async/context`. V8 holds the current frame and runs every
// promise reaction in the frame in which `then` was called.

const runtimeParts = require('internal/parts');
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
  /** @type {any} */ (native?.extras ?? {});
const { apply } = Reflect;

const kId = Symbol('async_id_symbol');
const kTrigger = Symbol('trigger_async_id_symbol');
const kFrame = Symbol('kAsyncContextFrame');
const kBound = Symbol('bound');

let lastId = 1; // the main file has 1
const newId = () => ++lastId;

// The enclosing contexts, innermost last, with three entries each: execution id, trigger id, resource.
const stack = [];
let executionId = 0;
let triggerId = 0;
let resource;
const topLevel = {};

let defaultTrigger = -1; // the trigger id of new resources, or -1 for the id of the running resource

const executionAsyncId = () => (stack.length > 0 ? executionId : context.isMain ? 1 : 0);
const triggerAsyncId = () => triggerId;
const executionAsyncResource = () => (stack.length > 0 && resource !== undefined ? resource : topLevel);

function enter(id, trigger, of, callsHooks = true) {
  ArrayPush(stack, executionId, triggerId, resource);
  executionId = id;
  triggerId = trigger;
  resource = of;
  if (callsHooks && hooks.counts.before > 0) hooks.emit('before', id);
}

function exit(id, callsHooks = true) {
  if (stack.length === 0) return; // an uncaught error has emptied the stack
  if (callsHooks && hooks.counts.after > 0) hooks.emit('after', id);
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

/** Returns the result of `work()`; resources created in it have `of` as their trigger. */
function withTrigger(of, work) {
  const prior = defaultTrigger;
  defaultTrigger = of?.[kId] ?? -1;
  try {
    return work();
  } finally {
    defaultTrigger = prior;
  }
}

/** Assigns ids and the current frame to `of` and calls the `init` hooks. */
function initResource(of, type, by = undefined) {
  const id = newId();
  of[kId] = id;
  of[kTrigger] = by?.[kId] ?? (defaultTrigger >= 0 ? defaultTrigger : executionAsyncId());
  of[kFrame] = currentFrame();
  if (hooks.counts.init > 0) hooks.emitInit(id, type, of[kTrigger], of);
  return of;
}

/** Creates ids for an object of the program, which does not store them itself, and calls the `init` hooks. */
function initFor(object, type) {
  const of = { id: newId(), trigger: executionAsyncId(), object };
  if (hooks.counts.init > 0) hooks.emitInit(of.id, type, of.trigger, object);
  return of;
}

/**
 * Calls `callback` in the context of `of`. Returns false if it threw, after passing the error to `uncaught` in the same
 * context.
 */
function attempt(of, callback, receiver, args, uncaught) {
  const known = of[kId] !== undefined; // else it was created before node:async_hooks was loaded
  const id = known ? of[kId] : 0;
  const prior = exchangeFrame(of[kFrame]);
  const depth = stack.length;
  enter(id, known ? of[kTrigger] : 0, of, known);
  try {
    return runtimeParts.attempt(callback, receiver, args, uncaught);
  } finally {
    while (stack.length > depth + 3) exit(executionId);
    if (stack.length > depth) exit(id, known);
    setFrame(prior);
  }
}

/** Returns the result of `callback`, called in the context of `of`. */
function runIn(of, callback, receiver, args) {
  const prior = exchangeFrame(of[kFrame]);
  enter(of[kId], of[kTrigger], of);
  try {
    return apply(callback, receiver, args);
  } finally {
    exit(of[kId]);
    setFrame(prior);
  }
}

const destroyed = [];
const MOST_WAITING = 16_384;

/** Declares that `of` will not run again: its destroy hooks are called later. */
function endResource(of) {
  queueDestroy(of[kId]);
}

function queueDestroy(id) {
  if (hooks.counts.destroy === 0 || !(id > 0)) return;
  // Bounds the queue of a program that never leaves its microtasks.
  if (ArrayPush(destroyed, id) === MOST_WAITING) native.enqueueMicrotask(flush);
}

/** Calls the destroy hooks: between turns and outside any context, or in a microtask when many are queued. */
function flush() {
  while (destroyed.length > 0) {
    const batch = ArraySplice(destroyed, 0, destroyed.length);
    for (let index = 0; index < batch.length; index++) hooks.emit('destroy', batch[index]);
  }
}

/** Returns a function for the host to call later: `callback` in the current frame, as a resource of the given type. */
function bind(callback, type, repeats = false) {
  if (callback[kBound]) return callback;
  const of = initResource({}, type);
  return bindTo(of, callback, !repeats);
}

/** Like `bind`, for an existing resource, which ends with the call if `isOnce`. */
function bindTo(of, callback, isOnce = false) {
  const inContext = (...args) => {
    attempt(of, callback, undefined, args, uncaught);
    if (isOnce) endResource(of);
  };
  inContext[kBound] = true;
  return inContext;
}

/** Marks `callback` to be called directly, because it enters contexts itself. */
function exempt(callback) {
  callback[kBound] = true;
  return callback;
}

let uncaught; // the runtime's handler of uncaught errors

// Resource types of host operations that store a callback: by area, then by single operation.
const TYPES = {
  __proto__: null,
  dns: 'QUERYWRAP',
  net: 'TCPWRAP',
  pipes: 'PIPEWRAP',
  children: 'PROCESSWRAP',
  dgram: 'UDPWRAP',
  fswatch: 'FSEVENTWRAP',
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
// Jobs on another thread, by the name of what they do.
const OF_JOB = {
  __proto__: null,
  pbkdf2: 'PBKDF2REQUEST',
  scrypt: 'SCRYPTREQUEST',
  hkdf: 'DERIVEBITSREQUEST',
  key_derive: 'DERIVEBITSREQUEST',
  argon2: 'ARGON2REQUEST',
  random_bytes: 'RANDOMBYTESREQUEST',
  prime_generate: 'RANDOMPRIMEREQUEST',
  prime_check: 'CHECKPRIMEREQUEST',
  cipher_once: 'CIPHERREQUEST',
  asymmetric: 'CIPHERREQUEST',
  hash_once: 'HASHREQUEST',
  hmac_once: 'SIGNREQUEST',
  kmac: 'SIGNREQUEST',
  sign_data: 'SIGNREQUEST',
  verify_data: 'VERIFYREQUEST',
};
const REPEATS = {
  __proto__: null,
  net_accept: true,
  pipes_read: true,
  pipes_readChannel: true,
  dgram_receive: true,
  fswatch_open: true,
};
// Areas whose callbacks are not bound here: that of SQLite, for one, are called while the program waits.
const WITHOUT_CALLBACKS = {
  __proto__: null,
  core: true,
  process: true,
  fs: true, // node/fs binds them itself
  os: true,
  modules: true,
  v8: true,
  rt: true,
  sqlite: true,
};

/** Wraps the host's operations so that they preserve the context of their callbacks. */
function bindOperations() {
  for (const name of intact(ObjectKeys(native))) {
    const { 0: area, 1: action } = StringSplit(name, '_');
    if (action === undefined || area in WITHOUT_CALLBACKS) continue;
    const operation = native[name];
    const type = OF_ONE[name] ?? TYPES[area] ?? StringToUpperCase(area);
    const bound = (...args) => {
      const last = args.length - 1;
      if (typeof args[last] === 'function') {
        args[last] = bind(args[last], name === 'crypto_later' ? (OF_JOB[args[0]] ?? 'KEYPAIRGENREQUEST') : type, REPEATS[name]);
      }
      return apply(operation, native, args);
    };
    native[name] = bound;
  }
}

function use() {
  if (context.isUsed) return;
  uncaught = runtimeParts.uncaught;
  ObjectAssign(context, {
    initResource,
    attempt,
    endResource,
    bind,
    bindTo,
    exempt,
    withTrigger,
    flush,
    runInFrame(frame, callback) {
      const prior = exchangeFrame(frame);
      try {
        return callback();
      } finally {
        setFrame(prior);
      }
    },
    runInFrameOf(promise, frame, callback) {
      const prior = exchangeFrame(frame || undefined);
      const isKnown = promise[kId] !== undefined;
      if (isKnown) enter(promise[kId], promise[kTrigger], promise, false);
      try {
        return callback();
      } finally {
        if (isKnown) exit(promise[kId], false);
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
if (native !== undefined) use(); // without natives, a test only checks that the file loads

module.exports = {
  kId,
  kTrigger,
  kFrame,
  newId,
  defaultTriggerId: () => (defaultTrigger >= 0 ? defaultTrigger : executionAsyncId()),
  enter,
  exit,
  initResource,
  initFor,
  runIn,
  queueDestroy,
  currentFrame,
  setFrame,
  exchangeFrame,
  hasRunning: () => stack.length > 0,
  executionAsyncId,
  triggerAsyncId,
  executionAsyncResource,
};
