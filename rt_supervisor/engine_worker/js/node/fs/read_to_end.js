// @ts-check
'use strict';
// Owns: reading a descriptor to its end when reads may have to wait (a pipe, a socket, a terminal, a device).

const { AnySubarray } = require('internal/any_kind');
const { ArrayIncludes, ArrayPush } = require('internal/primordials');
const { constants } = require('node/fs/arguments');
const sync = require('node/fs/sync');

const { native } = host;
const READ_BYTES = 65536;
const LARGEST_FILE = 2 ** 31 - 1;
const WAITING = [constants.S_IFIFO, constants.S_IFSOCK, constants.S_IFCHR];

/** Whether a read from the descriptor may have to wait. */
function mayWait(fd) {
  try {
    return ArrayIncludes(WAITING, sync.fstatSync(fd).mode & constants.S_IFMT);
  } catch {
    return false;
  }
}

/** Reads to the end; fails if there are more than LARGEST_FILE bytes. */
function readToEnd(fd, done) {
  const { Buffer } = require('node/buffer/buffer');
  const blocks = [];
  let total = 0;
  (function next() {
    const block = Buffer.allocUnsafeSlow(READ_BYTES);
    native.fs_read(fd, block, 0, READ_BYTES, undefined, (error, count) => {
      if (error) return done(error);
      if (count === 0) return done(null, Buffer.concat(blocks));
      total += count;
      if (total > LARGEST_FILE) {
        const { codes } = require('internal/errors/errors');
        return done(new codes.ERR_FS_FILE_TOO_LARGE(total));
      }
      ArrayPush(blocks, AnySubarray(block, 0, count));
      next();
    });
  })();
}

module.exports = { mayWait, readToEnd };
