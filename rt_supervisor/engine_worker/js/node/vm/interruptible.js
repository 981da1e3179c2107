'use strict';
// Owns: evaluations that Ctrl-C can interrupt (`breakOnSigint`). While one runs, the program's SIGINT listeners are removed,
// as in Node; a signal that interrupts an evaluation does not reach them.

const runtimeParts = require('internal/parts');
const { intact } = require('internal/primordials');

let consumedSignals = 0; // signals that interrupted an evaluation and that the loop has yet to report

runtimeParts.takeSignal = (name) => {
  if (name !== 'SIGINT' || consumedSignals === 0) return false;
  if (--consumedSignals === 0) runtimeParts.process.process.removeListener('SIGINT', keep);
  return true;
};

const ignore = () => {};
const keep = () => {};

/** Returns the result of `run()`. */
function interruptible(run) {
  if (runtimeParts.worker !== undefined) return run(); // only the main thread receives signals
  const { process } = runtimeParts.process;
  const listeners = process.rawListeners('SIGINT');
  process.on('SIGINT', ignore); // with a listener, the signal does not end the program
  for (const listener of intact(listeners)) process.removeListener('SIGINT', listener);
  try {
    return run();
  } catch (error) {
    if (error?.code === 'ERR_SCRIPT_EXECUTION_INTERRUPTED') {
      consumedSignals++;
      if (listeners.length === 0) listeners[0] = keep; // without a listener the loop does not receive the signal
    }
    throw error;
  } finally {
    for (const listener of intact(listeners)) process.on('SIGINT', listener);
    process.removeListener('SIGINT', ignore);
  }
}

module.exports = { interruptible };
