'use strict';
// Owns: the synchronous functions of node:child_process: spawnSync, execFileSync, execSync.

const runtimeParts = require('internal/parts');
const {
  ArrayBufferIsView,
  ArrayIsArray,
  ArrayJoin,
  ArrayMap,
  ArraySlice,
  ObjectAssign,
  ObjectHasOwn,
  intact,
} = require('internal/primordials');
const { codes, errnoException } = require('internal/errors/errors');
const { spawnArguments, shellArguments, stdioOf, checkSignal, checkTimeout, checkMost } = require('node/child_process/arguments');

const MOST_BYTES = 1024 * 1024;
const EMPTY = new Uint8Array(0);

function inputOf(input, encoding) {
  if (input === undefined || input === null || input === '') return EMPTY;
  if (ArrayBufferIsView(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  if (typeof input === 'string')
    return require('node/buffer/buffer').Buffer.from(input, encoding === 'buffer' ? 'utf8' : (encoding ?? 'utf8'));
  throw new codes.ERR_INVALID_ARG_TYPE('options.stdio[0]', ['Buffer', 'TypedArray', 'DataView', 'string'], input);
}

function spawnSync(file, args, options) {
  options = { __proto__: null, maxBuffer: MOST_BYTES, ...spawnArguments(file, args, options) };
  checkTimeout(options.timeout);
  checkMost(options.maxBuffer);
  const killSignal = checkSignal(options.killSignal);
  const stdio = options.stdio || 'pipe';
  const { kinds } = stdioOf(stdio, true);
  const input = options.input || (ArrayIsArray(stdio) && ArrayBufferIsView(stdio[0]) ? stdio[0] : undefined);
  if (options.input) kinds[0] = 'pipe';
  const result = require('node/child_process/sync_binding').binding.spawn({
    __proto__: null,
    ...options,
    cwd: options.folder || undefined,
    killSignal,
    stdio: ArrayMap(kinds, (kind, place) => pieceOf(kind, place, place === 0 ? inputOf(input, options.encoding) : undefined)),
  });
  return resultOf(result, options);
}

/** One of a child's descriptors in the binding's format. */
function pieceOf(kind, place, input) {
  if (typeof kind === 'number') return kind === place ? { type: 'inherit', fd: kind } : { type: 'fd', fd: kind };
  if (kind !== 'pipe') return { type: kind };
  return { type: 'pipe', readable: place === 0, writable: place !== 0, ...(input && input.length > 0 ? { input } : undefined) };
}

function resultOf(ran, options) {
  const { output } = ran;
  if (output !== null && options.encoding && options.encoding !== 'buffer') {
    for (let place = 0; place < output.length; place++) output[place] &&= output[place].toString(options.encoding);
  }
  const result = { status: ran.status, signal: ran.signal, output, pid: ran.pid, stdout: output?.[1], stderr: output?.[2] };
  if (!ran.error) return result;
  const error = errnoException(ran.error, `spawnSync ${options.file}`);
  error.path = options.file;
  error.spawnargs = ArraySlice(options.args, 1);
  return { error, ...result };
}

/** The output of a child that must succeed; its stderr is forwarded unless `stdio` is given. */
function checkResult(result, options, command) {
  if (!(options && ObjectHasOwn(options, 'stdio') && options.stdio) && result.stderr?.length > 0)
    runtimeParts.process.process.stderr.write(result.stderr);
  if (result.error) throw ObjectAssign(result.error, result);
  if (result.status === 0) return result.stdout;
  const details = result.stderr?.length > 0 ? `\n${result.stderr.toString()}` : '';
  throw ObjectAssign(new Error(`Command failed: ${command}${details}`), result);
}

function execFileSync(file, args, options) {
  if (!ArrayIsArray(args) && args !== undefined && args !== null) [args, options] = intact([undefined, args]);
  return checkResult(spawnSync(file, args, options), options, ArrayJoin([options?.argv0 || file, ...intact(args ?? [])], ' '));
}

function execSync(command, options) {
  const prepared = shellArguments(command, options);
  return checkResult(spawnSync(prepared.file, prepared.options), prepared.options, command);
}

module.exports = { spawnSync, execFileSync, execSync };
