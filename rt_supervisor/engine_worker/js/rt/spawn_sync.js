'use strict';
// Owns: RT.spawnSync: a child that is waited for.

const native = host.native;
const { ObjectAssign } = require('internal/primordials');
const { prepare, startError, isClass, typeError } = require('rt/spawn_options');
const { signalName } = require('node/child_process/launch');

const TIMED_OUT = -110;
const TOO_MUCH = -105;
const EMPTY = new Uint8Array(0);

function inputOf(input) {
  if (input === undefined) return EMPTY;
  if (input instanceof Uint8Array) return input;
  const bytes = host.bytesAtHand?.(input);
  if (bytes === undefined || bytes === null) {
    throw typeError(
      `a ${isClass(input, 'Blob') ? 'Blob' : 'body'} that has to be waited for cannot be used as stdin of spawnSync`,
    );
  }
  return bytes;
}

function spawnSync(command, options) {
  const prepared = prepare(command, options, { isSync: true, defaults: ['ignore', 'pipe', 'pipe'] });
  const { request, stdio, name, timeout, maxBuffer, killSignal } = prepared;
  let ran;
  try {
    ran = native.children_runToEnd(
      { ...request, timeout: timeout ?? 0, most: maxBuffer ?? -1, killSignal },
      inputOf(stdio.input),
    );
  } finally {
    stdio.close();
  }
  if (ran.pid === 0) throw startError(ran.error, name);
  const { Buffer } = require('node/buffer/buffer');
  const output = (place) => {
    const bytes = ran.output[place];
    return bytes === null || bytes === undefined ? undefined : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  };
  const { ResourceUsage } = require('rt/usage');
  const result = { exitCode: ran.code };
  if (ran.signal !== null) result.signalCode = signalName(ran.signal);
  ObjectAssign(result, {
    stdout: output(1),
    stderr: output(2),
    success: ran.code === 0,
    resourceUsage: new ResourceUsage(ran.usage),
  });
  if (ran.error === TIMED_OUT) result.exitedDueToTimeout = true;
  if (ran.error === TOO_MUCH) result.exitedDueToMaxBuffer = true;
  result.pid = ran.pid;
  return result;
}

module.exports = { spawnSync };
