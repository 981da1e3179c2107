// @ts-check
'use strict';
// Owns: a guest's calls on paths: `path_…`, each relative to a directory that the guest has open.

const { TypedArraySubarray } = require('internal/primordials');
const { Failed } = require('node/wasi/errno');
const { RIGHT, TYPE, mostRights } = require('node/wasi/rights');
const { descriptorOf } = require('node/wasi/descriptors');
const { nameOf, resolve } = require('node/wasi/paths');
const { timesOf, writeStats } = require('node/wasi/files');
const { constants } = require('node/fs/arguments');
const fs = require('node/fs/sync');

const FOLLOW = 1; // of LOOKUPFLAGS
const CREATE = 1; // of OFLAGS
const DIRECTORY = 2;
const EXCLUSIVE = 4;
const TRUNCATE = 8;
const APPEND = 1; // of FDFLAGS
const DSYNC = 2;
const NONBLOCK = 4;
const RSYNC = 8;
const SYNC = 16;

/** The directory with that number; throws unless it has the rights. */
function directoryOf({ descriptors }, number, rights, inherits = 0) {
  const row = descriptors.get(number, rights, inherits);
  if (row.type !== TYPE.DIRECTORY) throw new Failed('NOTDIR');
  return row;
}

/** The host's open flags, and the rights that the directory must be able to pass on. */
function opening(rights, flags, descriptorFlags) {
  const writes = (rights & (RIGHT.FD_DATASYNC | RIGHT.FD_WRITE | RIGHT.FD_ALLOCATE | RIGHT.FD_FILESTAT_SET_SIZE)) !== 0;
  const reads = (rights & (RIGHT.FD_READ | RIGHT.FD_READDIR)) !== 0;
  let real = writes ? (reads ? constants.O_RDWR : constants.O_WRONLY) : constants.O_RDONLY;
  let inherits = 0;
  if (flags & CREATE) real |= constants.O_CREAT;
  if (flags & DIRECTORY) real |= constants.O_DIRECTORY;
  if (flags & EXCLUSIVE) real |= constants.O_EXCL;
  if (flags & TRUNCATE) real |= constants.O_TRUNC;
  if (descriptorFlags & DSYNC) {
    real |= constants.O_DSYNC;
    inherits |= RIGHT.FD_DATASYNC;
  }
  if (descriptorFlags & NONBLOCK) real |= constants.O_NONBLOCK;
  if (descriptorFlags & (RSYNC | SYNC)) {
    real |= constants.O_SYNC;
    inherits |= RIGHT.FD_SYNC;
  }
  if (writes && (descriptorFlags & APPEND) === 0 && (flags & TRUNCATE) === 0) inherits |= RIGHT.FD_SEEK;
  return { real, inherits };
}

const calls = {
  path_create_directory(guest, number, at, size) {
    const path = guest.memory.text(at, size);
    fs.mkdirSync(resolve(directoryOf(guest, number, RIGHT.PATH_CREATE_DIRECTORY), path, true));
  },
  path_filestat_get(guest, number, flags, at, size, statsAt) {
    const path = guest.memory.text(at, size);
    guest.memory.bytes(statsAt, 64);
    const place = resolve(directoryOf(guest, number, RIGHT.PATH_FILESTAT_GET), path, (flags & FOLLOW) !== 0);
    writeStats(guest.memory, statsAt, fs.lstatSync(place, { bigint: true }));
  },
  path_filestat_set_times(guest, number, flags, at, size, accessed, modified, which) {
    const path = guest.memory.text(at, size);
    const place = resolve(directoryOf(guest, number, RIGHT.PATH_FILESTAT_SET_TIMES), path, (flags & FOLLOW) !== 0);
    const { 0: atime, 1: mtime } = timesOf(accessed, modified, which, () => fs.lstatSync(place, { bigint: true }));
    fs.lutimesSync(place, atime, mtime);
  },
  path_link(guest, from, flags, fromAt, fromSize, to, toAt, toSize) {
    const fromPath = guest.memory.text(fromAt, fromSize);
    const toPath = guest.memory.text(toAt, toSize);
    const source = directoryOf(guest, from, RIGHT.PATH_LINK_SOURCE);
    const target = directoryOf(guest, to, RIGHT.PATH_LINK_TARGET);
    fs.linkSync(resolve(source, fromPath, (flags & FOLLOW) !== 0), resolve(target, toPath, false));
  },
  path_open(guest, number, lookup, at, size, flags, rights, inherits, descriptorFlags, numberAt) {
    const path = guest.memory.text(at, size);
    guest.memory.bytes(numberAt, 4);
    const wants = Number(rights & 0x3fffffffn);
    const inheritable = Number(inherits & 0x3fffffffn);
    const { real: realFlags, inherits: more } = opening(wants, flags, descriptorFlags);
    let needed = RIGHT.PATH_OPEN;
    if (flags & CREATE) needed |= RIGHT.PATH_CREATE_FILE;
    if (flags & TRUNCATE) needed |= RIGHT.PATH_FILESTAT_SET_SIZE;
    const directory = directoryOf(guest, number, needed, wants | inheritable | more);
    const place = resolve(directory, path, (lookup & FOLLOW) !== 0);
    const real = fs.openSync(place, realFlags | constants.O_NOFOLLOW, 0o666);
    let row;
    try {
      row = descriptorOf(real, { isOwn: true, flags: descriptorFlags, path: place, name: nameOf(directory, path) });
      if (flags & DIRECTORY && row.type !== TYPE.DIRECTORY) throw new Failed('NOTDIR');
    } catch (error) {
      fs.closeSync(real);
      throw error;
    }
    const { 0: most, 1: mostInherited } = mostRights(row.type);
    row.rights = wants & most;
    row.inherits = inheritable & mostInherited;
    row.position = row.type === TYPE.REGULAR_FILE ? 0 : null;
    guest.memory.setWord(numberAt, guest.descriptors.add(row));
  },
  path_readlink(guest, number, at, size, bufferAt, room, usedAt) {
    const path = guest.memory.text(at, size);
    guest.memory.bytes(bufferAt, room);
    const place = resolve(directoryOf(guest, number, RIGHT.PATH_READLINK), path, false);
    const target = host.native.encodeUtf8(fs.readlinkSync(place));
    const part = target.length > room ? TypedArraySubarray(target, 0, room) : target;
    guest.memory.write(bufferAt, part);
    guest.memory.setWord(usedAt, part.length);
  },
  path_remove_directory(guest, number, at, size) {
    const path = guest.memory.text(at, size);
    fs.rmdirSync(resolve(directoryOf(guest, number, RIGHT.PATH_REMOVE_DIRECTORY), path, false));
  },
  path_rename(guest, from, fromAt, fromSize, to, toAt, toSize) {
    const fromPath = guest.memory.text(fromAt, fromSize);
    const toPath = guest.memory.text(toAt, toSize);
    const source = directoryOf(guest, from, RIGHT.PATH_RENAME_SOURCE);
    const target = directoryOf(guest, to, RIGHT.PATH_RENAME_TARGET);
    fs.renameSync(resolve(source, fromPath, false), resolve(target, toPath, false));
  },
  path_symlink(guest, fromAt, fromSize, number, toAt, toSize) {
    const target = guest.memory.text(fromAt, fromSize);
    const path = guest.memory.text(toAt, toSize);
    fs.symlinkSync(target, resolve(directoryOf(guest, number, RIGHT.PATH_SYMLINK), path, false));
  },
  path_unlink_file(guest, number, at, size) {
    const path = guest.memory.text(at, size);
    fs.unlinkSync(resolve(directoryOf(guest, number, RIGHT.PATH_UNLINK_FILE), path, false));
  },
};

module.exports = { calls };
