// CPU and heap profiles of the program's own thread and of workers: options, handles, and their JSON.
import v8 from 'node:v8';
import { Worker } from 'node:worker_threads';

const show = async (name, act) => {
  try {
    console.log(name, await act());
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
};
const keys = (text) => Object.keys(JSON.parse(text)).join();
const members = (handle) => [handle.constructor.name, ...Object.getOwnPropertyNames(Object.getPrototypeOf(handle))].join();

const intervals = [undefined, 0, 1.5, -1, NaN, 2147483.647, 2147483.648, 'a', null];
const cpu = [undefined, {}, 1, null, [], () => {}, ...intervals.map((sampleInterval) => ({ sampleInterval }))];
for (const maxBufferSize of [1, 1.5, 0, -1, NaN, 2 ** 32 - 1, 2 ** 32, 'a']) cpu.push({ maxBufferSize });
const heap = [undefined, {}, 1, null, [], ...[1, 1.5, 0, 1024, 'a'].map((sampleInterval) => ({ sampleInterval }))];
for (const stackDepth of [0, 4, 1.5, -1, 2 ** 31, 'a']) heap.push({ stackDepth });
for (const name of ['forceGC', 'includeObjectsCollectedByMajorGC', 'includeObjectsCollectedByMinorGC']) {
  for (const value of [true, false, 1, null]) heap.push({ [name]: value });
}

// The nodes of a profile, with their members in order.
const kinds = (value) => (typeof value === 'object' ? `{${Object.entries(value).map(([key, each]) => `${key}:${kinds(each)}`)}}` : typeof value);
const { nodes } = JSON.parse(v8.startCpuProfile().stop());
console.log(kinds({ ...nodes[0], children: 0 }), nodes.every(({ callFrame }) => Number.isSafeInteger(callFrame.scriptId)));
const heapProfile = v8.startHeapProfile({ sampleInterval: 1 });
const kept = Array.from({ length: 1e4 }, () => ({}));
const heapText = JSON.parse(heapProfile.stop());
console.log([heapText.head, heapText.head.children[0]].map((node) => kinds({ ...node, children: 0 })).join(), kinds(heapText.samples[0]), kept.length);

const worker = new Worker('setInterval(() => {}, 1000)', { eval: true });
await new Promise((resolve) => worker.once('online', resolve));
for (const [start, all] of Object.entries({ startCpuProfile: cpu, startHeapProfile: heap })) {
  for (const options of all) {
    const name = `${start} ${JSON.stringify(options)}`;
    await show(name, () => {
      const handle = v8[start](options);
      return [members(handle), keys(handle.stop()), handle.stop()].join();
    });
    await show(`worker ${name}`, async () => {
      const handle = await worker[start](options);
      return [members(handle), keys(await handle.stop()), (await handle.stop()) === (await handle.stop())].join();
    });
  }
}

const both = [v8.startCpuProfile(), v8.startCpuProfile()];
await show('two at once', () => both.map((handle) => keys(handle.stop())).join());
const first = v8.startHeapProfile();
await show('a second one of the heap', () => v8.startHeapProfile());
first[Symbol.dispose]();
await show('and after it', () => keys(v8.startHeapProfile().stop()));
{
  await using kept = await worker.startHeapProfile();
  await show('of the worker', () => worker.startHeapProfile());
  await show('of another thread meanwhile', () => keys(v8.startHeapProfile().stop()) + members(kept));
}

const short = v8.startCpuProfile({ sampleInterval: 1, maxBufferSize: 3 });
const until = performance.now() + 100;
while (performance.now() < until);
const { samples, timeDeltas } = JSON.parse(short.stop());
console.log(samples.length, timeDeltas.length);

function held() {
  return Array.from({ length: 100_000 }, (_, place) => ({ place }));
}
const sampling = v8.startHeapProfile({ sampleInterval: 512 });
const list = held();
console.log(sampling.stop().includes('"held"'), list.length);

await worker.terminate();
for (const start of ['startCpuProfile', 'startHeapProfile']) {
  await show('late', () => worker[start]());
  await show('late and wrong', () => worker[start](1));
}
