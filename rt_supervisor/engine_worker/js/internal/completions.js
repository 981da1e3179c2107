// @ts-check
'use strict';
// Owns: completed operations whose callbacks run when the loop next polls.

const { ArrayPush } = require('internal/primordials');
const context = require('internal/async/context');
const { drain } = require('internal/timers');
const runtimeParts = require('internal/parts');

const native = host.native;
let completions = [];
/** @type {{ batch: any[], next: number, outer: any } | undefined} */
let unfinished; // the innermost batch that is running

/** Calls `callback(...args)` when the loop next polls, as for a pending operation that completes. */
function later(callback, ...args) {
  if (context.isUsed) callback = context.bind(callback, 'FSREQCALLBACK');
  if (ArrayPush(completions, { callback, args }) === 1) native.core_complete();
}

/** Runs the callbacks, with what follows from each but the last; returns whether there were any. */
function runCompletions() {
  const batch = completions;
  completions = [];
  const outer = unfinished;
  const work = (unfinished = { batch, next: 0, outer });
  while (work.next < batch.length) {
    const { callback, args } = batch[work.next++];
    runtimeParts.attempt(callback, undefined, args, /** @type {Function} */ (runtimeParts.uncaught));
    if (work.next < batch.length) drain();
  }
  unfinished = outer;
  return batch.length > 0;
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
