'use strict';
// Owns: functions of process that validate their arguments: times, memory, umask, working directory and signals.

const runtimeParts = require('internal/parts');
const startValues = require('internal/start_values');
const { ArrayIncludes, ArrayIsArray, AtomicsAdd, ObjectAssign, intact } = require('internal/primordials');
const native = host.native;
const { codes } = require('internal/errors/errors');
const { parseFileMode, validateNumber, validateObject, validateString } = require('internal/validators');

const NANOSECONDS = 1_000_000_000;

function hrtime(previous) {
  const now = native.process_hrtime();
  const seconds = Number(now / 1_000_000_000n);
  const rest = Number(now % 1_000_000_000n);
  if (previous === undefined) return [seconds, rest];
  if (!ArrayIsArray(previous)) throw new codes.ERR_INVALID_ARG_TYPE('time', 'Array', previous);
  if (previous.length !== 2) throw new codes.ERR_OUT_OF_RANGE('time', 2, previous.length);
  const { 0: wholes, 1: parts } = previous;
  return rest < parts ? [seconds - wholes - 1, rest - parts + NANOSECONDS] : [seconds - wholes, rest - parts];
}
hrtime.bigint = function bigint() {
  return native.process_hrtime();
};

function memoryUsage() {
  return native.process_memoryUsage();
}
memoryUsage.rss = function rss() {
  return native.process_memoryUsage().rss;
};

const difference = (read) => (previous) => {
  const { user, system } = read();
  if (previous === undefined || previous === null || previous === false || previous === 0) return { user, system };
  validateObject(previous, 'prevValue');
  for (const name of intact(['user', 'system'])) {
    const value = previous[name];
    if (typeof value !== 'number') validateNumber(value, `prevValue.${name}`);
    if (!(value >= 0 && value <= Number.MAX_SAFE_INTEGER)) {
      throw ObjectAssign(new codes.ERR_INVALID_ARG_VALUE_RANGE(`prevValue.${name}`, value), { code: 'ERR_INVALID_ARG_VALUE' });
    }
  }
  return { user: user - previous.user, system: system - previous.system };
};

function umask(mask) {
  return native.process_umask(mask === undefined ? -1 : parseFileMode(mask, 'mask') & 0o777);
}

// The working directory as the main thread last read it, cached as in Node. Other threads read it each time, since it belongs
// to the process.
let folder;

/** The working directory; if it was removed before it was first read, the error reports that. */
function cwd() {
  if (folder !== undefined) return folder;
  try {
    const directory = native.process_cwd();
    if (runtimeParts.worker === undefined && !startValues.storesHeap) folder = directory;
    return directory;
  } catch (error) {
    const words =
      'no such file or directory, the current working directory was likely removed without changing the working directory';
    if (error.code === 'ENOENT') error.message = `ENOENT: process.cwd failed with error ${words}, uv_cwd`;
    throw error;
  }
}

function chdir(directory) {
  validateString(directory, 'directory');
  folder = undefined;
  native.process_chdir(directory);
  if (runtimeParts.folderChanges !== undefined) AtomicsAdd(runtimeParts.folderChanges, 0, 1);
}

// Signals that do not end a process without a listener.
const HARMLESS = ['SIGCHLD', 'SIGCONT', 'SIGSTOP', 'SIGTSTP', 'SIGTTIN', 'SIGTTOU', 'SIGURG', 'SIGUSR1', 'SIGWINCH'];

/** Whether the signal `number`, sent to `pid`, ends this process, so that nothing can be written afterwards. */
function endsProcess(process, pid, number) {
  const isOwn = pid === process.pid || pid === 0 || pid === -1 || pid === -process.pid;
  if (!isOwn || number <= 0 || runtimeParts.worker !== undefined) return false;
  const name = require('internal/signals').nameOf(number);
  return name !== undefined && !ArrayIncludes(HARMLESS, name) && process.listenerCount(name) === 0;
}

function kill(pid, signal) {
  // A numeric string is accepted, as in Node.
  // eslint-disable-next-line eqeqeq
  if (pid != (pid | 0)) throw new codes.ERR_INVALID_ARG_TYPE('pid', 'number', pid);
  const number = typeof signal === 'number' ? signal : require('internal/signals').numberOf(signal || 'SIGTERM');
  const { process, writeDiagnostics } = runtimeParts.process;
  if (endsProcess(process, pid | 0, number)) writeDiagnostics();
  // Call `_kill` as a member of process: a program may have replaced it.
  const errno = process._kill(pid | 0, number);
  if (errno) throw require('internal/errors/errors').errnoException(errno, 'kill');
  return true;
}

module.exports = {
  hrtime,
  memoryUsage,
  umask,
  cwd,
  chdir,
  kill,
  cpuUsage: difference(() => native.process_cpuUsage()),
  threadCpuUsage: difference(() => native.process_threadCpuUsage()),
};
