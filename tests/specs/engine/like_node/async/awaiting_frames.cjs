// As many frames of awaiting functions as Node shows, after main, ticks, timers, immediates, I/O and beforeExit.
const { execFile } = require('node:child_process');
const fs = require('node:fs');
const { setTimeout: sleep, setImmediate: turn } = require('node:timers/promises');
const levels = [];
const level = (number) => (levels[number] ??= { async [`level${number}`](wait) { await (number === 0 ? wait() : level(number - 1)[`level${number - 1}`](wait)); throwAt(number); } });
const throwAt = (number) => { if (number === 0) throw new Error('deep'); };
const WAITS = {
  microtask: () => null,
  tick: () => new Promise((resolve) => process.nextTick(resolve)),
  timer: () => sleep(1),
  immediate: () => turn(),
  file: () => fs.promises.stat(__filename),
  callback: () => new Promise((resolve) => fs.stat(__filename, resolve)),
  child: () => new Promise((resolve) => execFile('true', resolve)),
  timers: () => {
    setTimeout(() => {}, 1);
    return sleep(1);
  },
  beforeExit: () => new Promise((resolve) => process.once('beforeExit', resolve)),
};
(async () => {
  for (const name in WAITS) {
    try {
      await level(5).level5(WAITS[name]);
    } catch (error) {
      console.log(name, error.stack.split('\n').filter((line) => line.includes('level')).length, error.stack.includes('async'));
    }
  }
})();
