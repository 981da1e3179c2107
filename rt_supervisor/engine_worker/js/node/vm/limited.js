// @ts-check
'use strict';
// Owns: evaluations that can be terminated, by a time limit or by Ctrl-C. Library files that were being loaded at that moment
// are incomplete: they are discarded, and loaded again when next required.

/** Returns the result of `run()`. */
function runLimited(run) {
  const depth = host.loadingDepth();
  try {
    return run();
  } catch (error) {
    host.forgetLoads(depth);
    throw error;
  }
}

module.exports = { runLimited };
