// Errors of changing ids, the globals `process` and `Buffer`, and histograms of delays as clones.
const { monitorEventLoopDelay, createHistogram } = require('node:perf_hooks');

const attempt = (run) => {
  try {
    return run();
  } catch (error) {
    return `${error.code} ${error.message} ${error.syscall}`;
  }
};
if (process.getuid() === 0) process.setuid(65534);
for (const name of ['setuid', 'seteuid', 'setgid', 'setegid']) console.log(attempt(() => process[name](0)));
console.log(attempt(() => process.setgroups([0])), attempt(() => process.setuid('no such user')));

const describe = (name) => typeof Object.getOwnPropertyDescriptor(globalThis, name).get;
for (const name of ['process', 'Buffer']) {
  const before = globalThis[name];
  console.log(describe(name));
  globalThis[name] = 'replaced';
  console.log(globalThis[name], describe(name));
  globalThis[name] = before;
}
const delays = structuredClone(monitorEventLoopDelay());
console.log(delays.enable, delays.disable, delays.record, delays.count);
const histogram = createHistogram();
const clone = structuredClone(histogram);
clone.record(5);
console.log(histogram.max, structuredClone(structuredClone(monitorEventLoopDelay())).count);
