// @ts-check
'use strict';
// Owns: running a server's handlers in the async context in which RT.serve was called.

const { FunctionApply } = require('internal/primordials');
const context = require('internal/async/context');

/** Returns `handler` itself if there is no context. */
function inContext(handler) {
  if (!context.isUsed || typeof handler !== 'function') return handler;
  const frame = require('internal/async/tracking').currentFrame();
  if (frame === undefined) return handler;
  return function handle(...args) {
    return context.runInFrame(frame, () => FunctionApply(handler, this, args));
  };
}

module.exports = { inContext };
