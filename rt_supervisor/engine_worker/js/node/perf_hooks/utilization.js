// @ts-check
'use strict';
// Owns: eventLoopUtilization: how long the loop was busy and idle. Idle is the time in which the program's thread did not run, which is
// the waiting of the loop, and of synchronous calls that wait.

const startValues = require('internal/start_values');
const { MathMax } = require('internal/primordials');

const native = host.native;
const MS_PER_US = 1e-3;

let start = -1; // when the loop began to turn, or its first turn after this file was loaded
let ranBefore = 0; // ms of the thread's own time until then

const ran = () => {
  const { user, system } = native.process_threadCpuUsage();
  return (user + system) * MS_PER_US;
};
const now = () => native.now() - startValues.startedAt;

require('internal/timers')
  .setImmediate(() => {
    start = now();
    ranBefore = ran();
  })
  .unref();

const loopStart = () => start;
const idleTime = () => (start < 0 ? 0 : MathMax(0, now() - start - (ran() - ranBefore)));

function eventLoopUtilization(util1, util2) {
  if (start < 0) return { idle: 0, active: 0, utilization: 0 };
  if (util2) {
    const idle = util1.idle - util2.idle;
    const active = util1.active - util2.active;
    return { idle, active, utilization: active / (idle + active) };
  }
  const idle = idleTime();
  const active = now() - start - idle;
  if (!util1) return { idle, active, utilization: active / (idle + active) };
  const idleSince = idle - util1.idle;
  const activeSince = active - util1.active;
  return { idle: idleSince, active: activeSince, utilization: activeSince / (idleSince + activeSince) };
}

module.exports = { eventLoopUtilization, loopStart, idleTime };
