// @ts-check
'use strict';
// Owns: node:child_process. spawnSync, execFileSync and execSync need no streams; those are loaded with the other functions.

const { defineLazily } = require('internal/lazy');
const { intact } = require('internal/primordials');
const { spawnSync, execFileSync, execSync } = require('node/child_process/sync');

const exported = {
  ChildProcess: undefined,
  exec: undefined,
  execFile: undefined,
  execFileSync,
  execSync,
  fork: undefined,
  spawn: undefined,
  spawnSync,
};
for (const { 0: name, 1: module } of intact([
  ['ChildProcess', 'node/child_process/spawn'],
  ['exec', 'node/child_process/exec'],
  ['execFile', 'node/child_process/exec'],
  ['fork', 'node/child_process/spawn'],
  ['spawn', 'node/child_process/spawn'],
])) {
  defineLazily(exported, name, () => require(module)[name]);
}

module.exports = exported;
