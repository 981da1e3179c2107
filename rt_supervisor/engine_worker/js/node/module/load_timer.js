// @ts-check
'use strict';
// Owns: the durations of CommonJS loads, for `NODE_DEBUG=module_timer` and the trace category `node.module_timer`. Loads pass
// through here only while one of them is wanted.

const { ArrayPush, SetAdd, SetDelete, SetForEach } = require('internal/primordials');
const runtimeParts = require('internal/parts');
const { debuglog } = require('node/util/promisify');

const observers = new Set();

/**
 * Runs `load` between the calls that each observer requires.
 * @param {string} request @param {string | undefined} parent the parent's id
 * @param {() => unknown} load
 */
function timeLoad(request, parent, load) {
  /** @type {(() => void)[]} */
  const ended = [];
  SetForEach(observers, (observe) => ArrayPush(ended, observe(request, parent)));
  try {
    return load();
  } finally {
    for (let index = 0; index < ended.length; index++) ended[index]();
  }
}

/**
 * Calls `observe` at the start of each load, and the function that it returns at its end, until the returned function is called.
 * @param {(request: string, parent: string | undefined) => () => void} observe
 */
function observeLoads(observe) {
  SetAdd(observers, observe);
  runtimeParts.timeLoad = timeLoad;
  return () => {
    SetDelete(observers, observe);
    if (observers.size === 0) runtimeParts.timeLoad = undefined;
  };
}

/** Prints the duration of every load if NODE_DEBUG names it. */
function start() {
  const { enabled } = /** @type {{ enabled?: boolean }} */ (debuglog('module_timer'));
  if (!enabled) return;
  const { elapsedText } = require('web/console/class');
  observeLoads((request, parent = '') => {
    const at = host.now();
    return () => {
      const pid = host.pid?.() ?? 0;
      host.writeErr(`MODULE_TIMER ${pid} [${parent}] [${request}]: ${elapsedText(host.now() - at)}\n`);
    };
  });
}

module.exports = { observeLoads, start };
