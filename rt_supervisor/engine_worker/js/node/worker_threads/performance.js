// @ts-check
'use strict';
// Owns: `worker.performance`: the utilization of a worker's loop, which the loop records itself.

const { FunctionBind } = require('internal/primordials');

/** `mailbox()`: the number of a mailbox that the worker listens to; undefined once it has ended. */
function performanceOf(mailbox) {
  function eventLoopUtilization(util1, util2) {
    const number = mailbox();
    if (number === undefined) return { idle: 0, active: 0, utilization: 0 };
    return require('node/perf_hooks/utilization').utilizationOf(number, util1, util2);
  }
  return { eventLoopUtilization: FunctionBind(eventLoopUtilization, undefined) };
}

module.exports = { performanceOf };
