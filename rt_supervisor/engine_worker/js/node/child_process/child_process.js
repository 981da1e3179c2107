'use strict';
// Owns: node:node/child_process/child_process. What waits (spawnSync and its kin) does without streams, which load with the rest.

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
for (const [name, module] of [
  ['ChildProcess', 'node/child_process/spawn'],
  ['exec', 'node/child_process/exec'],
  ['execFile', 'node/child_process/exec'],
  ['fork', 'node/child_process/spawn'],
  ['spawn', 'node/child_process/spawn'],
]) {
  const define = (value) =>
    Object.defineProperty(exported, name, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
  Object.defineProperty(exported, name, {
    __proto__: null,
    get() {
      const value = require(module)[name];
      define(value);
      return value;
    },
    set: define,
    enumerable: true,
    configurable: true,
  });
}

module.exports = exported;
