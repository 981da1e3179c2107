// What a worker posts and how it ends: undefined arrives, its ports close at its end, process.exit cannot be caught.
const { Worker, MessageChannel, isMainThread, workerData, markAsUncloneable } = require('node:worker_threads');
const { once } = require('node:events');
const thrown = (act) => { try { act(); return 'none'; } catch (error) { return `${error.name} ${error.code} ${error.message}`; } };

async function main() {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  console.log('exit', ...await once(new Worker(__filename, { workerData: cell }), 'exit'), cell[0]);
  const poster = new Worker("const { parentPort } = require('worker_threads'); for (const each of [undefined, null, 0]) parentPort.postMessage(each)", { eval: true });
  poster.on('message', (message) => console.log('message', message));
  await once(poster, 'exit');
  const { port1, port2 } = new MessageChannel();
  const holder = new Worker("require('worker_threads').parentPort.on('message', ({ port }) => port.postMessage('held'))", { eval: true });
  holder.postMessage({ port: port2 }, [port2]);
  port1.on('message', (message) => { console.log(message); holder.terminate(); });
  await once(port1, 'close');
  console.log('closed');
  const argv = new Worker("require('worker_threads').parentPort.postMessage(process.argv.slice(2))", { eval: true, argv: [null, 1, Symbol('s')] });
  console.log((await once(argv, 'message'))[0].join());
  const names = ['abort', 'chdir', 'setuid'];
  const stubs = new Worker(`require('worker_threads').parentPort.postMessage(${JSON.stringify(names)}.map((name) => {
    try { process[name](); } catch (error) { return [process[name].disabled, error.code, error.message].join(' '); } }))`, { eval: true });
  console.log((await once(stubs, 'message'))[0].join());
  for (const wrong of [
    () => new Worker(new URL('file:///x.js'), { eval: true }), () => new Worker('file:///x.js'), () => new Worker('data:text/javascript,'),
    () => new Worker('x.js'), () => new MessageEvent('message', { source: {} }),
  ]) console.log(thrown(wrong));
  const buffer = new ArrayBuffer(1);
  markAsUncloneable(buffer);
  console.log(thrown(() => port1.postMessage(buffer)));
  process.exit();
}

if (isMainThread) main();
else {
  try {
    process.exit(3);
    throw new Error('never');
  } catch {
    workerData[0] = 1;
  }
}
