// A worker's clock is that of its process.
const { Worker, isMainThread, parentPort } = require('node:worker_threads');
if (isMainThread) {
  const before = performance.now();
  const worker = new Worker(__filename);
  const reported = new Promise((resolve) => worker.once('message', resolve));
  reported.then(async ([origin, now, started, uptime]) => {
    const after = performance.now();
    console.log(origin === performance.timeOrigin, before < now && now < after, before < started && started < after, uptime * 1000 > before);
    const statistics = await worker.getHeapStatistics();
    console.log(typeof statistics.does_zap_garbage, Object.values(statistics).filter((each) => typeof each === 'number' && each >= 0).length);
    worker.postMessage('');
  });
} else {
  const { bootstrapComplete } = performance.nodeTiming;
  parentPort.once('message', () => {});
  parentPort.postMessage([performance.timeOrigin, performance.now(), bootstrapComplete, process.uptime()]);
}
