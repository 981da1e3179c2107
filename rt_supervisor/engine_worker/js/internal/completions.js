// @ts-check
'use strict';
// Owns: operations that are complete and whose callbacks run when the loop next polls.

const { ArrayPush } = require('internal/primordials');
const context = require('internal/async/context');
const { call } = require('internal/timers');

const native = host.native;
let completions = [];

/** Call `callback(...args)` when the loop next polls, as for an operation that was under way. */
function later(callback, ...args) {
  if (context.isUsed) callback = context.bound(callback, 'FSREQCALLBACK');
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
