// @ts-check
'use strict';
// Owns: RT.spawnSync: runs a child process to completion, blocking the thread.

const native = host.native;
const { MathCeil, MathMax, ObjectAssign } = require('internal/primordials');
const { isUint8Array } = require('internal/brands');
const { prepare, startError, isClass, typeError } = require('rt/spawn/options');
const { signalName } = require('node/child_process/launch');

const TIMED_OUT = -110;
const TOO_MUCH = -105;
const EMPTY = new Uint8Array(0);

/** Returns the bytes of a Blob, or of a body in memory, or undefined for a body that requires waiting. */
function bytesAtHand(input) {
  if (isClass(input, 'Blob')) {
    const blobs = require('web/blob/blob');
    return blobs.isBlob(input) ? blobs.bytesAtHand(input) : undefined;
  }
  const { partsOf } = require(isClass(input, 'Response') ? 'web/fetch/response' : 'web/fetch/request');
  return partsOf(input).body.bytesAtHand();
}

function inputOf(input) {
  if (input === undefined) return EMPTY;
  if (isUint8Array(input)) return input;
  const bytes = bytesAtHand(input);
  if (bytes === undefined) {
    throw typeError('ReadableStream cannot be used in sync mode');
  }
  return bytes;
}

/** Returns the milliseconds until a timeout aborts `signal`. The loop does not turn meanwhile, so nothing else can abort it. */
function timeLeft(signal) {
  if (signal === undefined || signal === null) return Infinity;
  return MathMax(1, MathCeil(require('web/abort').deadlineOf(signal) - host.now()));
}

function spawnSync(command, options) {
  const prepared = prepare(command, options, { isSync: true, defaults: ['ignore', 'pipe', 'pipe'] });
  const { request, stdio, name, timeout, maxBuffer, killSignal } = prepared;
  const remaining = timeLeft(prepared.options.signal);
  const isAborted = remaining < (timeout || Infinity);
  let ran;
  try {
    ran = native.children_runToEnd(
      { ...request, timeout: isAborted ? remaining : (timeout ?? 0), most: maxBuffer ?? -1, killSignal },
      inputOf(stdio.input),
    );
  } finally {
    stdio.close();
  }
  if (ran.pid === 0) throw startError(ran.error, name);
  const { asBuffer } = require('node/buffer/views');
  const output = (place) => {
    const bytes = ran.output[place];
    return bytes === null || bytes === undefined ? undefined : asBuffer(bytes);
  };
  const { ResourceUsage } = require('rt/spawn/usage');
  const result = { exitCode: ran.code };
  if (ran.signal !== null) result.signalCode = signalName(ran.signal);
  ObjectAssign(result, {
    stdout: output(1),
    stderr: output(2),
    success: ran.code === 0,
    resourceUsage: new ResourceUsage(ran.usage),
  });
  if (ran.error === TIMED_OUT && !isAborted) result.exitedDueToTimeout = true;
  if (ran.error === TOO_MUCH) result.exitedDueToMaxBuffer = true;
  result.pid = ran.pid;
  return result;
}

module.exports = { spawnSync };
