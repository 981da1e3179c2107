// One part at a time: each has ended once it no longer keeps the program alive.
const addon = require('./uv_handles.node');
const parts = ['texts', 'threads', 'timers', 'each_turn', 'descriptors', 'pool'];
const report = (what, number) => {
  console.log(what, number);
  if (what === 'rang') process.nextTick(() => console.log('tick'));
};
const next = () => {
  if (parts.length === 0) return;
  const part = parts.shift();
  console.log(`-- ${part}`);
  setImmediate(() => addon[part](report));
};
process.on('beforeExit', next);
