// @ts-check
'use strict';
// Owns: validation and defaults of node:child_process arguments: file, args, options, environment, and the meaning of `stdio`
// for each descriptor.

const runtimeParts = require('internal/parts');
const {
  ArrayBufferIsView,
  ArrayConcat,
  ArrayForEach,
  ArrayIncludes,
  ArrayIsArray,
  ArrayJoin,
  ArrayMap,
  ArrayPush,
  ArraySlice,
  ObjectHasOwn,
  ObjectValues,
  StringIncludes,
  StringSlice,
  StringStartsWith,
  StringToUpperCase,
} = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const {
  validateBoolean,
  validateInt32,
  validateInteger,
  validateNumber,
  validateObject,
  validateString,
} = require('internal/validators');

const SHELL = '/bin/sh';
const STANDARD = 3;

function checkNulls(text, name) {
  if (typeof text === 'string' && StringIncludes(text, '\0')) {
    throw new codes.ERR_INVALID_ARG_VALUE(name, text, 'must be a string without null bytes');
  }
}

function checkPath(path, name) {
  if (path.includes('\0'))
    throw new codes.ERR_INVALID_ARG_VALUE(name, path, 'must be a string, Uint8Array, or URL without null bytes');
}

function folderOf(cwd, name) {
  if (cwd === undefined || cwd === null) return '';
  const folder = cwd instanceof require('web/url/class').URL ? require('internal/file_url_host').fileURLToPath(cwd) : cwd;
  if (ArrayBufferIsView(folder)) return require('node/buffer/views').asBuffer(folder).toString();
  if (typeof folder !== 'string') throw new codes.ERR_INVALID_ARG_TYPE(name, ['string', 'Buffer', 'URL'], cwd);
  checkPath(folder, name);
  return folder;
}

/** The number of a signal given by name or number. */
function signalNumber(signal) {
  const { NUMBERS } = require('internal/signals');
  if (typeof signal === 'number' && ArrayIncludes(ObjectValues(NUMBERS), signal)) return signal;
  const number = typeof signal === 'string' ? NUMBERS[StringToUpperCase(signal)] : undefined;
  if (number === undefined) throw new codes.ERR_UNKNOWN_SIGNAL(signal);
  return number;
}

function checkSignal(signal) {
  if (typeof signal === 'string' || typeof signal === 'number') return signalNumber(signal);
  if (signal !== undefined && signal !== null)
    throw new codes.ERR_INVALID_ARG_TYPE('options.killSignal', ['string', 'number'], signal);
  return undefined;
}

function checkTimeout(timeout) {
  if (timeout !== undefined && timeout !== null) validateInteger(timeout, 'timeout', 0);
}

function checkMost(most) {
  if (most !== undefined && most !== null) validateNumber(most, 'options.maxBuffer', 0);
}

function checkId(value, name) {
  if (value !== undefined && value !== null) validateInt32(value, name);
}

function environmentPairs(env) {
  const pairs = [];
  for (const key in env) {
    const value = env[key];
    if (value === undefined) continue;
    checkNulls(key, `options.env['${key}']`);
    checkNulls(value, `options.env['${key}']`);
    ArrayPush(pairs, `${key}=${value}`);
  }
  return pairs;
}

let hasWarnedOfShell = false;
function warnOfShell() {
  if (hasWarnedOfShell) return;
  hasWarnedOfShell = true;
  host.emitWarning(
    'Passing args to a child process with shell option true can lead to security vulnerabilities, as the arguments are not escaped, only concatenated.',
    'DeprecationWarning',
    'DEP0190',
  );
}

/** Validated options with `file`, `args` (including argv[0]) and `envPairs`. */
function spawnArguments(file, args, options) {
  validateString(file, 'file');
  checkNulls(file, 'file');
  if (file.length === 0) throw new codes.ERR_INVALID_ARG_VALUE('file', file, 'cannot be empty');
  if (ArrayIsArray(args)) args = ArraySlice(args);
  else if (args === undefined || args === null) args = [];
  else if (typeof args !== 'object') throw new codes.ERR_INVALID_ARG_TYPE('args', 'object', args);
  else {
    options = args;
    args = [];
  }
  ArrayForEach(args, (arg, place) => checkNulls(arg, `args[${place}]`));
  if (options === undefined) options = {};
  else validateObject(options, 'options');
  options = { __proto__: null, ...options };
  const folder = folderOf(options.cwd, 'options.cwd');
  for (let index = 0, list = ['detached', 'windowsHide', 'windowsVerbatimArguments']; index < list.length; index++) {
    const name = list[index];
    if (options[name] !== undefined && options[name] !== null) validateBoolean(options[name], `options.${name}`);
  }
  checkId(options.uid, 'options.uid');
  checkId(options.gid, 'options.gid');
  const { shell } = options;
  if (shell !== undefined && shell !== null && typeof shell !== 'boolean' && typeof shell !== 'string') {
    throw new codes.ERR_INVALID_ARG_TYPE('options.shell', ['boolean', 'string'], shell);
  }
  if (options.argv0 !== undefined && options.argv0 !== null) {
    validateString(options.argv0, 'options.argv0');
    checkNulls(options.argv0, 'options.argv0');
  }
  if (shell) {
    if (typeof shell === 'string') checkNulls(shell, 'options.shell');
    if (args.length > 0) warnOfShell();
    args = ['-c', ArrayJoin(ArrayConcat([file], args), ' ')];
    file = typeof shell === 'string' ? shell : SHELL;
  }
  args = ArrayConcat(
    [options.argv0 ?? file],
    ArrayMap(args, (arg) => `${arg}`),
  );
  const env = withCoverage(options.env || runtimeParts.process.process.env);
  return {
    __proto__: null,
    ...options,
    file,
    args,
    folder,
    detached: Boolean(options.detached),
    envPairs: environmentPairs(env),
  };
}

/** { file, options, callback } from the arguments of exec and execSync. */
function shellArguments(command, options, callback) {
  validateString(command, 'command');
  checkNulls(command, 'command');
  if (typeof options === 'function') ({ 0: callback, 1: options } = [options, undefined]);
  options = { __proto__: null, ...options };
  options.shell = typeof options.shell === 'string' ? options.shell : true;
  return { file: command, options, callback };
}

/** The environment with NODE_V8_COVERAGE while coverage is on, so that children are measured, as in Node. */
function withCoverage(env) {
  if (runtimeParts.coverage === undefined || ObjectHasOwn(env, 'NODE_V8_COVERAGE')) return env;
  const { NODE_V8_COVERAGE } = runtimeParts.process.process.env;
  return NODE_V8_COVERAGE ? { ...env, NODE_V8_COVERAGE } : env;
}

/** The search path for a child's file: the PATH of the child's environment. */
function pathIn(envPairs) {
  for (let index = 0; index < (envPairs?.length ?? 0); index++) {
    if (StringStartsWith(envPairs[index], 'PATH=')) return StringSlice(envPairs[index], 5);
  }
  return null;
}

/** The host request for a child with these options. */
const requestFrom = (options, stdio) =>
  require('node/child_process/launch').requestOf({
    file: options.file,
    argv: options.args,
    env: options.envPairs,
    path: pathIn(options.envPairs),
    cwd: options.folder,
    stdio,
    detached: options.detached,
    uid: options.uid ?? -1,
    gid: options.gid ?? -1,
  });

/** 'pipe' or another value for all three standard descriptors. */
function stdioArray(word) {
  if (ArrayIncludes(['pipe', 'overlapped', 'ignore', 'inherit'], word)) return [word, word, word];
  throw new codes.ERR_INVALID_ARG_VALUE('stdio', word);
}

/**
 * Interprets `stdio`: { kinds: 'pipe', 'ignore', 'ipc' or a descriptor of this process, ipcPlace, lent: streams of other
 * children whose pipes are passed on }.
 */
function stdioOf(stdio, isSync) {
  if (typeof stdio === 'string') stdio = stdioArray(stdio);
  else if (!ArrayIsArray(stdio)) throw new codes.ERR_INVALID_ARG_VALUE('stdio', stdio);
  const list = ArraySlice(stdio);
  while (list.length < STANDARD) ArrayPush(list, undefined);
  let ipcPlace;
  const lent = [];
  const kinds = ArrayMap(list, (one, place) => {
    if (one === undefined || one === null) return place < STANDARD ? 'pipe' : 'ignore';
    if (one === 'ignore') return 'ignore';
    if (one === 'pipe' || one === 'overlapped') return 'pipe';
    if (one === 'inherit') return place;
    if (one === 'ipc') {
      if (isSync) throw new codes.ERR_IPC_SYNC_FORK();
      if (ipcPlace !== undefined) throw new codes.ERR_IPC_ONE_PIPE();
      ipcPlace = place;
      return 'ipc';
    }
    if (typeof one === 'number') return one;
    if (typeof one?.fd === 'number' && one.fd >= 0) return one.fd;
    if (typeof one?._handle?.fd === 'number' && one._handle.fd >= 0) {
      ArrayPush(lent, one);
      return one._handle.fd;
    }
    if (typeof one === 'string' || ArrayBufferIsView(one)) {
      if (!isSync) throw new codes.ERR_INVALID_SYNC_FORK_INPUT(one);
      return 'pipe';
    }
    throw new codes.ERR_INVALID_ARG_VALUE('stdio', one);
  });
  return { kinds, ipcPlace, lent };
}

/** Converts kinds to the names used by `native/src/children`. */
const hostWords = (kinds) =>
  ArrayMap(kinds, (kind, place) => (kind === 'ipc' || (kind === 'pipe' && place >= STANDARD) ? 'socket' : kind));

module.exports = {
  environmentPairs,
  checkNulls,
  checkPath,
  spawnArguments,
  shellArguments,
  requestFrom,
  stdioOf,
  stdioArray,
  hostWords,
  signalNumber,
  checkSignal,
  checkTimeout,
  checkMost,
};
