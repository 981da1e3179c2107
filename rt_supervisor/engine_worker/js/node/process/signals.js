'use strict';
// Owns: signal listeners: the host watches a signal while it has listeners; each signal is emitted in a separate turn, in the
// async context in which its first listener was added.

const { setOf } = require('internal/collections');
const native = host.native;
const runtimeParts = require('internal/parts');
const { ObjectAssign, SetHas, intact } = require('internal/primordials');
const context = require('internal/async/context');
const { NUMBERS: SIGNALS, nameOf } = require('internal/signals');

const UNCATCHABLE = setOf(intact(['SIGKILL', 'SIGSTOP']));
const resources = { __proto__: null }; // of watched signals, for node:async_hooks

function watchInContext(name, isWanted) {
  if (isWanted) resources[name] ??= context.initResource({}, 'SIGNALWRAP');
  else if (resources[name] !== undefined) {
    context.endResource(resources[name]);
    resources[name] = undefined;
  }
}

/** Emits a received signal. */
function emitSignal(number) {
  const name = nameOf(number);
  if (runtimeParts.takeSignal?.(name)) return; // the signal has only ended an evaluation (breakOnSigint)
  require('internal/async/turns').turnOf(resources[name], () => runtimeParts.process.process.emit(name, name, number));
}

/** Starts or stops watching a signal. */
function watch(name, isWanted) {
  const number = typeof name === 'string' ? SIGNALS[name] : undefined;
  if (!number) return;
  if (SetHas(UNCATCHABLE, name))
    throw ObjectAssign(new Error('uv_signal_start EINVAL'), { errno: -22, code: 'EINVAL', syscall: 'uv_signal_start' });
  if (context.isUsed || resources[name] !== undefined) watchInContext(name, isWanted);
  native.process_watchSignal(number, isWanted, emitSignal);
}

module.exports = { watch };
