'use strict';
// Owns: the checks of `--permission`: every host operation that reaches files, the network, other processes, threads or the
// debugger is checked before it starts. Programs have no other access to them. Loaded only with the flag.

const { native } = host;
const {
  ArrayBufferIsView,
  ArrayFilter,
  ArrayFind,
  ArrayPush,
  ReflectApply,
  StringSlice,
  StringStartsWith,
  intact,
} = require('internal/primordials');
const { later } = require('internal/completions');
const { NOT_ALLOWED } = require('internal/errors/errno');
const { hasAllFiles, inheritedOptions, refusal, refusedAltogether, isAudit } = require('node/permission/permission');

const READ = 'fs.read';
const WRITE = 'fs.write';
// Which argument is a path, and how it is accessed. Those with `throw` throw even if they have a callback, as in Node.
const FILES = {
  __proto__: null,
  fs_access: [[0, READ]],
  fs_chmod: [[0, WRITE], 'throw'],
  fs_chown: [[0, WRITE]],
  fs_copyFile: [
    [0, READ],
    [1, WRITE],
  ],
  fs_exists: [[0, READ]],
  fs_lchown: [[0, WRITE]],
  fs_lutimes: [[0, WRITE], 'throw'],
  fs_mkdir: [[0, WRITE], 'throw'],
  fs_mkdirs: [[0, WRITE], 'throw'],
  fs_openFolder: [[0, READ]],
  fs_readFile: [[0, READ]],
  fs_readText: [[0, READ]],
  fs_readdir: [[0, READ]],
  fs_readlink: [[0, READ]],
  fs_rename: [
    [0, READ],
    [0, WRITE],
    [1, WRITE],
  ],
  fs_link: [
    [0, READ],
    [0, WRITE],
    [1, WRITE],
  ],
  fs_rm: [[0, WRITE]],
  fs_rmdir: [[0, WRITE]],
  fs_stat: [[0, READ]],
  fs_statfs: [[0, READ]],
  fs_truncate: [
    [0, READ],
    [0, WRITE],
  ],
  fs_unlink: [[0, WRITE]],
  fs_utimes: [[0, WRITE], 'throw'],
  fs_writeFile: [[0, WRITE]],
  fswatch_open: [[0, READ]],
  process_chdir: [[0, READ]],
  modules_importNow: [[0, READ]],
  modules_loadCommonJs: [[0, READ]],
  modules_requireEsm: [[0, READ]],
  modules_requireSource: [[0, READ]],
  modules_sourceText: [[0, READ]],
  httpServerWriteFile: [[3, READ]],
};
const DISABLED = {
  __proto__: null,
  fs_fchmod: 'fchmod',
  fs_fchown: 'fchown',
  fs_fdatasync: 'fdatasync',
  fs_fsync: 'fsync',
  fs_futimes: 'futimes',
};
const O_RDWR = 2;
const ACCESS_MODE = 3;
const WRITES_AS_WELL = 0o100 | 0o1000 | 0o2000; // O_CREAT, O_TRUNC, O_APPEND

const isPath = (value) => typeof value === 'string' || ArrayBufferIsView(value);

/** Checks an operation before each call: the error returned by `check(args)` is thrown, or passed to the call's callback. */
function guard(name, check, throws = false) {
  const operation = native[name];
  if (operation === undefined) return;
  native[name] = (...args) => {
    const error = check(args);
    if (error === undefined) return ReflectApply(operation, native, args);
    const callback = args[args.length - 1];
    if (throws || typeof callback !== 'function') throw error;
    later(callback, error);
    return undefined;
  };
}

function firstRefusal(checks, args) {
  for (let index = 0; index < checks.length; index++) {
    const { 0: place, 1: scope } = checks[index];
    const error = isPath(args[place]) ? refusal(scope, args[place]) : undefined;
    if (error !== undefined) return error;
  }
  return undefined;
}

function guardFiles() {
  for (const name in FILES) {
    const checks = [];
    let throws =
      StringStartsWith(name, 'modules') || name === 'process_chdir' || name === 'fswatch_open' || name === 'httpServerWriteFile';
    for (const each of intact(FILES[name])) {
      if (each === 'throw') throws = true;
      else ArrayPush(checks, each);
    }
    guard(name, (args) => firstRefusal(checks, args), throws);
  }
  for (const name in DISABLED)
    guard(name, () =>
      isAudit() ? undefined : refusedAltogether(`${DISABLED[name]} API is disabled when Permission Model is enabled.`),
    );
  guard('fs_realpath', ({ 0: path, 1: isNative }) => (isNative === true ? refusal(READ, path) : undefined));
  guard('fs_lstat', ({ 0: path }) => refusal(READ, path, 'Access to this API has been restricted'));
  guard('fs_mkdtemp', ({ 0: prefix }) => refusal(WRITE, typeof prefix === 'string' ? `${prefix}XXXXXX` : prefix));
  guard('fs_symlink', () =>
    refusal(READ, undefined) === undefined && refusal(WRITE, undefined) === undefined
      ? undefined
      : refusedAltogether('fs.symlink API requires full fs.read and fs.write permissions.'),
  );
  guard('fs_open', ({ 0: path, 1: flags }) => {
    const mode = flags & ACCESS_MODE;
    const reads = mode === 0 || mode === O_RDWR;
    const writes = mode !== 0 || (flags & WRITES_AS_WELL) !== 0;
    return (reads ? refusal(READ, path) : undefined) ?? (writes ? refusal(WRITE, path) : undefined);
  });
  guardDatabases();
}

const ATTACHED = 7;
const GET = -1;

/** SQL can open further files (ATTACH, VACUUM INTO): such statements are denied without full file permissions. */
function guardDatabases() {
  const refusalFor = (path) =>
    StringStartsWith(path, 'file:')
      ? (refusal(READ, undefined) ?? refusal(WRITE, undefined))
      : (refusal(READ, path) ?? refusal(WRITE, path));
  const { sqlite_open: open, sqlite_limit: limit } = native;
  native.sqlite_open = (holder, path, ...more) => {
    const isOurs = holder instanceof require('web/local_storage_texts').LocalStorageTexts; // whose file a flag names
    const error = !isOurs && typeof path === 'string' && path !== ':memory:' && path !== '' ? refusalFor(path) : undefined;
    if (error !== undefined) throw error;
    const number = ReflectApply(open, native, [holder, path, ...intact(more)]);
    if (!hasAllFiles()) limit(number, ATTACHED, 0);
    return number;
  };
  native.sqlite_limit = (number, which, value) => limit(number, which, which === ATTACHED && !hasAllFiles() ? GET : value);
  guard('sqlite_backup', ({ 1: path }) => (isPath(path) ? refusal(WRITE, path) : undefined));
}

/** Checks operations that start something; `resourceOf(args)` is the resource named in the error. */
function guardScope(scope, names, resourceOf) {
  for (const name of intact(names)) guard(name, (args) => refusal(scope, resourceOf(args)), true);
}

function guardNetwork() {
  // Their callers turn a negative number, or a code passed to the callback, into an error.
  for (const name of intact(['net_connect', 'net_connectUnix', 'dgram_at', 'dgram_send', 'dns_send'])) {
    const operation = native[name];
    native[name] = (...args) => (refusal('net', '') === undefined ? ReflectApply(operation, native, args) : NOT_ALLOWED);
  }
  for (const name of intact(['dns_lookup', 'dns_lookupService'])) {
    const operation = native[name];
    native[name] = (...args) => {
      if (refusal('net', args[0]) === undefined) return ReflectApply(operation, native, args);
      later(args[args.length - 1], 'ERR_ACCESS_DENIED');
      return undefined;
    };
  }
  guardScope('net', ['net_listen', 'httpServerListen'], () => '');
  guardScope('net', ['net_listenUnix'], ({ 0: path }) => path);
}

/** A child has no more permissions than its parent, unless it has its own `--permission` flag. */
function guardChildren() {
  for (const name of intact(['children_spawn', 'children_runToEnd'])) {
    const operation = native[name];
    native[name] = (request, ...more) => {
      const error = refusal('child', request.file);
      if (error !== undefined) throw error;
      return ReflectApply(operation, native, [{ ...request, env: environmentOf(request) }, ...intact(more)]);
    };
  }
}

function environmentOf({ argv, env }) {
  const name = 'NODE_OPTIONS=';
  const others = ArrayFilter(env, (pair) => !StringStartsWith(pair, name));
  const before = ArrayFind(env, (pair) => StringStartsWith(pair, name));
  const words = inheritedOptions(argv, before === undefined ? undefined : StringSlice(before, name.length));
  if (words !== undefined) ArrayPush(others, `${name}${words}`);
  return others;
}

function start() {
  guardFiles();
  guardNetwork();
  guardChildren();
  guardScope('child', ['process_execve'], ({ 0: path }) => path);
  guardScope('worker', ['workers_start'], () => '');
  guardScope('inspector', ['inspector_open'], () => 'StartIoThread');
}

module.exports = { start };
