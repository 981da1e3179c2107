// The working directory is removed while the program runs.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
fs.mkdirSync('gone');
process.chdir('gone');
fs.rmdirSync('../gone');
for (const act of [
  process.cwd,
  () => process.chdir('nope'),
  () => path.resolve('x'),
  () => path.resolve('/x', 'y'),
  () => fs.readFileSync('x'),
]) {
  try {
    console.log(act());
  } catch (error) {
    console.log(error.code, error.syscall, error.errno, error.message);
  }
}
process.chdir('/');
console.log(process.cwd());
