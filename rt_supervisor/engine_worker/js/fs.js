'use strict';
// Owns: node:fs: the callback forms, made of the synchronous ones: what is wrong with arguments is thrown, what the system
// says reaches the callback when the loop next polls.

const native = host.native;
const sync = require('./fs_sync');
const { constants, checkBuffer, checkCallback, descriptorOf, positionOf, rangeOf } = require('./fs_arguments');
const values = require('./fs_values');
const { later } = require('./timers');

const customArguments = Symbol('customPromisifyArgs');
const promisified = Symbol.for('nodejs.util.promisify.custom');
const isMisuse = (error) => typeof error.code === 'string' && /^ERR_(INVALID|OUT_OF|MISSING)/.test(error.code);
const READ_BYTES = 65536;

/** The callback form of `work`. */
function withCallback(name, work) {
  return { [name](...args) {
    const callback = checkCallback(args.pop());
    let value;
    try {
      value = work.apply(undefined, args);
    } catch (error) {
      if (isMisuse(error)) throw error;
      later(callback, error);
      return;
    }
    if (value === undefined) later(callback, null);
    else later(callback, null, value);
  } }[name];
}

const fs = { constants };
for (const name of [
  'access', 'appendFile', 'chmod', 'chown', 'copyFile', 'cp', 'fchmod', 'fchown', 'fdatasync', 'fstat', 'fsync', 'ftruncate',
  'futimes', 'lchown', 'link', 'lstat', 'lutimes', 'mkdir', 'mkdtemp', 'open', 'opendir', 'readdir', 'readlink', 'rename', 'rm',
  'rmdir', 'stat', 'statfs', 'symlink', 'truncate', 'unlink', 'utimes', 'writeFile',
]) fs[name] = withCallback(name, sync[`${name}Sync`]);
fs.realpath = Object.assign(withCallback('realpath', sync.realpathSync), { native: withCallback('native', sync.realpathSync.native) });

fs.close = function close(fd, callback) {
  if (callback !== undefined) checkCallback(callback);
  try {
    sync.closeSync(fd);
  } catch (error) {
    if (isMisuse(error)) throw error;
    if (callback === undefined) throw error;
    later(callback, error);
    return;
  }
  if (callback !== undefined) later(callback, null);
};

fs.exists = function exists(path, callback) { later(checkCallback(callback), sync.existsSync(path)); };
Object.defineProperty(fs.exists, promisified, { value: (path) => new Promise((resolve) => { fs.exists(path, resolve); }) });

/** Read all of what may block, as it comes. */
function readSlowly(fd, done) {
  const blocks = [];
  const next = () => native.fs_readLater(fd, READ_BYTES, (bytes) => {
    if (!(bytes instanceof Uint8Array)) return done(bytes);
    if (bytes.length === 0) return done(null, require('./buffer').Buffer.concat(blocks));
    blocks.push(bytes);
    next();
  });
  next();
}

fs.readFile = function readFile(file, options, callback) {
  callback = checkCallback(callback ?? options);
  if (typeof options === 'function') options = undefined;
  try {
    if (typeof file === 'number' && !native.fs_isSteady(descriptorOf(file))) {
      const { encoding } = require('./fs_arguments').optionsOf(options, {});
      readSlowly(file, (error, bytes) => (error ? callback(error) : callback(null, encoding ? bytes.toString(encoding) : bytes)));
      return;
    }
    if (options?.signal?.aborted) {
      const { AbortError } = require('./errors');
      later(callback, new AbortError(undefined, { cause: options.signal.reason }));
      return;
    }
    later(callback, null, sync.readFileSync(file, options));
  } catch (error) {
    if (isMisuse(error)) throw error;
    later(callback, error);
  }
};

fs.read = function read(fd, ...args) {
  const callback = checkCallback(args.pop());
  let [buffer, offset, length, position] = args;
  if (args.length === 0 || (args.length === 1 && !ArrayBuffer.isView(buffer))) {
    ({ buffer = require('./buffer').Buffer.alloc(16384), offset = 0, length = buffer.byteLength - offset, position = null } = buffer ?? {});
  } else if (args.length === 2 && offset !== null && typeof offset === 'object') {
    ({ offset = 0, length = buffer.byteLength - offset, position = null } = offset);
  }
  descriptorOf(fd);
  checkBuffer(buffer);
  [offset, length] = rangeOf(offset, length, buffer.byteLength);
  position = positionOf(position);
  if (length > 0 && !native.fs_isSteady(fd)) {
    native.fs_readLater(fd, length, (bytes) => {
      if (!(bytes instanceof Uint8Array)) return callback(bytes);
      new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength).set(bytes, offset);
      callback(null, bytes.length, buffer);
    });
    return;
  }
  try {
    later(callback, null, length === 0 ? 0 : native.fs_readInto(fd, buffer, offset, length, position), buffer);
  } catch (error) {
    later(callback, error, 0, buffer);
  }
};
Object.defineProperty(fs.read, customArguments, { value: ['bytesRead', 'buffer'] });

/** The callback form of functions that give a count and the data. */
function counting(name, work, second) {
  const made = { [name](fd, data, ...rest) {
    const callback = checkCallback(rest.pop());
    let count;
    try {
      count = work(fd, data, ...rest);
    } catch (error) {
      if (isMisuse(error)) throw error;
      later(callback, error, 0, data);
      return;
    }
    later(callback, null, count, data);
  } }[name];
  Object.defineProperty(made, customArguments, { value: [name.startsWith('read') ? 'bytesRead' : 'bytesWritten', second] });
  return made;
}
fs.write = counting('write', sync.writeSync, 'buffer');
fs.readv = counting('readv', sync.readvSync, 'buffers');
fs.writev = counting('writev', sync.writevSync, 'buffers');

Object.assign(fs, sync, {
  Stats: values.Stats, Dirent: values.Dirent, Dir: values.Dir,
  _toUnixTimestamp: require('./fs_arguments').timeOf,
});
Object.defineProperty(fs, 'promises', { enumerable: true, configurable: true, get: () => require('./fs_promises') });
for (const name of ['ReadStream', 'WriteStream', 'createReadStream', 'createWriteStream']) {
  if (!host.hasModule('fs_streams')) break;
  Object.defineProperty(fs, name, {
    enumerable: true, configurable: true,
    get: () => require('./fs_streams')[name],
    set(value) { Object.defineProperty(fs, name, { value, writable: true, enumerable: true, configurable: true }); },
  });
}

module.exports = fs;
