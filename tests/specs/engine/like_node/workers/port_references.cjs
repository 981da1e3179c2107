// What ports and channels are among the active resources, and how long they keep the program alive.
const { BroadcastChannel, MessageChannel, Worker } = require('node:worker_threads');
const { createHook } = require('node:async_hooks');
const kinds = [];
const hook = createHook({ init: (id, type) => kinds.push(type) }).enable();
const info = () => JSON.stringify(process.getActiveResourcesInfo().filter((name) => name !== 'Immediate' && name !== 'TTYWrap' && name !== 'PipeWrap'));
const channel = new BroadcastChannel('x');
console.log(info());
channel.unref();
channel.unref();
console.log(info());
channel.ref();
channel.ref();
console.log(info());
channel.close();
channel.ref();
const { port1, port2 } = new MessageChannel();
console.log(info(), port1.hasRef(), port2.hasRef());
port1.ref();
port1.ref();
console.log(info(), port1.hasRef());
port1.unref();
const receive = (message) => console.log('received', message, info(), port1.hasRef());
port1.on('message', receive);
console.log(info(), port1.hasRef());
for (const message of [1, 'text', null, undefined, true, 2n, -0, NaN]) port2.postMessage(message);
setImmediate(() =>
  setImmediate(() => {
    port1.off('message', receive);
    port2.postMessage('waits');
    console.log(info(), port1.hasRef());
    hook.disable();
    console.log(kinds.includes('MESSAGEPORT'), kinds.includes('Timeout'));
  }),
);
for (const bad of [Symbol('s'), () => {}]) {
  try {
    port2.postMessage(bad);
  } catch (error) {
    console.log(error.name, error.message);
  }
}
const worker = new Worker("require('node:worker_threads').parentPort.once('message', () => {})", { eval: true });
worker.on('exit', (code) => console.log('exit', code));
worker.postMessage('go');
