// @ts-check
'use strict';
// Owns: eventLoopUtilization: the active and idle time of a loop. Idle is the time spent waiting for events.

const startValues = require('internal/start_values');

const { native } = host;

/** Milliseconds since the program's start on the clock of `native.now()`; -1 for an event that has not happened. */
const relative = (time) => (time < 0 ? -1 : time - startValues.startedAt);

const loopStart = () => relative(native.loop_times()[0]);
const loopEnd = () => relative(native.loop_times()[2]);
const idleTime = () => native.loop_times()[1];

/** Utilization of a loop started at `start` (-1 if it has not started) that has been idle for `idle`. */
function utilization(start, idle, util1, util2) {
  if (start <= 0) return { idle: 0, active: 0, utilization: 0 };
  if (util2) {
    const idleBetween = util1.idle - util2.idle;
    const active = util1.active - util2.active;
    return { idle: idleBetween, active, utilization: active / (idleBetween + active) };
  }
  const active = native.now() - startValues.startedAt - start - idle;
  if (!util1) return { idle, active, utilization: active / (idle + active) };
  const idleSince = idle - util1.idle;
  const activeSince = active - util1.active;
  return { idle: idleSince, active: activeSince, utilization: activeSince / (idleSince + activeSince) };
}

function eventLoopUtilization(util1, util2) {
  return utilization(loopStart(), idleTime(), util1, util2);
}

/** The utilization of the loop that listens to the mailbox; zeros once it has ended. */
function utilizationOf(mailbox, util1, util2) {
  const times = native.loop_timesOf(mailbox);
  if (times === undefined) return { idle: 0, active: 0, utilization: 0 };
  return utilization(relative(times[0]), times[1], util1, util2);
}

/** The loop's iterations and event counts. */
function loopCounts() {
  const { 0: loopCount, 1: events, 2: eventsWaiting } = native.loop_counts();
  return { loopCount, events, eventsWaiting };
}

module.exports = { eventLoopUtilization, utilizationOf, loopStart, loopEnd, idleTime, loopCounts };
