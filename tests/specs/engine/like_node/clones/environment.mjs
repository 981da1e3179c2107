// process.env inside a value that is cloned, sent through a port, or given to a worker becomes a plain object.
import { MessageChannel, Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';

if (isMainThread) {
  process.env.SAMPLE = 'one';
  const copy = structuredClone({ settings: process.env, again: [process.env] });
  copy.settings.SAMPLE = 'two';
  console.log(process.env.SAMPLE, copy.settings.SAMPLE, copy.again[0] === copy.settings, structuredClone(process.env).SAMPLE);
  for (const value of [() => 1, new Proxy({}, {}), { inner: Symbol('x') }]) {
    try {
      structuredClone(value);
    } catch (error) {
      console.log(error.name, error.message);
    }
  }
  const { port1, port2 } = new MessageChannel();
  port1.postMessage({ settings: process.env });
  await new Promise((resolve) => port2.once('message', ({ settings }) => resolve(console.log(settings.SAMPLE))));
  port1.close();
  for (const data of [process.env, { settings: process.env, again: [process.env] }]) {
    const worker = new Worker(new URL(import.meta.url), { workerData: data });
    console.log(await new Promise((resolve) => worker.once('message', resolve)));
  }
} else {
  const settings = workerData.settings ?? workerData;
  parentPort.postMessage(`${settings.SAMPLE} ${workerData.again?.[0] === workerData.settings}`);
}
