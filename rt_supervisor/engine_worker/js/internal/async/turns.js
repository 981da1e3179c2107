// @ts-check
'use strict';
// Owns: turns that run in the context of a resource, for host callbacks that correspond to a resource of node:async_hooks.

const runtimeParts = require('internal/parts');
const context = require('internal/async/context');
const timers = require('internal/timers');

/** Calls `callback()` in its own turn, in the context of `resource`, or in none if that is undefined. */
function turnOf(resource, callback) {
  if (resource === undefined) {
    timers.call(callback, undefined, []);
    return;
  }
  context.attempt(resource, callback, undefined, [], /** @type {Function} */ (runtimeParts.uncaught));
  timers.drain();
}

/**
 * If the program uses node:async_hooks, makes `listeners.data` run in the context of a new resource whose trigger is the
 * connection's `handle`. Returns the resource.
 */
function bindListeners(type, object, handle, listeners) {
  if (!context.isUsed) return undefined;
  const resource = context.initResource(object, type, handle?.resource);
  listeners.data = context.bindTo(resource, listeners.data);
  return resource;
}

module.exports = { bindListeners, turnOf };
