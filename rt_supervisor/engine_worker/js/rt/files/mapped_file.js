'use strict';
// Owns: RT.mmap: a file mapped into memory. Writes to a shared mapping change the file.

const { MathMin, MathTrunc } = require('internal/primordials');
const fs = require('node/fs/sync');
const { uvException, wrongType } = require('internal/errors/errors');

const native = host.native;

function count(value, name) {
  const number = MathTrunc(Number(value)) || 0;
  if (number < 0) throw wrongType(`${name} must be a non-negative integer`);
  return number;
}

/** Maps up to `size` bytes of the file from `offset` on. */
function mmap(path, options = undefined) {
  if (typeof path !== 'string') throw wrongType('path must be a string');
  if (options !== undefined && options !== null && typeof options !== 'object') throw wrongType('MMapOptions must be an object');
  const settings = options ?? {};
  const offset = settings.offset === undefined ? 0 : count(settings.offset, 'offset');
  const limit = settings.size === undefined ? Infinity : count(settings.size, 'size');
  const isShared = settings.shared === undefined || Boolean(settings.shared);
  const descriptor = fs.openSync(path, 'r+');
  try {
    const size = MathMin(limit, fs.fstatSync(descriptor).size - offset);
    const bytes = native.rt_mapFile(descriptor, offset, size, isShared, Boolean(settings.sync));
    if (typeof bytes === 'number') throw uvException({ errno: -bytes, syscall: 'mmap' });
    return bytes;
  } finally {
    fs.closeSync(descriptor);
  }
}

module.exports = { mmap };
