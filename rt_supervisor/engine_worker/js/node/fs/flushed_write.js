// @ts-check
'use strict';
// Owns: writing a whole file with `flush`: the descriptor is synchronized by `fsync` of node:fs, which a program may replace, and
// closed unless the program has opened it.

const { native } = host;

/** Writes to a path or descriptor; `done(error)` is called later, or without it the call is synchronous. */
function writeFlushed(place, data, flags, mode, done) {
  if (done === undefined) writeSync(place, data, flags, mode);
  else if (typeof place === 'number') writeTo(place, data, flags, mode, done);
  else {
    native.fs_open(place, flags, mode, (error, descriptor) => {
      if (error) return done(error);
      writeTo(descriptor, data, flags, mode, (failure) => native.fs_close(descriptor, (another) => done(failure ?? another)));
    });
  }
}

function writeSync(place, data, flags, mode) {
  const isOwn = typeof place !== 'number';
  const descriptor = isOwn ? native.fs_open(place, flags, mode) : place;
  try {
    native.fs_writeFile(descriptor, data, flags, mode);
    require('node/fs/fs').fsyncSync(descriptor);
  } finally {
    if (isOwn) native.fs_close(descriptor);
  }
}

function writeTo(descriptor, data, flags, mode, done) {
  native.fs_writeFile(descriptor, data, flags, mode, false, (error) => {
    if (error) done(error);
    else require('node/fs/fs').fsync(descriptor, done);
  });
}

module.exports = { writeFlushed };
