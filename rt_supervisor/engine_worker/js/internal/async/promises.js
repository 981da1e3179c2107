// @ts-check
'use strict';
// Owns: promises as asynchronous resources: translates V8's promise hooks to init, before, after and promiseResolve. V8's hooks
// are set only while a hook that observes promises is enabled.

const { FinalizationRegistryRegister } = require('internal/primordials');
const {
  kId,
  kTrigger,
  newId,
  enter,
  exit,
  executionAsyncId,
  defaultTriggerId,
  queueDestroy,
} = require('internal/async/tracking');
const hooks = require('internal/async/hooks');

let registry;

/** Returns the id of a promise. A promise older than the hooks gets an id without a call of `init`. */
function idOf(promise) {
  if (promise[kId] === undefined) identify(promise, undefined);
  return promise[kId];
}

function identify(promise, parent) {
  const trigger = parent === undefined ? defaultTriggerId() : idOf(parent); // first, so that the parent has the lower id
  promise[kId] = newId();
  promise[kTrigger] = trigger;
}

function began(promise, parent) {
  if (promise[kId] === undefined) identify(promise, parent);
  if (hooks.counts.init > 0) hooks.forPromise('init', [promise[kId], 'PROMISE', promise[kTrigger], promise]);
  if (hooks.counts.destroy > 0) {
    registry ??= new FinalizationRegistry(queueDestroy);
    FinalizationRegistryRegister(registry, promise, promise[kId]);
  }
}

const before = (promise) => {
  enter(idOf(promise), promise[kTrigger], promise);
};
const after = (promise) => {
  const id = idOf(promise);
  if (id === executionAsyncId()) exit(id);
  else if (hooks.counts.after > 0) hooks.emit('after', id); // it began before the hooks were enabled
};
const onSettled = (promise) => {
  hooks.forPromise('promiseResolve', [idOf(promise)]);
};

/** Sets those of V8's promise hooks that the enabled hooks need. */
function update() {
  const tracksPromises = hooks.tracksPromises();
  const tracksBegin = tracksPromises && (hooks.counts.init > 0 || hooks.counts.destroy > 0);
  host.native.setPromiseHooks(
    tracksBegin ? began : undefined,
    tracksPromises ? before : undefined,
    tracksPromises ? after : undefined,
    tracksPromises && hooks.counts.promiseResolve > 0 ? onSettled : undefined,
  );
}

module.exports = { update };
