'use strict';
// Owns: the return values of node:fs: Stats and BigIntStats, StatFs, Dirent, and file contents as Buffers or strings.

const { MathRound, ObjectDefineProperty, ObjectEntries, intact } = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { constants } = require('node/fs/arguments');

const FIELDS = [
  'dev',
  'mode',
  'nlink',
  'uid',
  'gid',
  'rdev',
  'blksize',
  'ino',
  'size',
  'blocks',
  'atimeMs',
  'mtimeMs',
  'ctimeMs',
  'birthtimeMs',
];
const BIG_FIELDS = [...intact(FIELDS), 'atimeNs', 'mtimeNs', 'ctimeNs', 'birthtimeNs'];
const STATFS_FIELDS = ['type', 'bsize', 'frsize', 'blocks', 'bfree', 'bavail', 'files', 'ffree'];
const { S_IFMT } = constants;
const KINDS = {
  isDirectory: constants.S_IFDIR,
  isFile: constants.S_IFREG,
  isBlockDevice: constants.S_IFBLK,
  isCharacterDevice: constants.S_IFCHR,
  isSymbolicLink: constants.S_IFLNK,
  isFIFO: constants.S_IFIFO,
  isSocket: constants.S_IFSOCK,
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

for (const Class of intact([Stats, BigIntStats])) {
  for (const { 0: name, 1: kind } of intact(ObjectEntries(KINDS))) {
    const method = {
      [name]() {
        return (Number(this.mode) & S_IFMT) === kind;
      },
    }[name];
    Class.prototype[name] = method;
  }
  for (const name of intact(['atime', 'mtime', 'ctime', 'birthtime'])) {
    ObjectDefineProperty(Class.prototype, name, {
      __proto__: null,
      enumerable: true,
      configurable: true,
      get() {
        const value = new Date(MathRound(Number(this[`${name}Ms`])));
        this[name] = value;
        return value;
      },
      set(value) {
        ObjectDefineProperty(this, name, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
      },
    });
  }
}

function StatFs(...figures) {
  for (let index = 0; index < STATFS_FIELDS.length; index++) this[STATFS_FIELDS[index]] = figures[index];
}

const statsOf = (figures) =>
  figures === null || figures === undefined
    ? undefined
    : figures.length > FIELDS.length
      ? new BigIntStats(...intact(figures))
      : statsIn(figures);
/** Makes Stats from the values in a Float64Array, which the caller may reuse. */
const statsIn = (f) => new Stats(f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7], f[8], f[9], f[10], f[11], f[12], f[13]);
const statFsOf = (figures) => new StatFs(...intact(figures));

const DIRENT_KINDS = {
  isFile: 1,
  isDirectory: 2,
  isSymbolicLink: 3,
  isFIFO: 4,
  isSocket: 5,
  isCharacterDevice: 6,
  isBlockDevice: 7,
};
const kType = Symbol('type');

class Dirent {
  constructor(name, path, type) {
    this.name = name;
    this.parentPath = path;
    this[kType] = type;
  }
}
for (const { 0: name, 1: type } of intact(ObjectEntries(DIRENT_KINDS))) {
  ObjectDefineProperty(Dirent.prototype, name, {
    __proto__: null,
    value: {
      [name]() {
        return this[kType] === type;
      },
    }[name],
    writable: true,
    configurable: true,
  });
}

/** Bytes from the host as a Buffer over the same memory, or as a string; a number is the size of a file that is too large. */
function bytesAs(bytes, encoding) {
  if (typeof bytes === 'number') throw new codes.ERR_FS_FILE_TOO_LARGE(bytes);
  const buffer = require('node/buffer/views').asBuffer(bytes);
  return encoding && encoding !== 'buffer' ? buffer.toString(encoding) : buffer;
}

const LONGEST_TEXT = 536870888;

/** A string from the host; any other value means that V8 has no string of that length. */
function textAs(text) {
  if (typeof text === 'string') return text;
  throw new codes.ERR_STRING_TOO_LONG(LONGEST_TEXT);
}

module.exports = { Stats, BigIntStats, Dirent, statsOf, statsIn, statFsOf, bytesAs, textAs, FIGURES: FIELDS.length };
