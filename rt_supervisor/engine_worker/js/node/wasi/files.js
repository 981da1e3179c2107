// @ts-check
'use strict';
// Owns: a guest's calls on open files: `fd_…`. Each takes the guest's state and the guest's arguments, returns nothing, and
// throws on failure. Addresses are in the guest's memory.

const { ArrayPush, DataViewSetUint32, DateNow, MathMin, StringSplit, intact } = require('internal/primordials');
const { Failed } = require('node/wasi/errno');
const { RIGHT, TYPE, typeOf } = require('node/wasi/rights');
const fs = require('node/fs/sync');

/** @typedef {import('node/wasi/descriptors').Descriptor} Descriptor */

const APPEND = 1; // of FDFLAGS
const ATIM = 1;
const ATIM_NOW = 2;
const MTIM = 4;
const MTIM_NOW = 8;
const DIRENT_BYTES = 24;
const SEEK_CUR = 1;
const SEEK_END = 2;

/** Writes the stats of a file, 64 bytes. */
function writeStats(memory, at, stats) {
  memory.bytes(at, 64);
  memory.setLong(at, stats.dev);
  memory.setLong(at + 8, stats.ino);
  memory.setLong(at + 16, BigInt(typeOf(Number(stats.mode))));
  memory.setLong(at + 24, stats.nlink);
  memory.setLong(at + 32, stats.size);
  memory.setLong(at + 40, stats.atimeNs);
  memory.setLong(at + 48, stats.mtimeNs);
  memory.setLong(at + 56, stats.ctimeNs);
}

/** The times, in seconds, requested by FSTFLAGS: [accessed, modified]. `stats()` returns the current ones. */
function timesOf(accessed, modified, flags, stats) {
  const isTwice = (one, other) => (flags & one) !== 0 && (flags & other) !== 0;
  if (flags > 15 || isTwice(ATIM, ATIM_NOW) || isTwice(MTIM, MTIM_NOW)) throw new Failed('INVAL');
  const { atimeNs, mtimeNs } = stats();
  const seconds = (given, now, before, time) => {
    if (flags & now) return DateNow() / 1000;
    return Number(flags & given ? time : before) / 1e9;
  };
  return [seconds(ATIM, ATIM_NOW, atimeNs, accessed), seconds(MTIM, MTIM_NOW, mtimeNs, modified)];
}

/** The offset of a descriptor; queried from the host for one that the host provided. @param {Descriptor} row */
function positionOf(row) {
  if (row.type !== TYPE.REGULAR_FILE) throw new Failed('SPIPE');
  if (row.position === null) {
    const { 1: position } = StringSplit(fs.readFileSync(`/proc/self/fdinfo/${row.real}`, 'utf8'), /\s+/);
    row.position = Number(position);
  }
  return row.position;
}

/** Reads into the parts one after the other, until one is not filled. Returns the number of bytes. */
function read(memory, row, parts, position) {
  let total = 0;
  for (const { at, size } of intact(parts)) {
    if (size === 0) continue;
    const from = position === null ? null : position + total;
    const count = memory.fill(at, size, (bytes) => fs.readSync(row.real, bytes, 0, size, from));
    total += count;
    if (count < size) break;
  }
  return total;
}

function write(memory, row, parts, position) {
  let total = 0;
  for (const { at, size } of intact(parts)) {
    if (size === 0) continue;
    const bytes = memory.bytesForHost(at, size);
    const count = fs.writeSync(row.real, bytes, 0, size, position === null ? null : position + total);
    total += count;
    if (count < size) break;
  }
  return total;
}

const setLength = (row, length) => fs.ftruncateSync(row.real, length);

/** The entries of a directory: [name, type]. */
function entriesOf(row) {
  const entries = [];
  for (const entry of intact(fs.readdirSync(row.path, { withFileTypes: true }))) {
    /** @type {number} */
    let type = TYPE.UNKNOWN;
    if (entry.isFile()) type = TYPE.REGULAR_FILE;
    else if (entry.isDirectory()) type = TYPE.DIRECTORY;
    else if (entry.isSymbolicLink()) type = TYPE.SYMBOLIC_LINK;
    else if (entry.isCharacterDevice()) type = TYPE.CHARACTER_DEVICE;
    else if (entry.isBlockDevice()) type = TYPE.BLOCK_DEVICE;
    else if (entry.isFIFO() || entry.isSocket()) type = TYPE.SOCKET_STREAM;
    ArrayPush(entries, [host.native.encodeUtf8(entry.name), type]);
  }
  return entries;
}

/** Writes entries from the index `cookie` on, the last one truncated to the available room. Returns the number of bytes. */
function writeEntries(memory, entries, at, room, cookie) {
  let used = 0;
  const put = (bytes) => {
    const size = MathMin(bytes.length, room - used);
    memory.write(at + used, new Uint8Array(bytes.buffer, bytes.byteOffset, size));
    used += size;
  };
  for (let place = cookie; place < entries.length && used < room; place++) {
    const { 0: name, 1: type } = entries[place];
    const head = new DataView(new ArrayBuffer(DIRENT_BYTES));
    DataViewSetUint32(head, 0, place + 1, true);
    DataViewSetUint32(head, 16, name.length, true);
    DataViewSetUint32(head, 20, type, true);
    put(new Uint8Array(head.buffer));
    put(name);
  }
  return used;
}

const calls = {
  fd_advise({ descriptors }, number, offset, length, advice) {
    descriptors.get(number, RIGHT.FD_ADVISE);
    if (advice > 5) throw new Failed('INVAL');
  },
  fd_allocate({ descriptors }, number, offset, length) {
    const row = descriptors.get(number, RIGHT.FD_ALLOCATE);
    const end = Number(offset + length);
    if (fs.fstatSync(row.real).size < end) setLength(row, end);
  },
  fd_close({ descriptors }, number) {
    descriptors.close(number);
  },
  fd_datasync({ descriptors }, number) {
    fs.fdatasyncSync(descriptors.get(number, RIGHT.FD_DATASYNC).real);
  },
  fd_fdstat_get({ descriptors, memory }, number, at) {
    memory.bytes(at, 24);
    const row = descriptors.get(number);
    memory.setByte(at, row.type);
    memory.setByte(at + 1, 0);
    memory.setShort(at + 2, row.flags);
    memory.setWord(at + 4, 0);
    memory.setLong(at + 8, BigInt(row.rights));
    memory.setLong(at + 16, BigInt(row.inherits));
  },
  fd_fdstat_set_flags({ descriptors }, number, flags) {
    const row = descriptors.get(number, RIGHT.FD_FDSTAT_SET_FLAGS);
    if (row.position === null && row.type === TYPE.REGULAR_FILE) positionOf(row);
    row.flags = flags;
  },
  fd_fdstat_set_rights({ descriptors }, number, rights, inherits) {
    const row = descriptors.get(number);
    const isMore = (wanted, has) => (wanted & ~BigInt(has)) !== 0n;
    if (isMore(rights, row.rights) || isMore(inherits, row.inherits)) throw new Failed('NOTCAPABLE');
    row.rights = Number(rights);
    row.inherits = Number(inherits);
  },
  fd_filestat_get({ descriptors, memory }, number, at) {
    const row = descriptors.get(number, RIGHT.FD_FILESTAT_GET);
    writeStats(memory, at, fs.fstatSync(row.real, { bigint: true }));
  },
  fd_filestat_set_size({ descriptors }, number, size) {
    setLength(descriptors.get(number, RIGHT.FD_FILESTAT_SET_SIZE), Number(size));
  },
  fd_filestat_set_times({ descriptors }, number, accessed, modified, flags) {
    const row = descriptors.get(number, RIGHT.FD_FILESTAT_SET_TIMES);
    const { 0: atime, 1: mtime } = timesOf(accessed, modified, flags, () => fs.fstatSync(row.real, { bigint: true }));
    fs.futimesSync(row.real, atime, mtime);
  },
  fd_pread({ descriptors, memory }, number, parts, count, offset, at) {
    const row = descriptors.get(number, RIGHT.FD_READ | RIGHT.FD_SEEK);
    memory.setWord(at, read(memory, row, memory.parts(parts, count), Number(offset)));
  },
  fd_pwrite({ descriptors, memory }, number, parts, count, offset, at) {
    const row = descriptors.get(number, RIGHT.FD_WRITE | RIGHT.FD_SEEK);
    memory.setWord(at, write(memory, row, memory.parts(parts, count), Number(offset)));
  },
  fd_prestat_get({ descriptors, memory }, number, at) {
    memory.bytes(at, 8);
    const row = descriptors.get(number);
    if (!row.isPreopened) throw new Failed('INVAL');
    memory.setWord(at, 0);
    memory.setWord(at + 4, host.native.encodeUtf8(row.name).length);
  },
  fd_prestat_dir_name({ descriptors, memory }, number, at, room) {
    memory.bytes(at, room);
    const row = descriptors.get(number);
    if (!row.isPreopened) throw new Failed('BADF');
    const name = host.native.encodeUtf8(row.name);
    if (name.length > room) throw new Failed('NOBUFS');
    memory.write(at, name);
  },
  fd_read({ descriptors, memory }, number, parts, count, at) {
    const row = descriptors.get(number, RIGHT.FD_READ);
    const done = read(memory, row, memory.parts(parts, count), row.position);
    if (row.position !== null) row.position += done;
    memory.setWord(at, done);
  },
  fd_readdir({ descriptors, memory }, number, at, room, cookie, usedAt) {
    memory.bytes(at, room);
    const row = descriptors.get(number, RIGHT.FD_READDIR);
    if (cookie === 0n || row.listing === undefined) row.listing = entriesOf(row);
    memory.setWord(usedAt, writeEntries(memory, row.listing, at, room, Number(cookie)));
  },
  fd_renumber({ descriptors }, from, to) {
    descriptors.renumber(from, to);
  },
  fd_seek({ descriptors, memory }, number, offset, whence, at) {
    memory.bytes(at, 8);
    const row = descriptors.get(number, RIGHT.FD_SEEK);
    if (whence > SEEK_END) throw new Failed('INVAL');
    const before = positionOf(row);
    let from = 0;
    if (whence === SEEK_CUR) from = before;
    else if (whence === SEEK_END) from = fs.fstatSync(row.real).size;
    const position = from + Number(offset);
    if (position < 0) throw new Failed('INVAL');
    row.position = position;
    memory.setLong(at, BigInt(position));
  },
  fd_sync({ descriptors }, number) {
    fs.fsyncSync(descriptors.get(number, RIGHT.FD_SYNC).real);
  },
  fd_tell({ descriptors, memory }, number, at) {
    const row = descriptors.get(number, RIGHT.FD_TELL);
    memory.setLong(at, BigInt(positionOf(row)));
  },
  fd_write({ descriptors, memory }, number, parts, count, at) {
    const row = descriptors.get(number, RIGHT.FD_WRITE);
    const list = memory.parts(parts, count);
    if (row.position !== null && row.flags & APPEND) row.position = fs.fstatSync(row.real).size;
    const done = write(memory, row, list, row.position);
    if (row.position !== null) row.position += done;
    memory.setWord(at, done);
  },
};

module.exports = { calls, timesOf, writeStats };
