// Every way to transfer rejects a transfer list with an untransferable value before it moves anything.
'use strict';
const { MessageChannel, Worker, markAsUntransferable } = require('node:worker_threads');

function report(name, work) {
  try {
    console.log(name, JSON.stringify(work()));
  } catch (error) {
    console.log(name, error.constructor.name, error.code, error.message);
  }
}

const memory = new WebAssembly.Memory({ initial: 1 });
const marked = new ArrayBuffer(2);
markAsUntransferable(marked);
const detached = new ArrayBuffer(2);
structuredClone(detached, { transfer: [detached] });
const { port1: markedPort } = new MessageChannel();
markAsUntransferable(markedPort);
const things = { memory: memory.buffer, marked, detached, markedPort, pool: Buffer.from('a').buffer, whole: memory, number: 1 };

const { port1 } = new MessageChannel();
const worker = new Worker('setInterval(() => {}, 1000)', { eval: true });
for (const [name, thing] of Object.entries(things)) {
  const first = new ArrayBuffer(8);
  report(`structuredClone of ${name}`, () => structuredClone(1, { transfer: [first, thing] }));
  report(`port.postMessage of ${name}`, () => port1.postMessage(1, [first, thing]));
  report(`worker.postMessage of ${name}`, () => worker.postMessage(1, [first, thing]));
  report(`new Worker with ${name}`, () => void new Worker('1', { eval: true, workerData: 1, transferList: [first, thing] }));
  report('the other one', () => first.byteLength);
}
report('in the value', () => structuredClone({ of: memory.buffer }).of.byteLength);
report('transfer()', () => memory.buffer.transfer());
report('still there', () => memory.buffer.byteLength);
report('no list', () => port1.postMessage(1, { transfer: null }));

const stream = new ReadableStream({ type: 'bytes', pull: (controller) => controller.byobRequest.respond(1) });
stream
  .getReader({ mode: 'byob' })
  .read(new Uint8Array(memory.buffer, 0, 8))
  .catch((error) => console.log('read into it', error.constructor.name, error.message))
  .finally(() => worker.terminate());
port1.close();
