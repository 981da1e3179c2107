// @ts-check
'use strict';
// Owns: Ctrl-C during a test run: reports the running files, ends them, and fails the run.

const runtimeParts = require('internal/parts');
const { ArrayFilter, ArrayMap, intact } = require('internal/primordials');
const { testFailure, FAILURE } = require('node/test/tree');

const SIGNALS = ['SIGINT', 'SIGTERM'];
const PENDING = 'Promise resolution is still pending but the event loop has already resolved';

/**
 * Listens until `end` is called. `filesOf` returns results, of which the running ones have `stop`; `then` is called after the
 * first signal.
 */
function watch(filesOf, stream, then) {
  const { process } = runtimeParts.process;
  const state = { isOver: false, end };
  function interrupt() {
    if (state.isOver) return;
    state.isOver = true;
    const running = ArrayFilter(filesOf(), (each) => each.stop !== undefined);
    if (running.length > 0 || then === undefined) {
      process.exitCode = 1;
      const tests = ArrayMap(running, ({ file }) => ({ name: file, nesting: 0, file, line: 1, column: 1 }));
      stream.emitEvent('test:interrupted', { tests, nesting: 0 });
    }
    for (const each of intact(running)) each.stop(testFailure(PENDING, FAILURE.cancelled));
    then?.();
  }
  for (const name of intact(SIGNALS)) process.on(name, interrupt);
  function end() {
    for (const name of intact(SIGNALS)) process.removeListener(name, interrupt);
  }
  return state;
}

module.exports = { watch };
