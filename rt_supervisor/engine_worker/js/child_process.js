'use strict';
// Owns: node:child_process. What waits (spawnSync and its kin) does without streams, which load with the rest.

const { spawnSync, execFileSync, execSync } = require('./child_sync');

const exported = { ChildProcess: undefined, exec: undefined, execFile: undefined, execFileSync, execSync, fork: undefined, spawn: undefined, spawnSync };
for (const [name, module] of [
  ['ChildProcess', './child_spawn'], ['exec', './child_exec'], ['execFile', './child_exec'], ['fork', './child_spawn'], ['spawn', './child_spawn'],
]) {
  const define = (value) => Object.defineProperty(exported, name, { value, writable: true, enumerable: true, configurable: true });
  Object.defineProperty(exported, name, {
    get() {
      const value = require(module)[name];
      define(value);
      return value;
    },
    set: define, enumerable: true, configurable: true,
  });
}

module.exports = exported;
