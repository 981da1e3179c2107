'use strict';
// Owns: signals that the program listens for: the host watches a signal as long as it has a listener, and each that comes is
// emitted in a turn of its own, in the context in which its first listener was added.

const { setOf } = require('internal/collections');
const native = host.native;
const handedDown = require('internal/parts');
const { ObjectAssign, SetHas, intact } = require('internal/primordials');
const context = require('internal/async/context');
const { NUMBERS: SIGNALS, nameOf } = require('internal/signals');

const UNCATCHABLE = setOf(intact(['SIGKILL', 'SIGSTOP']));
const resources = { __proto__: null }; // of signals that are listened for, for node:async_hooks

function watchInContext(name, isWanted) {
  if (isWanted) resources[name] ??= context.began({}, 'SIGNALWRAP');
  else if (resources[name] !== undefined) {
    context.ended(resources[name]);
    resources[name] = undefined;
  }
}

/** Emit a signal that has come. */
function tell(number) {
  const name = nameOf(number);
  if (handedDown.takeSignal?.(name)) return; // the signal has ended an evaluation, which was all it did (breakOnSigint)
  require('internal/async/turns').turnOf(resources[name], () => handedDown.process.process.emit(name, name, number));
}

/** Begin or end to watch for a signal. */
function watch(name, isWanted) {
  const number = typeof name === 'string' ? SIGNALS[name] : undefined;
  if (!number) return;
  if (SetHas(UNCATCHABLE, name))
    throw ObjectAssign(new Error('uv_signal_start EINVAL'), { errno: -22, code: 'EINVAL', syscall: 'uv_signal_start' });
  if (context.isUsed || resources[name] !== undefined) watchInContext(name, isWanted);
  native.process_watchSignal(number, isWanted, tell);
}

module.exports = { watch };
