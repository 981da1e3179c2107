// Event loop utilisation of the main thread and of a worker as its parent sees it, and the loop's counters.
import { once } from 'node:events';
import { eventLoopUtilization, performance } from 'node:perf_hooks';
import { format } from 'node:util';
import { Worker } from 'node:worker_threads';
const log = (...args) => process.stdout.write(`${format(...args)}\n`);
const busy = (ms) => { for (const end = performance.now() + ms; performance.now() < end; ); };
const after = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const timing = performance.nodeTiming;

log(eventLoopUtilization(), timing.loopStart, timing.loopExit, timing.idleTime, timing.uvMetricsInfo);
log(Object.keys(timing).join(), Object.keys(timing.toJSON()).join());
process.nextTick(() => log(timing.loopStart));
await after(60);
log(timing.loopStart > 0, timing.idleTime > 10, timing.uvMetricsInfo.loopCount > 0);
const waited = eventLoopUtilization();
log(Object.keys(waited).join(), waited.idle > 10, waited.utilization > 0 && waited.utilization < 1);
busy(40);
const worked = eventLoopUtilization(waited);
log(worked.idle, worked.active >= 40, worked.utilization);
const now = eventLoopUtilization();
log(eventLoopUtilization(now, waited).idle, eventLoopUtilization(now, waited).active >= 40, performance.eventLoopUtilization === eventLoopUtilization);
log(Math.abs(now.idle + now.active + timing.loopStart - performance.now()) < 1000, now.active / (now.idle + now.active) === now.utilization);
const before = timing.uvMetricsInfo;
for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
log(timing.uvMetricsInfo.loopCount - before.loopCount >= 3, Object.keys(before).join());

const code = `
const { parentPort } = require('node:worker_threads');
parentPort.on('message', (ms) => {
  const before = performance.eventLoopUtilization();
  for (const end = performance.now() + ms; performance.now() < end; );
  parentPort.postMessage([before.idle > 10, performance.eventLoopUtilization(before).active >= ms]);
});
parentPort.postMessage(0);
`;
const worker = new Worker(code, { eval: true });
log(worker.performance, worker.performance.eventLoopUtilization());
log(await once(worker, 'message'));
await after(60);
const idle = worker.performance.eventLoopUtilization();
log(idle.idle > 10, idle.utilization > 0 && idle.utilization < 1);
worker.postMessage(40);
log(await once(worker, 'message'));
const since = worker.performance.eventLoopUtilization(idle);
log(since.active >= 40, since.utilization > 0 && since.utilization <= 1);
await worker.terminate();
log(worker.performance.eventLoopUtilization(), worker.performance.eventLoopUtilization(idle));

process.on('beforeExit', () => log('before', timing.loopExit));
process.on('exit', () => log('end', timing.loopExit > timing.loopStart, eventLoopUtilization().idle > 10));
