'use strict';
// Owns: the synchronous functions of node:fs. The callback and promise forms are made of them in fs.js and fs_promises.js.

const native = host.native;
const { codes } = require('./errors');
const { validateBoolean, validateInteger, validateString, validateObject } = require('./validators');
const {
  constants, flagsOf, pathOf, pathOrDescriptor, descriptorOf, optionsOf, checkEncoding, modeOf, timeOf, positionOf, checkBuffer, rangeOf,
} = require('./fs_arguments');
const { Dirent, Dir, statsOf, statFsOf, bytesAs, nameAs } = require('./fs_values');

const READ = constants.O_RDONLY;
const READING = { encoding: null, flag: 'r' };
const WRITING = { encoding: 'utf8', mode: 0o666, flag: 'w', flush: false };
const APPENDING = { ...WRITING, flag: 'a' };
const isUtf8 = (encoding) => encoding === 'utf8' || encoding === 'utf-8' || encoding === 'UTF-8' || encoding === 'UTF8';

function readFileSync(file, options) {
  if (options === undefined) return bytesAs(native.fs_readFile(pathOrDescriptor(file), READ));
  if (options === 'utf8' || options === 'utf-8') return native.fs_readText(pathOrDescriptor(file), READ);
  const { encoding, flag } = optionsOf(options, READING);
  const path = pathOrDescriptor(file);
  const flags = flagsOf(flag, 'options.flag');
  return isUtf8(encoding) ? native.fs_readText(path, flags) : bytesAs(native.fs_readFile(path, flags), encoding);
}

function writeWith(file, data, options, defaults) {
  const { encoding, mode, flag, flush } = options === undefined ? defaults : optionsOf(options, defaults);
  if (flush !== undefined && flush !== null) validateBoolean(flush, 'options.flush');
  if (typeof data === 'string') {
    if (!isUtf8(encoding) && encoding !== undefined && encoding !== null) data = require('./buffer').Buffer.from(data, encoding);
  } else if (!ArrayBuffer.isView(data)) {
    throw new codes.ERR_INVALID_ARG_TYPE('data', ['string', 'Buffer', 'TypedArray', 'DataView'], data);
  }
  native.fs_writeFile(pathOrDescriptor(file), data, flagsOf(flag, 'options.flag'), mode === 0o666 ? mode : modeOf(mode, 0o666));
}

function writeFileSync(file, data, options) { writeWith(file, data, options, WRITING); }
function appendFileSync(file, data, options) { writeWith(file, data, options, APPENDING); }

const openSync = (path, flags, mode) => native.fs_open(pathOf(path), flagsOf(flags), modeOf(mode, 0o666));
function closeSync(fd) { native.fs_close(descriptorOf(fd)); }

function readSync(fd, buffer, offsetOrOptions, length, position) {
  fd = descriptorOf(fd);
  checkBuffer(buffer);
  let offset = offsetOrOptions;
  if (arguments.length <= 3 || (offsetOrOptions !== null && typeof offsetOrOptions === 'object')) {
    if (offsetOrOptions !== undefined) validateObject(offsetOrOptions, 'options', { nullable: true });
    ({ offset = 0, length = buffer.byteLength - offset, position = null } = offsetOrOptions ?? {});
  }
  [offset, length] = rangeOf(offset, length, buffer.byteLength);
  if (length === 0) return 0;
  return native.fs_readInto(fd, buffer, offset, length, positionOf(position));
}

function writeSync(fd, data, offsetOrOptions, length, position) {
  fd = descriptorOf(fd);
  if (typeof data === 'string') {
    // writeSync(fd, text, position, encoding)
    checkEncoding(length);
    if (length !== undefined && length !== null && !isUtf8(length)) return writeSync(fd, require('./buffer').Buffer.from(data, length), 0, null, offsetOrOptions);
    return native.fs_writeText(fd, data, positionOf(offsetOrOptions));
  }
  if (!ArrayBuffer.isView(data)) throw new codes.ERR_INVALID_ARG_TYPE('buffer', ['string', 'Buffer', 'TypedArray', 'DataView'], data);
  let offset = offsetOrOptions;
  if (offsetOrOptions !== null && typeof offsetOrOptions === 'object') {
    ({ offset = 0, length = data.byteLength - offset, position = null } = offsetOrOptions);
  }
  [offset, length] = rangeOf(offset, length, data.byteLength);
  return length === 0 ? 0 : native.fs_writeBuffer(fd, data, offset, length, positionOf(position));
}

function checkBuffers(buffers) {
  if (!Array.isArray(buffers) || !buffers.every(ArrayBuffer.isView)) throw new codes.ERR_INVALID_ARG_TYPE('buffers', 'ArrayBufferView[]', buffers);
}

function vectorSync(one) {
  return (fd, buffers, position) => {
    checkBuffers(buffers);
    let total = 0;
    for (const buffer of buffers) {
      const count = one(fd, buffer, 0, buffer.byteLength, typeof position === 'number' ? position + total : null);
      total += count;
      if (count < buffer.byteLength) break;
    }
    return total;
  };
}

const wantsBig = (options) => options?.bigint === true;
const throws = (options) => options?.throwIfNoEntry !== false;
const statSync = (path, options) => statsOf(native.fs_stat(pathOf(path), wantsBig(options), throws(options)));
const lstatSync = (path, options) => statsOf(native.fs_lstat(pathOf(path), wantsBig(options), throws(options)));
const fstatSync = (fd, options) => statsOf(native.fs_fstat(descriptorOf(fd), wantsBig(options)));
const statfsSync = (path, options) => statFsOf(native.fs_statfs(pathOf(path), wantsBig(options)));

function existsSync(path) {
  try {
    return native.fs_exists(pathOf(path));
  } catch {
    return false;
  }
}

function accessSync(path, mode = constants.F_OK) {
  path = pathOf(path);
  validateInteger(mode, 'mode', 0, 7);
  native.fs_access(path, mode);
}

const join = (folder, name) => (folder === '' || folder === '.' ? name : folder.endsWith('/') ? folder + name : `${folder}/${name}`);
const textOf = (path) => (typeof path === 'string' ? path : pathOf(path));

function readdirSync(path, options) {
  const { encoding, withFileTypes, recursive } = optionsOf(options, {});
  if (recursive !== undefined && recursive !== null) validateBoolean(recursive, 'options.recursive');
  const folder = pathOf(path);
  if (!recursive && !withFileTypes) {
    const names = native.fs_readdir(folder, false, 'scandir');
    return encoding && !isUtf8(encoding) ? names.map((name) => nameAs(name, encoding)) : names;
  }
  const found = [];
  const waiting = [['', textOf(path)]];
  for (let next; (next = waiting.shift()) !== undefined;) {
    const [prefix, parent] = next;
    const [names, types] = native.fs_readdir(parent, true, 'scandir');
    for (let index = 0; index < names.length; index++) {
      const relative = join(prefix, names[index]);
      found.push(withFileTypes ? new Dirent(nameAs(names[index], encoding), parent, types[index]) : nameAs(relative, encoding));
      if (recursive && types[index] === constants.UV_DIRENT_DIR) waiting.push([relative, parent.endsWith('/') ? parent + names[index] : `${parent}/${names[index]}`]);
    }
  }
  return found;
}

function opendirSync(path, options) {
  const { encoding, recursive } = optionsOf(options, {});
  native.fs_readdir(pathOf(path), false, 'opendir');
  return new Dir(textOf(path), readdirSync(path, { encoding, recursive, withFileTypes: true }));
}

function mkdirSync(path, options) {
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
  path = pathOf(path);
  if (recursive) return native.fs_mkdirs(path, mode) ?? undefined;
  native.fs_mkdir(path, mode);
}

function removalOptions(options) {
  const { recursive = false, force = false, maxRetries = 0, retryDelay = 100 } = options ?? {};
  validateBoolean(recursive, 'options.recursive');
  validateBoolean(force, 'options.force');
  validateInteger(maxRetries, 'options.maxRetries', 0);
  validateInteger(retryDelay, 'options.retryDelay', 0);
  return [recursive, force];
}

function rmSync(path, options) {
  const file = pathOf(path);
  if (options !== undefined) validateObject(options, 'options');
  if (native.fs_rm(file, ...removalOptions(options))) return;
  const error = new codes.ERR_FS_EISDIR(`Path is a directory: rm returned EISDIR (is a directory) ${file}`);
  throw Object.assign(error, { name: 'SystemError', errno: 21, syscall: 'rm', path: file });
}

function rmdirSync(path, options) {
  path = pathOf(path);
  if (options?.recursive) native.fs_rm(path, true, false);
  else native.fs_rmdir(path);
}

function unlinkSync(path) { native.fs_unlink(pathOf(path)); }
function renameSync(from, to) { native.fs_rename(pathOf(from, 'oldPath'), pathOf(to, 'newPath')); }

function copyFileSync(from, to, mode = 0) {
  validateInteger(mode, 'mode', 0, 7);
  native.fs_copyFile(pathOf(from, 'src'), pathOf(to, 'dest'), mode);
}

const cpSync = (from, to, options) => require('./fs_cp').copy(module.exports, from, to, options);
const encodingIn = (options) => optionsOf(options, {}).encoding;
const realpathWith = (isNative) => (path, options) => {
  const encoding = encodingIn(options);
  return nameAs(native.fs_realpath(pathOf(path), isNative), encoding);
};
const realpathSync = Object.assign(function realpathSync(path, options) { return realpathWith(false)(path, options); }, { native: realpathWith(true) });
const readlinkSync = (path, options) => { const encoding = encodingIn(options); return nameAs(native.fs_readlink(pathOf(path)), encoding); };
function symlinkSync(target, path) { native.fs_symlink(pathOf(target, 'target'), pathOf(path)); }
function linkSync(from, to) { native.fs_link(pathOf(from, 'existingPath'), pathOf(to, 'newPath')); }
function chmodSync(path, mode) { native.fs_chmod(pathOf(path), modeOf(mode)); }
function fchmodSync(fd, mode) { native.fs_fchmod(descriptorOf(fd), modeOf(mode)); }

function owners(uid, gid) {
  validateInteger(uid, 'uid', -1, 4294967295);
  validateInteger(gid, 'gid', -1, 4294967295);
  return [uid, gid];
}
function chownSync(path, uid, gid) { native.fs_chown(pathOf(path), ...owners(uid, gid)); }
function lchownSync(path, uid, gid) { native.fs_lchown(pathOf(path), ...owners(uid, gid)); }
function fchownSync(fd, uid, gid) { native.fs_fchown(descriptorOf(fd), ...owners(uid, gid)); }
function utimesSync(path, accessed, changed) { native.fs_utimes(pathOf(path), timeOf(accessed), timeOf(changed)); }
function lutimesSync(path, accessed, changed) { native.fs_lutimes(pathOf(path), timeOf(accessed), timeOf(changed)); }
function futimesSync(fd, accessed, changed) { native.fs_futimes(descriptorOf(fd), timeOf(accessed, 'atime'), timeOf(changed, 'mtime')); }

const sizeOf = (size) => {
  if (size === undefined || size === null) return 0;
  validateInteger(size, 'len');
  return Math.max(0, size);
};
function truncateSync(path, size) { native.fs_truncate(pathOf(path), sizeOf(size)); }
function ftruncateSync(fd, size) { native.fs_ftruncate(descriptorOf(fd), sizeOf(size)); }
function fsyncSync(fd) { native.fs_fsync(descriptorOf(fd)); }
function fdatasyncSync(fd) { native.fs_fdatasync(descriptorOf(fd)); }

function mkdtempSync(prefix, options) {
  const encoding = encodingIn(options);
  if (typeof prefix !== 'string' && !(prefix instanceof Uint8Array) && !(prefix instanceof globalThis.URL)) validateString(prefix, 'prefix');
  return nameAs(native.fs_mkdtemp(pathOf(prefix, 'prefix')), encoding);
}

module.exports = {
  accessSync, appendFileSync, chmodSync, chownSync, closeSync, copyFileSync, cpSync, existsSync, fchmodSync, fchownSync,
  fdatasyncSync, fstatSync, fsyncSync, ftruncateSync, futimesSync, lchownSync, linkSync, lstatSync, lutimesSync, mkdirSync,
  mkdtempSync, openSync, opendirSync, readFileSync, readSync, readdirSync, readlinkSync, realpathSync, renameSync, rmSync,
  rmdirSync, statSync, statfsSync, symlinkSync, truncateSync, unlinkSync, utimesSync, writeFileSync, writeSync,
  readvSync: vectorSync(readSync), writevSync: vectorSync(writeSync),
};
