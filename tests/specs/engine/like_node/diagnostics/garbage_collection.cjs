// Garbage collections as reported by GCProfiler and performance observers, and code statistics.
const v8 = require('node:v8'), vm = require('node:vm');
const { PerformanceObserver } = require('node:perf_hooks');
const { format } = require('node:util');
v8.setFlagsFromString('--expose-gc');
const gc = vm.runInNewContext('gc');
const log = (...args) => process.stdout.write(`${format(...args)}\n`);
const keys = (object) => Object.keys(object).join();

const profiler = new v8.GCProfiler(), other = new v8.GCProfiler();
log(profiler.stop(), profiler.start());
gc({ type: 'minor' });
other.start(), profiler.start();
gc();
const report = profiler.stop(), later = other.stop();
log(keys(report), report.version, Number.isSafeInteger(report.startTime), report.endTime >= report.startTime);
log(report.statistics.map(({ gcType }) => gcType), later.statistics.map(({ gcType }) => gcType));
const [minor, major] = report.statistics;
log(keys(major), major.cost > 0 && major.cost < 1e7, keys(major.beforeGC), keys(major.beforeGC.heapStatistics));
log(major.beforeGC.heapSpaceStatistics.map((space) => space.spaceName), keys(major.afterGC.heapSpaceStatistics[0]));
log([minor, major].every(({ beforeGC, afterGC }) => [beforeGC, afterGC].every(({ heapStatistics }) => Object.values(heapStatistics).every((value) => Number.isSafeInteger(value) && value >= 0))));
log(major.afterGC.heapStatistics.usedHeapSize < major.beforeGC.heapStatistics.usedHeapSize, profiler.stop());
profiler.start();
log(profiler.stop().statistics);
{
  const kept = [];
  using scoped = new v8.GCProfiler();
  scoped.start();
  kept.push(new Array(1e6).fill(0));
}

const code = v8.getHeapCodeStatistics();
log(keys(code), code.code_and_metadata_size > 0, code.bytecode_and_metadata_size > 0, Object.values(code).every(Number.isSafeInteger));

const observer = new PerformanceObserver((list) => {
  const entries = list.getEntries();
  log(entries.length, entries.map(({ name, entryType, detail }) => `${name} ${entryType} ${detail.kind} ${detail.flags}`));
  log(entries.every(({ startTime, duration }) => startTime > 0 && startTime < performance.now() && duration > 0), keys(entries[0].toJSON()), entries[0].constructor.name);
  observer.disconnect();
  gc();
  setTimeout(() => log('no more', observer.takeRecords()), 5);
});
observer.observe({ entryTypes: ['gc', 'mark'] });
gc();
gc({ type: 'minor' });
setTimeout(() => {}, 5);
