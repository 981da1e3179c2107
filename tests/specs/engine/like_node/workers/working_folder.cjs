// process.cwd() of workers, and of workers of workers, follows process.chdir() of the main thread.
const { Worker, isMainThread, parentPort, workerData } = require('node:worker_threads');
const { basename } = require('node:path');
const fs = require('node:fs');

if (isMainThread) {
  const folder = fs.mkdtempSync(`${require('node:os').tmpdir()}/folder-`);
  for (const name of ['one', 'two']) fs.mkdirSync(`${folder}/${name}`);
  process.chdir(`${folder}/one`);
  const worker = new Worker(__filename, { workerData: 'outer' });
  const steps = ['two', 'one', 'missing'];
  worker.on('message', (seen) => {
    console.log(JSON.stringify(seen));
    const next = steps.shift();
    if (next === undefined) {
      fs.rmSync(folder, { recursive: true });
      worker.terminate();
      return;
    }
    try {
      process.chdir(`${folder}/${next}`);
    } catch ({ code }) {
      console.log(code);
    }
    worker.postMessage('look');
  });
} else {
  const look = () => basename(process.cwd());
  if (workerData === 'inner') {
    parentPort.on('message', () => parentPort.postMessage(look()));
  } else {
    const first = look();
    const inner = new Worker(__filename, { workerData: 'inner' });
    parentPort.on('message', () => inner.postMessage('look'));
    inner.on('message', (seen) => parentPort.postMessage([first, look(), look() === seen, process.cwd.length]));
    inner.postMessage('look');
  }
}
