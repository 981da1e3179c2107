// Timers whose callback or delay the program removes while they wait and while they run.
const { createHook } = require('node:async_hooks');
let ended = 0;
const kinds = new Map();
createHook({
  init: (id, type) => kinds.set(id, type),
  destroy: (id) => (ended += kinds.get(id) === 'Timeout'),
}).enable();
const log = (...args) => process.stdout.write(`${args.join(' ')}\n`);
const intervals = [1, 2, 3, 4].map((each) => {
  const interval = setInterval(() => {
    log('interval', each);
    if (each === 1) interval._onTimeout = null;
    else if (each === 2) interval._idleTimeout = -1;
    else if (each === 3) interval._onTimeout = undefined;
    else clearInterval(interval);
  }, 1);
  return interval;
});
const waiting = setTimeout(() => log('never'), 1);
waiting._onTimeout = null;
const number = Number(setTimeout(() => log('never'), 1));
const last = setTimeout(() => {
  if (intervals.some(({ _destroyed }) => !_destroyed)) {
    last.refresh(); // the others are late
    return;
  }
  log('last', intervals.map(({ _destroyed }) => _destroyed), waiting._destroyed, waiting.hasRef());
  clearTimeout(number);
}, 20);
clearTimeout(number);
process.on('exit', () => log(ended, last._destroyed));
// A callback may turn a timeout into an interval, and an interval into a timeout.
let turns = 0;
const turning = setTimeout(() => {
  if (turning._repeat) clearInterval(turning);
  turning._repeat = 1;
  turns++;
}, 1);
const ending = setInterval(() => {
  ending._repeat = null;
  turns += 10;
}, 1);
process.on('exit', () => log(turns, turning._destroyed, ending._destroyed));
