// @ts-check
'use strict';
// Owns: a turn in the context of a resource: what the host calls for something that node:async_hooks knows.

const handedDown = require('internal/parts');
const context = require('internal/async/context');
const timers = require('internal/timers');

/** Call `callback()` in a turn of its own, in the context of `resource`; without one in none. */
function turnOf(resource, callback) {
  if (resource === undefined) {
    timers.call(callback, undefined, []);
    return;
  }
  context.attempt(resource, callback, undefined, [], /** @type {Function} */ (handedDown.uncaught));
  timers.drain();
}

/**
 * Where the program asks for contexts: have `listeners.data` called in that of a new resource, which the other end's `handle`
 * has begun. Returns the resource.
 */
function heardAs(type, object, handle, listeners) {
  if (!context.isUsed) return undefined;
  const resource = context.began(object, type, handle?.resource);
  listeners.data = context.boundTo(resource, listeners.data);
  return resource;
}

module.exports = { heardAs, turnOf };
