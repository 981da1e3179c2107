'use strict';
// Owns: RT.spawnSync: a child that is waited for; its whole process group ends with it.

const native = host.native;
const { codes } = require('./errors');
const { validateObject } = require('./validators');

const WORDS = new Set(['pipe', 'inherit', 'ignore']);

function streamOf(value, fallback, descriptor) {
  if (value === undefined) return fallback;
  if (value === null) return 'ignore';
  if (typeof value === 'number' || WORDS.has(value)) return value === 'inherit' && descriptor === 0 ? 0 : value;
  throw new codes.ERR_INVALID_ARG_TYPE('stdio', ["'pipe'", "'inherit'", "'ignore'", 'number', 'null'], value);
}

function inputOf(value) {
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return require('./rt_file').toBytes(value);
  return streamOf(value, 'ignore', 0);
}

function spawnSync(command, options) {
  if (!Array.isArray(command)) [command, options] = [command?.cmd, command];
  if (!Array.isArray(command) || command.length === 0) throw new TypeError('cmd must be an array of at least one string');
  options ??= {};
  validateObject(options, 'options');
  const argv = command.map((each) => `${each}`);
  const { env: current } = globalThis.process;
  const env = options.env ?? current;
  const folder = options.cwd === undefined ? host.cwd() : `${options.cwd}`;
  const [name] = argv;
  const file = native.process_which(name, env.PATH ?? current.PATH ?? '', folder);
  if (file === null || file === undefined) {
    throw Object.assign(new Error(`Executable not found in $PATH: "${name}"`), { code: 'ENOENT', errno: -2, path: name });
  }
  const stdio = options.stdio ?? [];
  const signals = require('./signals');
  const signal = options.killSignal ?? 'SIGTERM';
  const [pid, exitCode, number, out, err, exitedDueToTimeout, [user, system, maxRSS]] = native.rt_runChild({
    argv: [options.argv0 ?? name, ...argv.slice(1)], file, cwd: folder,
    env: Object.entries(env).filter(([, value]) => value !== undefined).map(([key, value]) => [key, `${value}`]),
    stdin: inputOf(options.stdin ?? stdio[0]),
    stdout: streamOf(options.stdout ?? stdio[1], 'pipe', 1),
    stderr: streamOf(options.stderr ?? stdio[2], 'pipe', 2),
    timeout: options.timeout ?? -1,
    signal: typeof signal === 'number' ? signal : signals.numberOf(signal),
  });
  const { bytesAs } = require('./fs_values');
  const outcome = {
    pid, exitCode, success: exitCode === 0,
    stdout: out === undefined ? undefined : bytesAs(out), stderr: err === undefined ? undefined : bytesAs(err),
    resourceUsage: { maxRSS, cpuTime: { user, system, total: user + system } },
  };
  if (number !== null) outcome.signalCode = signals.nameOf(number);
  if (exitedDueToTimeout) outcome.exitedDueToTimeout = true;
  return outcome;
}

module.exports = { spawnSync };
