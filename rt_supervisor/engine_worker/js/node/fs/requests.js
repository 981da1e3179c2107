// @ts-check
'use strict';
// Owns: the host requests of node:fs. Each function validates its arguments and returns `[start, convert]`. `start()` runs
// synchronously and returns the value; `start(done)` runs on the loop's thread pool and later calls `done(error)` or
// `done(null, value)`. `convert` turns the host's value into the program's. The synchronous, callback and promise forms are
// built on these.

const native = host.native;
const { ArrayBufferIsView, MathMax, SetHas, intact } = require('internal/primordials');
const { setOf } = require('internal/collections');
const { isUint8Array } = require('internal/brands');
const { codes } = require('internal/errors/errors');
const { validateBoolean, validateInteger, validateOneOf, validateString, validateObject } = require('internal/validators');
const {
  flagsOf,
  pathOf,
  pathOrDescriptor,
  descriptorOf,
  optionsOf,
  accessModeOf,
  modeOf,
  timeOf,
  checkBuffers,
  writeArguments,
} = require('node/fs/arguments');
const { statsOf, statFsOf, bytesAs, textAs } = require('node/fs/values');
const context = require('internal/async/context');

/** Binds `callback` to the current async context, in which the host calls it, as a resource of node:async_hooks. */
const bindCallback = (callback) => (context.isUsed ? context.bind(callback, 'FSREQCALLBACK') : callback);

const READING = { encoding: null, flag: 'r' };
const WRITING = { encoding: 'utf8', mode: 0o666, flag: 'w', flush: false };
const APPENDING = { ...WRITING, flag: 'a' };
const isUtf8 = (encoding) => encoding === 'utf8' || encoding === 'utf-8' || encoding === 'UTF-8' || encoding === 'UTF8';
const encodingIn = (options) => optionsOf(options, {}).encoding;
/** Whether names are requested in an encoding other than UTF-8, or as Buffers. */
const isRaw = (encoding) => Boolean(encoding) && !isUtf8(encoding);
const nameDecoder = (encoding) => (isRaw(encoding) ? (name) => bytesAs(name, encoding) : undefined);

/** A request for a host function that takes a path and further arguments. */
const plain = (name, ...args) => [(done) => native[name](...intact(args), done)];

function readFile(file, options) {
  const { encoding, flag } = optionsOf(options, READING);
  const place = pathOrDescriptor(file);
  const flags = flagsOf(flag || READING.flag, 'options.flag');
  if (isUtf8(encoding)) return [(done) => native.fs_readText(place, flags, done), textAs];
  return [(done) => native.fs_readFile(place, flags, done), (bytes) => bytesAs(bytes, encoding)];
}

const writing = (defaults) => (file, data, options) => {
  const { encoding, mode, flag, flush } = options === undefined ? defaults : optionsOf(options, defaults);
  if (flush !== undefined && flush !== null) validateBoolean(flush, 'options.flush');
  if (typeof data === 'string') {
    if (isRaw(encoding)) data = require('node/buffer/buffer').Buffer.from(data, encoding);
  } else if (!ArrayBufferIsView(data)) {
    throw new codes.ERR_INVALID_ARG_TYPE('data', ['string', 'Buffer', 'TypedArray', 'DataView'], data);
  }
  const place = pathOrDescriptor(file);
  const flags = flagsOf(flag || defaults.flag, 'options.flag');
  const permissions = mode === 0o666 ? mode : modeOf(mode, 0o666);
  if (flush === true) return [(done) => require('node/fs/flushed_write').writeFlushed(place, data, flags, permissions, done)];
  return [(done) => native.fs_writeFile(place, data, flags, permissions, false, done)];
};

function write(fd, data, ...rest) {
  fd = descriptorOf(fd);
  const { text, bytes, offset, length, position } = writeArguments(data, ...intact(rest));
  if (text !== undefined) return [(done) => native.fs_writeText(fd, text, position, done)];
  return [(done) => native.fs_write(fd, bytes, offset, length, position, done)];
}

const vector = (name) => (fd, buffers, position) => {
  fd = descriptorOf(fd);
  checkBuffers(buffers);
  if (typeof position !== 'number') position = undefined;
  return [(done) => native[name](fd, buffers, position, done)];
};

const wantsBig = (options) => options?.bigint === true;
const throws = (options) => options?.throwIfNoEntry !== false;
const status = (name) => (path, options) => {
  path = pathOf(path);
  const isBig = wantsBig(options);
  const isStrict = throws(options);
  return [(done) => native[name](path, isBig, isStrict, done), statsOf];
};

const access = (path, mode) => plain('fs_access', pathOf(path), accessModeOf(mode));

function mkdir(path, options) {
  let mode = 0o777;
  let recursive = false;
  if (typeof options === 'number' || typeof options === 'string') mode = modeOf(options, 0o777);
  else if (options) {
    if (options.recursive !== undefined) {
      validateBoolean(options.recursive, 'options.recursive');
      recursive = options.recursive;
    }
    if (options.mode !== undefined) mode = modeOf(options.mode, 0o777);
  }
  return plain(recursive ? 'fs_mkdirs' : 'fs_mkdir', pathOf(path), mode);
}

function removalOptions(options) {
  const { recursive = false, force = false, maxRetries = 0, retryDelay = 100 } = options ?? {};
  validateBoolean(recursive, 'options.recursive');
  validateBoolean(force, 'options.force');
  validateInteger(maxRetries, 'options.maxRetries', 0);
  validateInteger(retryDelay, 'options.retryDelay', 0);
  return [recursive, force, maxRetries, retryDelay];
}

/** Errors that may be transient; the host has the list for the synchronous form. */
const PASSING = setOf(['EBUSY', 'EMFILE', 'ENFILE', 'ENOTEMPTY', 'EPERM']);

function rm(path, options) {
  const file = pathOf(path);
  if (options !== undefined) validateObject(options, 'options');
  const { 0: recursive, 1: force, 2: retries, 3: delay } = removalOptions(options);
  return [
    (done) => {
      if (done === undefined) return native.fs_rm(file, recursive, force, undefined, retries, delay);
      const attempt = (number) => {
        native.fs_rm(file, recursive, force, (error, isRemoved) => {
          if (!error || number > retries || !SetHas(PASSING, error.code)) done(error, isRemoved);
          else require('internal/timers').setTimeout(attempt, number * delay, number + 1);
        });
      };
      attempt(1);
      return undefined;
    },
    (isRemoved) => {
      if (isRemoved) return undefined;
      throw require('internal/errors/system_error').systemError('ERR_FS_EISDIR', 'Path is a directory', {
        code: 'EISDIR',
        message: 'is a directory',
        path: file,
        syscall: 'rm',
        errno: 21,
      });
    },
  ];
}

function rmdir(path, options) {
  path = pathOf(path);
  if (options?.recursive !== undefined)
    throw new codes.ERR_INVALID_ARG_VALUE('options.recursive', options.recursive, 'is no longer supported');
  if (options !== undefined) validateObject(options, 'options');
  return plain('fs_rmdir', path);
}

function copyFile(from, to, mode = 0) {
  validateInteger(mode, 'mode', 0, 7);
  return plain('fs_copyFile', pathOf(from, 'src'), pathOf(to, 'dest'), mode);
}

const realpath = (isNative) => (path, options) => {
  const encoding = encodingIn(options);
  return [plain('fs_realpath', pathOf(path), isNative, isRaw(encoding))[0], nameDecoder(encoding)];
};

function readlink(path, options) {
  const encoding = encodingIn(options);
  return [plain('fs_readlink', pathOf(path), isRaw(encoding))[0], nameDecoder(encoding)];
}

let hasWarned = false; // of a mkdtemp prefix ending in X

function warnOfEnd(path) {
  const last = path[path.length - 1];
  if (hasWarned || (last !== 'X' && last !== 0x58)) return;
  hasWarned = true;
  host.emitWarning('mkdtemp() templates ending with X are not portable. For details see: https://nodejs.org/api/fs.html');
}

function mkdtemp(prefix, options) {
  const encoding = encodingIn(options);
  if (typeof prefix !== 'string' && !isUint8Array(prefix) && !(prefix instanceof require('web/url/class').URL))
    validateString(prefix, 'prefix');
  const path = pathOf(prefix, 'prefix');
  warnOfEnd(path);
  return [plain('fs_mkdtemp', path, isRaw(encoding))[0], nameDecoder(encoding)];
}

function owners(uid, gid) {
  validateInteger(uid, 'uid', -1, 4294967295);
  validateInteger(gid, 'gid', -1, 4294967295);
  return [uid, gid];
}

const sizeOf = (size) => {
  if (size === undefined) return 0;
  validateInteger(size, 'len');
  return MathMax(0, size);
};

module.exports = {
  bindCallback,
  access,
  copyFile,
  mkdir,
  mkdtemp,
  readFile,
  readlink,
  rm,
  rmdir,
  write,
  appendFile: writing(APPENDING),
  chmod: (path, mode) => plain('fs_chmod', pathOf(path), modeOf(mode)),
  chown: (path, uid, gid) => plain('fs_chown', pathOf(path), ...intact(owners(uid, gid))),
  close: (fd) => plain('fs_close', descriptorOf(fd)),
  fchmod: (fd, mode) => plain('fs_fchmod', descriptorOf(fd), modeOf(mode)),
  fchown: (fd, uid, gid) => plain('fs_fchown', descriptorOf(fd), ...intact(owners(uid, gid))),
  fdatasync: (fd) => plain('fs_fdatasync', descriptorOf(fd)),
  fstat: (fd, options) => [plain('fs_fstat', descriptorOf(fd), wantsBig(options))[0], statsOf],
  fsync: (fd) => plain('fs_fsync', descriptorOf(fd)),
  ftruncate: (fd, size) => plain('fs_ftruncate', descriptorOf(fd), sizeOf(size)),
  futimes: (fd, accessed, changed) => plain('fs_futimes', descriptorOf(fd), timeOf(accessed, 'atime'), timeOf(changed, 'mtime')),
  lchown: (path, uid, gid) => plain('fs_lchown', pathOf(path), ...intact(owners(uid, gid))),
  link: (from, to) => plain('fs_link', pathOf(from, 'existingPath'), pathOf(to, 'newPath')),
  lstat: status('fs_lstat'),
  lutimes: (path, accessed, changed) => plain('fs_lutimes', pathOf(path), timeOf(accessed), timeOf(changed)),
  open: (path, flags, mode) => plain('fs_open', pathOf(path), flagsOf(flags), modeOf(mode, 0o666)),
  readv: vector('fs_readv'),
  realpath: realpath(false),
  realpathNative: realpath(true),
  rename: (from, to) => plain('fs_rename', pathOf(from, 'oldPath'), pathOf(to, 'newPath')),
  stat: status('fs_stat'),
  statfs: (path, options) => [plain('fs_statfs', pathOf(path), wantsBig(options))[0], statFsOf],
  symlink(target, path, type) {
    validateOneOf(type, 'type', ['dir', 'file', 'junction', null, undefined]);
    return plain('fs_symlink', pathOf(target, 'target'), pathOf(path));
  },
  truncate: (path, size) => plain('fs_truncate', pathOf(path), sizeOf(size)),
  unlink: (path) => plain('fs_unlink', pathOf(path)),
  utimes: (path, accessed, changed) => plain('fs_utimes', pathOf(path), timeOf(accessed), timeOf(changed)),
  writeFile: writing(WRITING),
  writev: vector('fs_writev'),
  isRaw,
};
