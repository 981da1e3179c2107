'use strict';
// Owns: what functions of node:fs give: Stats and BigIntStats, StatFs, Dirent, Dir, and bytes as Buffers or text.

const { codes } = require('./errors');
const { constants } = require('./fs_arguments');

const FIELDS = ['dev', 'mode', 'nlink', 'uid', 'gid', 'rdev', 'blksize', 'ino', 'size', 'blocks', 'atimeMs', 'mtimeMs', 'ctimeMs', 'birthtimeMs'];
const BIG_FIELDS = [...FIELDS, 'atimeNs', 'mtimeNs', 'ctimeNs', 'birthtimeNs'];
const STATFS_FIELDS = ['type', 'bsize', 'frsize', 'blocks', 'bfree', 'bavail', 'files', 'ffree'];
const { S_IFMT } = constants;
const KINDS = {
  isDirectory: constants.S_IFDIR, isFile: constants.S_IFREG, isBlockDevice: constants.S_IFBLK, isCharacterDevice: constants.S_IFCHR,
  isSymbolicLink: constants.S_IFLNK, isFIFO: constants.S_IFIFO, isSocket: constants.S_IFSOCK,
};

function Stats(dev, mode, nlink, uid, gid, rdev, blksize, ino, size, blocks, atimeMs, mtimeMs, ctimeMs, birthtimeMs) {
  this.dev = dev;
  this.mode = mode;
  this.nlink = nlink;
  this.uid = uid;
  this.gid = gid;
  this.rdev = rdev;
  this.blksize = blksize;
  this.ino = ino;
  this.size = size;
  this.blocks = blocks;
  this.atimeMs = atimeMs;
  this.mtimeMs = mtimeMs;
  this.ctimeMs = ctimeMs;
  this.birthtimeMs = birthtimeMs;
}

function BigIntStats(...figures) {
  for (let index = 0; index < BIG_FIELDS.length; index++) this[BIG_FIELDS[index]] = figures[index];
}

for (const Class of [Stats, BigIntStats]) {
  for (const [name, kind] of Object.entries(KINDS)) {
    const method = { [name]() { return (Number(this.mode) & S_IFMT) === kind; } }[name];
    Class.prototype[name] = method;
  }
  for (const name of ['atime', 'mtime', 'ctime', 'birthtime']) {
    Object.defineProperty(Class.prototype, name, {
      enumerable: true, configurable: true,
      get() {
        const value = new Date(Math.round(Number(this[`${name}Ms`])));
        this[name] = value;
        return value;
      },
      set(value) { Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true }); },
    });
  }
}

function StatFs(...figures) {
  for (let index = 0; index < STATFS_FIELDS.length; index++) this[STATFS_FIELDS[index]] = figures[index];
}

const statsOf = (figures) => (figures === null || figures === undefined ? undefined
  : figures.length > FIELDS.length ? new BigIntStats(...figures) : new Stats(...figures));
const statFsOf = ([bsize, frsize, ...rest]) => new StatFs(typeof bsize === 'bigint' ? 0n : 0, bsize, frsize, ...rest);

const DIRENT_KINDS = { isFile: 1, isDirectory: 2, isSymbolicLink: 3, isFIFO: 4, isSocket: 5, isCharacterDevice: 6, isBlockDevice: 7 };
const kType = Symbol('type');

class Dirent {
  constructor(name, path, type) {
    this.name = name;
    this.parentPath = path;
    this[kType] = type;
  }
}
for (const [name, type] of Object.entries(DIRENT_KINDS)) {
  Object.defineProperty(Dirent.prototype, name, {
    value: { [name]() { return this[kType] === type; } }[name], writable: true, configurable: true,
  });
}

/** A folder being read; the names were read when it was opened. */
class Dir {
  #entries;
  #next = 0;
  #isClosed = false;

  constructor(path, entries) {
    Object.defineProperty(this, 'path', { value: path, enumerable: true });
    this.#entries = entries;
  }

  #check() { if (this.#isClosed) throw new codes.ERR_DIR_CLOSED(); }
  readSync() {
    this.#check();
    return this.#entries[this.#next++] ?? null;
  }
  closeSync() {
    this.#check();
    this.#isClosed = true;
  }
  read(callback) {
    if (callback === undefined) return promised(() => this.readSync());
    const entry = this.readSync();
    require('./timers').later(callback, null, entry);
  }
  close(callback) {
    if (callback === undefined) return promised(() => this.closeSync());
    this.closeSync();
    require('./timers').later(callback, null);
  }
  async* entries() {
    try {
      for (let entry = await this.read(); entry !== null; entry = await this.read()) yield entry;
    } finally {
      if (!this.#isClosed) this.closeSync();
    }
  }
  [Symbol.asyncIterator]() { return this.entries(); }
  async [Symbol.asyncDispose]() { if (!this.#isClosed) await this.close(); }
  [Symbol.dispose]() { if (!this.#isClosed) this.closeSync(); }
}

/** Do the work now and settle in a later turn of the loop, as an operation that was under way. */
function promised(work) {
  const { promise, resolve, reject } = Promise.withResolvers();
  const { later } = require('./timers');
  let value;
  try {
    value = work();
  } catch (error) {
    later(reject, error);
    return promise;
  }
  later(resolve, value);
  return promise;
}

/** Bytes of the host as a Buffer over the same memory, or as text. */
function bytesAs(bytes, encoding) {
  const buffer = require('./buffer').Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return encoding && encoding !== 'buffer' ? buffer.toString(encoding) : buffer;
}

/** A name or a path in the encoding asked for. */
function nameAs(name, encoding) {
  if (!encoding || encoding === 'utf8' || encoding === 'utf-8') return name;
  const buffer = require('./buffer').Buffer.from(name);
  return encoding === 'buffer' ? buffer : buffer.toString(encoding);
}

module.exports = { Stats, BigIntStats, Dirent, Dir, statsOf, statFsOf, promised, bytesAs, nameAs };
