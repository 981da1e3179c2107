// @ts-check
'use strict';
// Owns: node:path: posix here, with win32 beside it. Both are pure string functions; only `resolve` reads the working
// directory (host.cwd), when no argument is absolute.

const { intact } = require('internal/primordials');
const posix = require('node/path/posix');
const win32 = require('node/path/win32');

for (const flavour of intact([posix, win32])) {
  flavour.posix = posix;
  flavour.win32 = win32;
}

module.exports = posix;
