// @ts-check
'use strict';
// Owns: evaluations that may be ended from outside, by a time limit or by Ctrl-C. Whatever of the library was being loaded then is
// half made: it is forgotten, and loaded again when it is wanted again.

/** Return what `run()` returns. */
function limited(run) {
  const depth = host.loadsUnderWay();
  try {
    return run();
  } catch (error) {
    host.forgetLoads(depth);
    throw error;
  }
}

module.exports = { limited };
