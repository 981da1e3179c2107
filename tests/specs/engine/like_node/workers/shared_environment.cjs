// An environment shared between threads: each thread's changes are visible to the others and to child processes.
const { Worker, isMainThread, parentPort, SHARE_ENV, workerData } = require('node:worker_threads');
const { once } = require('node:events');
const { inspect } = require('node:util');
const say = (...words) => console.log(...words.map((each) => inspect(each)));
if (isMainThread) {
  (async () => {
    process.env.BEFORE = 'main';
    const worker = new Worker(__filename, { env: SHARE_ENV });
    const ended = once(worker, 'exit'); // requested before it can arrive
    await once(worker, 'message');
    say(process.env.FROM_WORKER, 'BEFORE' in process.env, Object.keys(process.env).includes('FROM_WORKER'), process.env.BEFORE);
    say(require('node:child_process').execSync('echo $FROM_WORKER').toString().trim());
    process.env.FROM_MAIN = 5;
    delete process.env.FROM_WORKER;
    worker.postMessage('go');
    const [reported] = await once(worker, 'message');
    say(reported);
    await ended;
    const other = new Worker('require("worker_threads").parentPort.postMessage([process.env.FROM_MAIN, process.env.INNER])', { eval: true, env: SHARE_ENV });
    say((await once(other, 'message'))[0]);
    const apart = new Worker('process.env.APART = 1; require("worker_threads").parentPort.postMessage(process.env.FROM_MAIN)', { eval: true });
    say((await once(apart, 'message'))[0], process.env.APART);
  })();
} else {
  process.env.FROM_WORKER = 'w';
  delete process.env.BEFORE;
  parentPort.postMessage('set');
  parentPort.once('message', () => {
    const inner = new Worker('process.env.INNER = "deep"', { eval: true, env: SHARE_ENV });
    inner.on('exit', () => parentPort.postMessage([process.env.FROM_MAIN, process.env.FROM_WORKER, process.env.INNER, { ...process.env }.FROM_MAIN]));
  });
}
