'use strict';
// Owns: evaluations that Ctrl-C ends (`breakOnSigint`). While one runs, the program's own listeners of SIGINT are put aside, as
// in Node; the signal that ends one is not told to them.

const handedDown = require('internal/parts');
const { intact } = require('internal/primordials');

let spent = 0; // signals that have ended an evaluation, and that the loop has yet to hear of

handedDown.takeSignal = (name) => {
  if (name !== 'SIGINT' || spent === 0) return false;
  if (--spent === 0) handedDown.process.process.removeListener('SIGINT', keep);
  return true;
};

const ignore = () => {};
const keep = () => {};

/** Return what `run()` returns. */
function interruptible(run) {
  if (handedDown.worker !== undefined) return run(); // signals are the main thread's
  const { process } = handedDown.process;
  const listeners = process.rawListeners('SIGINT');
  process.on('SIGINT', ignore); // with a listener, the signal does not end the program
  for (const listener of intact(listeners)) process.removeListener('SIGINT', listener);
  try {
    return run();
  } catch (error) {
    if (error?.code === 'ERR_SCRIPT_EXECUTION_INTERRUPTED') {
      spent++;
      if (listeners.length === 0) listeners[0] = keep; // without a listener the loop does not hear of the signal
    }
    throw error;
  } finally {
    for (const listener of intact(listeners)) process.on('SIGINT', listener);
    process.removeListener('SIGINT', ignore);
  }
}

module.exports = { interruptible };
