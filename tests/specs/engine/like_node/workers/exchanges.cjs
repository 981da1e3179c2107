// What threads exchange: platform objects of Node and the Web, compiled WebAssembly, messages by thread ID, and the
// output of workers.
'use strict';
const { Worker, MessageChannel, postMessageToThread, threadId } = require('node:worker_threads');
const { once } = require('node:events');
const fs = require('node:fs');
const net = require('node:net');

const CODE = `
const { parentPort, postMessageToThread } = require('node:worker_threads');
parentPort.on('message', async ({ value }) => {
  const reported = [value?.constructor?.name];
  if (value instanceof Blob) reported.push(value.size, value.type, await value.text(), value.name, value.lastModified);
  else if (value instanceof DOMException) reported.push(value.name, value.message, value.code, value.quota, typeof value.stack);
  else if (value?.rules) reported.push(value.rules, value.check('1.2.3.4'), value.check('::5', 'ipv6'));
  else if (value?.address) reported.push(value.address, value.port, value.family, value.flowlabel);
  else if (value?.readFile) {
    reported.push(await value.readFile('utf8'));
    await value.close();
  } else if (value instanceof WebAssembly.Module) reported.push(new WebAssembly.Instance(value).exports.answer());
  else if (value instanceof WebAssembly.Memory) reported.push(value.buffer.byteLength, value.grow(1));
  parentPort.postMessage(reported);
});`;

const failed = (error) => console.log(error.name, error.code, error.message);

async function objects() {
  const worker = new Worker(CODE, { eval: true });
  const list = new net.BlockList();
  list.addAddress('1.2.3.4');
  list.addSubnet('::1', 64, 'ipv6');
  fs.writeFileSync('some.txt', 'what is in it');
  const handle = await fs.promises.open('some.txt');
  const module = new WebAssembly.Module(Buffer.from('0061736d010000000105016000017f03020100070a0106616e7377657200000a06010400412a0b', 'hex'));
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 3, shared: true });
  const values = [
    [new Blob(['ab', 'é'], { type: 'a/b' })],
    [new File(['x'], 'n.txt', { type: 't/x', lastModified: 5 })],
    [new DOMException('m', 'AbortError')],
    [new QuotaExceededError('q', { quota: 5 })],
    [list],
    [new net.SocketAddress({ address: '::1', family: 'ipv6', port: 5, flowlabel: 3 })],
    [module],
    [module],
    [memory],
    [handle, [handle]],
  ];
  for (const [value, transfer] of values) {
    worker.postMessage({ value }, transfer);
    console.log(JSON.stringify((await once(worker, 'message'))[0]));
  }
  console.log(memory.buffer.byteLength / 65536, structuredClone(module) instanceof WebAssembly.Module, handle.fd);
  await handle.read().catch(failed);
  const { port1, port2 } = new MessageChannel();
  port1.postMessage([module]);
  console.log((await once(port2, 'message'))[0][0] instanceof WebAssembly.Module);
  port1.close();
  const second = await fs.promises.open('some.txt');
  for (const work of [() => worker.postMessage(second), () => structuredClone(second)]) try { work(); } catch (error) { failed(error); }
  const reading = second.readFile('utf8');
  try { worker.postMessage(second, [second]); } catch (error) { failed(error); }
  await reading;
  const moved = structuredClone(second, { transfer: [second] });
  console.log(moved.constructor === second.constructor, second.fd, (await moved.read(Buffer.alloc(4), 0, 4, 0)).buffer.toString());
  await moved.close();
  await worker.terminate();
}

async function numbers() {
  for (const given of [[threadId], [99], ['x'], [1, 2, 3, 'x'], [1, 2, [], -1]]) await postMessageToThread(...given).catch(failed);
  const code = (text) => new Worker(`const { parentPort, postMessageToThread, threadId } = require('node:worker_threads');${text}`, { eval: true });
  const hears = code(`
    process.on('workerMessage', (value, source) => {
      if (value === 'throw') throw new Error('mine');
      if (value.port) value.port.postMessage(['heard', source]);
    });
    parentPort.on('message', () => postMessageToThread(0, 'from a worker').then(() => process.exit()));
    parentPort.postMessage('ready');`);
  await once(hears, 'message');
  const { port1, port2 } = new MessageChannel();
  console.log(await postMessageToThread(hears.threadId, { port: port2 }, [port2]), (await once(port1, 'message'))[0].join());
  port1.close();
  await postMessageToThread(hears.threadId, 'throw').catch(failed);
  const busy = code('Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);');
  await postMessageToThread(busy.threadId, 1, 10).catch(failed);
  await busy.terminate();
  const deaf = code("parentPort.once('message', () => {}); parentPort.postMessage('ready');");
  await once(deaf, 'message');
  await postMessageToThread(deaf.threadId, 1).catch(failed);
  await deaf.terminate();
  process.once('workerMessage', (value, source) => console.log(value, source === hears.threadId));
  const { threadId: number } = hears;
  hears.postMessage('go');
  await once(hears, 'exit');
  await postMessageToThread(number, 1).catch(failed);
}

async function output() {
  const worker = new Worker("process.stdout.write('one\\n', () => console.log('two')); console.error('three'); process.stderr.write(Buffer.from('four\\n'));", { eval: true });
  const heard = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) worker[name].on('data', (part) => { heard[name] += part; });
  await once(worker, 'exit');
  console.log(JSON.stringify(heard));
}

(async () => {
  await objects();
  await numbers();
  await output();
})();
