// @ts-check
'use strict';
// Owns: the synchronous functions of node:fs. Frequently called ones call the host directly; the others perform the requests
// of `node/fs/requests` synchronously.

const native = host.native;
const { ArrayPush, ArrayShift, ObjectAssign, StringEndsWith, intact } = require('internal/primordials');
const { validateBoolean } = require('internal/validators');
const {
  constants,
  flagsOf,
  pathOf,
  pathOrDescriptor,
  descriptorOf,
  optionsOf,
  accessModeOf,
  modeOf,
  checkBuffer,
  readRange,
  writeArguments,
} = require('node/fs/arguments');
const { Dirent, statsOf, statsIn, bytesAs, textAs, FIGURES } = require('node/fs/values');
const requests = require('node/fs/requests');

const { isRaw } = requests;
const READ = constants.O_RDONLY;
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC;

/** Performs a request synchronously. @param {readonly (Function | undefined)[]} request */
function done({ 0: start, 1: convert }) {
  const value = /** @type {Function} */ (start)();
  return convert === undefined ? value : convert(value);
}

function readFileSync(file, options) {
  if (options === undefined) return bytesAs(native.fs_readFile(pathOrDescriptor(file), READ));
  if (options === 'utf8' || options === 'utf-8') return textAs(native.fs_readText(pathOrDescriptor(file), READ));
  return done(requests.readFile(file, options));
}

function writeFileSync(file, data, options) {
  if (options === undefined && typeof data === 'string') native.fs_writeFile(pathOrDescriptor(file), data, CREATE, 0o666);
  else done(requests.writeFile(file, data, options));
}
function appendFileSync(file, data, options) {
  done(requests.appendFile(file, data, options));
}

const openSync = (path, flags, mode) => native.fs_open(pathOf(path), flagsOf(flags), modeOf(mode, 0o666));
function closeSync(fd) {
  native.fs_close(descriptorOf(fd));
}

function readSync(fd, buffer, ...rest) {
  fd = descriptorOf(fd);
  checkBuffer(buffer);
  const { 0: offset, 1: length, 2: position } = readRange(buffer, rest);
  return length === 0 ? 0 : native.fs_read(fd, buffer, offset, length, position);
}

function writeSync(fd, data, ...rest) {
  fd = descriptorOf(fd);
  const { text, bytes, offset, length, position } = writeArguments(data, ...intact(rest));
  if (text !== undefined) return native.fs_writeText(fd, text, position);
  return length === 0 ? 0 : native.fs_write(fd, bytes, offset, length, position);
}

const figures = new Float64Array(FIGURES);
const throws = (options) => options?.throwIfNoEntry !== false;

function statSync(path, options) {
  if (options?.bigint === true) return statsOf(native.fs_stat(pathOf(path), true, throws(options)));
  return native.fs_stat(pathOf(path), false, throws(options), undefined, figures) ? statsIn(figures) : undefined;
}
function lstatSync(path, options) {
  if (options?.bigint === true) return statsOf(native.fs_lstat(pathOf(path), true, throws(options)));
  return native.fs_lstat(pathOf(path), false, throws(options), undefined, figures) ? statsIn(figures) : undefined;
}
function fstatSync(fd, options) {
  if (options?.bigint === true) return statsOf(native.fs_fstat(descriptorOf(fd), true));
  native.fs_fstat(descriptorOf(fd), false, undefined, figures);
  return statsIn(figures);
}

let hasWarned = false; // of an existsSync argument that is not a path

function existsSync(path) {
  try {
    return native.fs_exists(pathOf(path));
  } catch (error) {
    if (error?.code === 'ERR_ACCESS_DENIED') throw error;
    if (error?.code === 'ERR_INVALID_ARG_TYPE' && !hasWarned) {
      hasWarned = true;
      const text = 'Passing invalid argument types to fs.existsSync is deprecated';
      host.emitWarning(text, 'DeprecationWarning', 'DEP0187');
    }
    return false;
  }
}

function accessSync(path, mode) {
  native.fs_access(pathOf(path), accessModeOf(mode));
}

// --- directories

const join = (folder, name) =>
  folder === '' || folder === '.' ? name : StringEndsWith(folder, '/') ? folder + name : `${folder}/${name}`;

/** Walks directories: `next` returns the next one to list, `take` receives its entries. Shared by all forms of readdir. */
function listing(path, options) {
  const { encoding, withFileTypes, recursive } = optionsOf(options, {});
  if (recursive !== undefined && recursive !== null) validateBoolean(recursive, 'options.recursive');
  const folder = pathOf(path);
  const raw = isRaw(encoding);
  const isTyped = Boolean(recursive || withFileTypes);
  const entries = [];
  const waiting = [['', folder]];
  const shown = (name) => (raw ? bytesAs(typeof name === 'string' ? native.encodeUtf8(name) : name, encoding) : name);
  return {
    found: entries,
    isTyped,
    isRaw: raw && !recursive,
    next: () => ArrayShift(waiting),
    take({ 0: prefix, 1: parent }, listed) {
      if (!isTyped) {
        for (let at = 0; at < listed.length; at++) {
          const name = listed[at];
          ArrayPush(entries, shown(name));
        }
        return;
      }
      const { 0: names, 1: types } = listed;
      for (let index = 0; index < names.length; index++) {
        const name = names[index];
        if (withFileTypes) ArrayPush(entries, new Dirent(shown(name), parent, types[index]));
        else ArrayPush(entries, shown(recursive ? join(prefix, name) : name));
        if (recursive && types[index] === constants.UV_DIRENT_DIR)
          ArrayPush(waiting, [join(prefix, name), StringEndsWith(parent, '/') ? parent + name : `${parent}/${name}`]);
      }
    },
  };
}

function readdirSync(path, options) {
  if (options === undefined) return native.fs_readdir(pathOf(path), false, false);
  const walk = listing(path, options);
  for (let place; (place = walk.next()) !== undefined;) {
    walk.take(place, native.fs_readdir(place[1], walk.isTyped, walk.isRaw));
  }
  return walk.found;
}

function rmdirSync(path, options) {
  done(requests.rmdir(path, options));
}
const mkdirSync = (path, options) => done(requests.mkdir(path, options));
const cpSync = (from, to, options) => require('node/fs/cp').copy(module.exports, from, to, options);
const realpathSync = ObjectAssign(
  function realpathSync(path, options) {
    return done(requests.realpath(path, options));
  },
  { native: (path, options) => done(requests.realpathNative(path, options)) },
);

function mkdtempDisposableSync(prefix, options) {
  const path = module.exports.mkdtempSync(prefix, options);
  const full = require('node/path/path').resolve(`${path}`);
  const remove = () => {
    module.exports.rmSync(full, { recursive: true, force: true });
  };
  return { path, remove, [Symbol.dispose]: remove };
}

const globSync = (pattern, options) => require('node/fs/glob').globSync(pattern, options);

module.exports = {
  accessSync,
  appendFileSync,
  closeSync,
  cpSync,
  existsSync,
  fstatSync,
  globSync,
  listing,
  lstatSync,
  mkdirSync,
  mkdtempDisposableSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  realpathSync,
  rmdirSync,
  statSync,
  writeFileSync,
  writeSync,
  done,
};
for (const name of intact([
  'chmod',
  'chown',
  'copyFile',
  'fchmod',
  'fchown',
  'fdatasync',
  'fsync',
  'ftruncate',
  'futimes',
  'lchown',
  'link',
  'lutimes',
  'mkdtemp',
  'readlink',
  'readv',
  'rename',
  'rm',
  'statfs',
  'symlink',
  'truncate',
  'unlink',
  'utimes',
  'writev',
])) {
  const request = requests[name];
  module.exports[`${name}Sync`] = {
    [`${name}Sync`](...args) {
      return done(request(...intact(args)));
    },
  }[`${name}Sync`];
}
