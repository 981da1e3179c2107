// @ts-check
'use strict';
// Owns: completed operations whose callbacks run when the loop next polls.

const { ArrayPush } = require('internal/primordials');
const context = require('internal/async/context');
const { call } = require('internal/timers');

const native = host.native;
let completions = [];

/** Calls `callback(...args)` when the loop next polls, as for a pending operation that completes. */
function later(callback, ...args) {
  if (context.isUsed) callback = context.bind(callback, 'FSREQCALLBACK');
  if (ArrayPush(completions, { callback, args }) === 1) native.core_complete();
}

function runCompletions() {
  const batch = completions;
  completions = [];
  for (let index = 0; index < batch.length; index++) {
    const { callback, args } = batch[index];
    call(callback, undefined, args);
  }
}

module.exports = { later, runCompletions };
