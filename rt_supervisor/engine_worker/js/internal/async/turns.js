// @ts-check
'use strict';
// Owns: a turn in the context of a resource, for callbacks of the host that node:async_hooks has a resource for.

const handedDown = require('internal/parts');
const context = require('internal/async/context');
const timers = require('internal/timers');

/** Call `callback()` in a turn of its own, in the context of `resource`, or in none if that is undefined. */
function turnOf(resource, callback) {
  if (resource === undefined) {
    timers.call(callback, undefined, []);
    return;
  }
  context.attempt(resource, callback, undefined, [], /** @type {Function} */ (handedDown.uncaught));
  timers.drain();
}

/**
 * If the program uses node:async_hooks, have `listeners.data` called in the context of a new resource, which the connection's
 * `handle` triggers. Returns the resource.
 */
function heardAs(type, object, handle, listeners) {
  if (!context.isUsed) return undefined;
  const resource = context.began(object, type, handle?.resource);
  listeners.data = context.boundTo(resource, listeners.data);
  return resource;
}

module.exports = { heardAs, turnOf };
