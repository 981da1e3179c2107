// @ts-check
'use strict';
// Owns: that a server's handlers run in the async context that RT.serve was called in, whatever wakes them.

const { FunctionApply } = require('internal/primordials');
const context = require('internal/async/context');

/** `handler` itself where there is no context. */
function inContext(handler) {
  if (!context.isUsed || typeof handler !== 'function') return handler;
  const frame = require('internal/async/tracking').currentFrame();
  if (frame === undefined) return handler;
  return function handle(...args) {
    return context.inside(frame, () => FunctionApply(handler, this, args));
  };
}

module.exports = { inContext };
