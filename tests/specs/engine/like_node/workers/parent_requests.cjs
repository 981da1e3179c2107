// What a worker's parent requests from its thread; flags specific to a worker; preloads inherited from the parent.
'use strict';
const { fork } = require('node:child_process');
const fs = require('node:fs');
const { Worker, isMainThread } = require('node:worker_threads');

const show = async (name, act) => {
  try {
    console.log(name, JSON.stringify(await act()));
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
};
const ended = (...args) =>
  new Promise((resolve, reject) => {
    const worker = new Worker(...args);
    let failure;
    worker.on('error', (error) => {
      failure = error.message;
    });
    worker.on('exit', (status) => resolve([status, failure]));
  });

async function main() {
  const worker = new Worker('require("node:worker_threads").parentPort.on("message", () => process.exit())', {
    eval: true,
    name: 'named',
  });
  await new Promise((resolve) => worker.once('online', resolve));
  await show('name', () => worker.threadName);
  await show('figures', async () => typeof (await worker.getHeapStatistics()).used_heap_size);
  await show('usage', async () => Object.keys(await worker.cpuUsage()));
  await show('since', async () => (await worker.cpuUsage(await worker.cpuUsage())).user >= 0);
  for (const bad of [{ user: 'x' }, { user: 1, system: -1 }, 5]) await show('bad usage', () => worker.cpuUsage(bad));
  for (const bad of [1, true, [], null]) await show('bad options', () => worker.getHeapSnapshot(bad));
  await show('snapshot', async () => {
    let text = '';
    for await (const part of await worker.getHeapSnapshot()) text += part;
    return Object.keys(JSON.parse(text)).includes('nodes');
  });
  await show('profile', async () => {
    const profile = await worker.startCpuProfile();
    const text = await profile.stop();
    return [Array.isArray(JSON.parse(text).nodes), text === (await profile.stop())];
  });
  await show('heap', async () => typeof JSON.parse(await (await worker.startHeapProfile()).stop()).head);
  worker.postMessage(1);
  await new Promise((resolve) => worker.once('exit', resolve));
  await show('late figures', () => worker.getHeapStatistics());
  await show('late usage', () => worker.cpuUsage());
  await show('late snapshot', () => worker.getHeapSnapshot());
  await show('late name', () => worker.threadName);

  const flags = [
    ['--foo'],
    ['--title=x'],
    ['--redirect-warnings'],
    ['--no-warnings'],
    ['--expose-gc'],
    ['--max-old-space-size=9'],
  ];
  flags.push(['-C', 'x'], ['--unhandled-rejections=warn'], ['--zero-fill-buffers'], ['--foo', '--title=y'], []);
  for (const execArgv of flags) await show(execArgv.join(' '), () => ended('', { eval: true, execArgv }));
  for (const execArgv of [['--no-warnings', '--', '--foo'], ['--', '--no-warnings'], ['--']])
    await show(execArgv.join(' '), () => ended('throw new Error(process.execArgv.join())', { eval: true, execArgv }));
  for (const NODE_OPTIONS of ['--nonexistent-options', '--title=x', '--no-warnings'])
    await show(NODE_OPTIONS, () => ended('', { eval: true, env: { NODE_OPTIONS } }));
  await show('rejection', () =>
    ended('Promise.reject(new Error("r"))', { eval: true, execArgv: ['--unhandled-rejections=none'] }),
  );
  await show('rejected', () => ended('Promise.reject(new Error("r"))', { eval: true, execArgv: [] }));
  await show('text', () => ended('process.emitWarning("hidden")', { eval: true, execArgv: ['--no-warnings'] }));
  fs.writeFileSync('preload.cjs', 'console.log("preloaded", require("node:worker_threads").isMainThread);');
  await show('own', () => ended('console.log("ran")', { eval: true, execArgv: ['-r', './preload.cjs'], stdout: false }));
  await new Promise((resolve) => fork(__filename, ['child'], { execArgv: ['-r', './preload.cjs'] }).on('exit', resolve));
}

if (process.argv[2] === 'child') new Worker('console.log("child\'s", process.execArgv.length)', { eval: true });
else if (isMainThread) main();
