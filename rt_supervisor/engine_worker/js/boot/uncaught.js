// @ts-check
'use strict';
// Owns: the handling of uncaught errors and unhandled rejections: the program's listeners first, then the report and the exit.
// Workers and programs under --hot continue after the report.

const runtimeParts = require('internal/parts');
const startValues = require('internal/start_values');
const { ArrayIncludes, MapDelete, MapSet, intact } = require('internal/primordials');
const { givenFlags } = require('internal/given_flags');
const { native } = host;
const context = require('internal/async/context');
const timers = require('internal/timers');
const report = require('internal/errors/report');
require('node/process/process');
const {
  process,
  runExit,
  capture,
  setStatus,
  status: currentStatus,
  isExiting,
} = /** @type {ProcessParts} */ (runtimeParts.process);

// rejectionMode: '' behaves as 'throw', except that reasons that are not errors are thrown unchanged. isTurning: the
// main
// module has run or is suspended at a top-level `await`. hasRejected: an unhandled rejection occurred after that; the
// remaining work still runs, but the exit status will be 1.
// aborts: what the program has set --abort-on-uncaught-exception to.
const state = {
  rejectionMode: '',
  isTurning: false,
  hasRejected: false,
  aborts: /** @type {boolean | undefined} */ (undefined),
  colorsErr: () => false,
};
let thrown; // { value, file, line, column }: the uncaught value, with the place of the throw in the running code
const FATAL_WITHOUT_HANDLER = 6;
const FATAL_IN_HANDLER = 7;
const { _fatalException: fatalException } = process;

const isNode = () => startValues.programName === 'node';
const printer = () => (isNode() ? require('internal/errors/node_report') : report);

function printThrown(value) {
  if (runtimeParts.worker !== undefined) {
    runtimeParts.worker.fatal(value);
    return;
  }
  writeThrown(value);
}

function writeThrown(value) {
  let text;
  try {
    const place = thrown?.value === value ? thrown : undefined;
    text = printer().thrownText(value, { colors: state.colorsErr(), place });
  } catch {
    text = plainText(value);
  }
  native.core_write(2, text);
  if (isNode() && !startValues.isHot) native.core_write(2, require('internal/errors/node_report').versionText());
}

/**
 * Text of an error whose report failed, for example because the program replaced methods that the report calls: its stack,
 * unchanged.
 */
function plainText(value) {
  try {
    if (typeof value?.stack === 'string') return `${value.stack}\n`;
  } catch {
    // the stack is unavailable
  }
  try {
    return `${typeof value === 'object' && value !== null ? `${value.name}: ${value.message}` : String(value)}\n`;
  } catch {
    return 'error: something was thrown that cannot be printed\n';
  }
}

/** Calls `run` as `guard` does; the report of what it throws shows where that was thrown. */
function guardPlaced(run) {
  const failure = native.core_attempt(run);
  if (failure === undefined) return;
  const { 0: value, 1: file, 2: line, 3: column } = failure;
  if (thrown === undefined || thrown.value !== value) noteThrow(value, file, line, column);
  uncaught(value);
  thrown = undefined;
}

/** Notes where the main module threw `value`, for its report. */
function noteThrow(value, file, line, column) {
  thrown = typeof file === 'string' && line > 0 ? { value, file, line, column } : undefined;
}

/** Handles an uncaught error: calls the listeners, or prints the error and ends the program. */
function uncaught(error, origin = 'uncaughtException') {
  if (isHandled(error, origin)) return;
  runtimeParts.reportThrown?.(error);
  printThrown(error);
  if (!startValues.isHot) fail(); // under --hot the program continues: the next change may fix it
}

/**
 * Returns whether the program's own callback or listeners handle an uncaught error. An error that they throw ends the program.
 */
function isHandled(error, origin) {
  const { _fatalException: handler } = process;
  if (handler === fatalException) return isHandledByListeners(error, origin);
  if (typeof handler === 'function') return handler(error, origin === 'unhandledRejection') !== false;
  writeThrown(error);
  native.core_exit(FATAL_WITHOUT_HANDLER);
}

function isHandledByListeners(error, origin) {
  try {
    process.emit('uncaughtExceptionMonitor', error, origin);
    if (capture(error)) return true;
    // As in Node, the flag takes precedence over listeners, except for rejections.
    if (origin === 'uncaughtException' && hasAbortFlag()) return false;
    return process.emit('uncaughtException', error, origin);
  } catch (another) {
    printThrown(another);
    if (hasAbortFlag()) process.abort();
    if (runtimeParts.worker !== undefined) return end(1);
    native.core_exit(FATAL_IN_HANDLER);
  }
}

/** `process._fatalException`: like `uncaught`, but neither prints the error nor ends the program; returns whether it was handled. */
function offer(error, origin) {
  if (isHandledByListeners(error, origin)) return true;
  setStatus(1);
  if (!isExiting()) runExit();
  return false;
}

/** Whether `--abort-on-uncaught-exception` is among the flags of the process. */
const hasAbortFlag = () =>
  runtimeParts.worker === undefined && ArrayIncludes(givenFlags(process), '--abort-on-uncaught-exception');

/** Whether an error that nothing handles aborts the process; `v8.setFlagsFromString` can change it. */
const aborts = () => runtimeParts.worker === undefined && (state.aborts ?? hasAbortFlag());

/** Ends the program because of an error, with SIGABRT if --abort-on-uncaught-exception is given. */
function fail() {
  if (aborts()) process.abort();
  end(1);
}

/** Ends the program. Its 'exit' listeners do not run a second time if one of them threw the fatal error. */
function end(status) {
  if (!isExiting()) {
    setStatus(status);
    try {
      runExit();
    } catch (error) {
      printThrown(error);
    }
  }
  native.core_exit((currentStatus() ?? status) & 0xff);
}

const unhandled = new Map();

/** Processes rejections since the last call; returns true if a listener ran, in which case new ticks may be queued. */
function rejections() {
  let hasListenerRun = false;
  let handledAfter = 0;
  const pending = native.takeRejections();
  for (let index = 0; pending !== undefined && index < pending.length; index += 4) {
    const {
      0: wasHandled,
      1: promise,
      2: reason,
      3: frame,
    } = [pending[index], pending[index + 1], pending[index + 2], pending[index + 3]];
    if (!wasHandled) MapSet(unhandled, promise, { reason, frame });
    else if (!MapDelete(unhandled, promise)) {
      handledAfter++;
      timers.nextTick(() => process.emit('rejectionHandled', promise));
      hasListenerRun = true;
    }
  }
  if (pending !== undefined) {
    runtimeParts.trace?.record('node,node.promises,node.promises.rejections', 'C', 'rejections', {
      args: { unhandled: unhandled.size, handledAfter },
    });
  }
  if (unhandled.size === 0) return hasListenerRun; // in a turn without rejections no code of the program runs here
  let isFatal = false;
  for (const {
    0: promise,
    1: { reason, frame },
  } of intact(unhandled)) {
    hasListenerRun = true;
    MapDelete(unhandled, promise); // before a listener throws, which leaves the others for the next time
    const turn = () => rejectionTurn(promise, reason);
    if (context.isUsed ? context.runInFrameOf(promise, frame, turn) : turn()) isFatal = true;
  }
  if (isFatal && !startValues.isHot) {
    // after the loop, so that each of them has been printed
    if (!state.isTurning) fail();
    state.hasRejected = true;
  }
  return hasListenerRun;
}

/** Handles one rejection according to the mode; returns true if it ends the program. */
function rejectionTurn(promise, reason) {
  const emit = () => process.emit('unhandledRejection', reason, promise);
  const warn = () => require('node/process/warnings').warnOfRejection(reason);
  const isTakenAsError = () => {
    const error = state.rejectionMode === '' ? reason : require('node/process/warnings').rejectionError(reason);
    if (isHandled(error, 'unhandledRejection')) return true;
    runtimeParts.reportThrown?.(reason);
    printThrown(error);
    if (error !== reason && !isNode()) printThrown(reason); // the message does not contain the whole reason
    return false;
  };
  switch (state.rejectionMode) {
    case 'strict':
      if (!isTakenAsError()) return true;
      if (!emit()) warn();
      return false;
    case 'none':
      emit();
      return false;
    case 'warn':
      emit();
      warn();
      return false;
    case 'warn-with-error-code':
      if (emit()) return false;
      warn();
      process.exitCode = 1;
      return false;
    default:
      return !emit() && !isTakenAsError();
  }
}

module.exports = { guardPlaced, noteThrow, offer, state, uncaught, rejections, printThrown };
