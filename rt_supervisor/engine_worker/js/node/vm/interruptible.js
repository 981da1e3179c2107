'use strict';
// Owns: evaluations that Ctrl-C ends (`breakOnSigint`). While one runs, the program's own listeners of SIGINT are put aside, as
// in Node.

const handedDown = require('internal/parts');
const { intact } = require('internal/primordials');

/** Return what `run()` returns. */
function interruptible(run) {
  const { process } = handedDown.process;
  const listeners = process.listeners('SIGINT');
  if (listeners.length === 0) return run();
  process.removeAllListeners('SIGINT');
  try {
    return run();
  } finally {
    for (const listener of intact(listeners)) process.on('SIGINT', listener);
  }
}

module.exports = { interruptible };
