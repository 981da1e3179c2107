// @ts-check
'use strict';
// Owns: completed operations whose callbacks run when the loop next polls.

const { ArrayPush } = require('internal/primordials');
const context = require('internal/async/context');
const { call } = require('internal/timers');

const native = host.native;
let completions = [];
/** @type {{ batch: any[], next: number, outer: any } | undefined} */
let unfinished; // the innermost batch that is running

/** Calls `callback(...args)` when the loop next polls, as for a pending operation that completes. */
function later(callback, ...args) {
  if (context.isUsed) callback = context.bind(callback, 'FSREQCALLBACK');
  if (ArrayPush(completions, { callback, args }) === 1) native.core_complete();
}

function runCompletions() {
  const batch = completions;
  completions = [];
  const outer = unfinished;
  const work = (unfinished = { batch, next: 0, outer });
  while (work.next < batch.length) {
    const { callback, args } = batch[work.next++];
    call(callback, undefined, args);
  }
  unfinished = outer;
}

/** Schedules the rest of the batches that a debugger has ended. */
function recover() {
  for (; unfinished !== undefined; unfinished = unfinished.outer) {
    const { batch, next } = unfinished;
    for (let index = next; index < batch.length; index++) {
      if (ArrayPush(completions, batch[index]) === 1) native.core_complete();
    }
  }
}

module.exports = { later, runCompletions, recover };
