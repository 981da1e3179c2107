// @ts-check
'use strict';
// Owns: the events of console.count and console.time for node:trace_events.

const runtimeParts = require('internal/parts');

const GROUP = 'node,node.console';

/** @param {string} label @param {number} data the new count */
function traceCount(label, data) {
  runtimeParts.trace?.record(GROUP, 'C', `count::${label}`, { id: 0, args: { data } });
}

/** @param {'b' | 'n' | 'e'} phase a timer begins, is shown or ends @param {string} label */
function traceTimer(phase, label) {
  runtimeParts.trace?.record(GROUP, phase, `time::${label}`, { id: 0 });
}

module.exports = { traceCount, traceTimer };
