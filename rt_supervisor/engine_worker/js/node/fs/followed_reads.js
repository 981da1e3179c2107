// @ts-check
'use strict';
// Owns: reports of the files that a program reads with `node:fs`, for `--watch-reads`. The operations that read a file
// are replaced when the program starts, so that their callers stay unchanged; without the flag this file is not loaded.

const { ReflectApply, intact } = require('internal/primordials');
const native = host.native;

const ACCESS_MODE = 3;
const O_WRONLY = 1;

/** Reports `path`, as an operation receives it: a string or bytes. A descriptor was reported when it was opened. */
function report(path) {
  if (typeof path === 'number' || path === undefined || path === null) return;
  const text = typeof path === 'string' ? path : require('node/buffer/buffer').Buffer.from(path).toString();
  native.modules_follow(require('node/path/path').resolve(text));
}

function reportFirst(name, isRead) {
  const operation = native[name];
  native[name] = (...args) => {
    if (isRead(args)) report(args[0]);
    return ReflectApply(operation, native, args);
  };
}

function start() {
  for (const name of intact(['fs_readFile', 'fs_readText'])) reportFirst(name, () => true);
  reportFirst('fs_open', ({ 1: flags }) => (flags & ACCESS_MODE) !== O_WRONLY);
}

module.exports = { start };
