// A worker's open resources are closed when it ends: listening sockets, UDP sockets, connections, files, and pipes of
// children.
import { once } from 'node:events';
import dgram from 'node:dgram';
import fs from 'node:fs';
import net from 'node:net';
import { Worker } from 'node:worker_threads';

const code = `
const { parentPort, workerData } = require('node:worker_threads');
const { once } = require('node:events');
const net = require('node:net');
const dgram = require('node:dgram');
const fs = require('node:fs');
const http = require('node:http');
const place = { host: '127.0.0.1', port: 0 };
(async () => {
  const tcp = net.createServer((connection) => connection.write('hello')).listen(place);
  const web = http.createServer(() => {}).listen(place);
  const pipe = net.createServer().listen(workerData.path);
  await Promise.all([once(tcp, 'listening'), once(web, 'listening'), once(pipe, 'listening')]);
  const udp = dgram.createSocket('udp4').bind(0, '127.0.0.1');
  const bound = dgram.createSocket('udp4').bind(0, '127.0.0.1');
  await Promise.all([once(udp, 'listening'), once(bound, 'listening')]);
  udp.unref();
  const child = require('node:child_process').spawn('cat');
  child.stdout.on('end', () => {});
  const held = (globalThis.held = await require('node:fs/promises').open('/dev/null'));
  const files = [fs.openSync('/dev/null'), held.fd];
  parentPort.postMessage({ tcp: tcp.address().port, web: web.address().port, udp: [udp, bound].map((each) => each.address().port), files, pid: child.pid });
  workerData.ends && process.exit(3);
})();`;

const free = (server) => new Promise((resolve) => server.once('error', (error) => resolve(error.code)).once('listening', () => server.close(() => resolve('free'))));
const isOpen = (descriptor) => { try { fs.fstatSync(descriptor); return 'open'; } catch (error) { return error.code; } };

for (const ends of [false, true]) {
  for (const trackUnmanagedFds of [undefined, true]) {
    const path = `${process.cwd()}/socket`;
    const worker = new Worker(code, { eval: true, workerData: { path, ends }, trackUnmanagedFds });
    const exit = once(worker, 'exit');
    const [had] = await once(worker, 'message');
    const client = ends ? undefined : net.connect(had.tcp, '127.0.0.1');
    if (client) {
      console.log(String((await once(client, 'data'))[0]));
      const closed = once(client.resume(), 'close');
      await worker.terminate();
      await closed;
    }
    console.log(String(await exit));
    console.log(await free(net.createServer().listen(had.tcp, '127.0.0.1')), await free(net.createServer().listen(had.web, '127.0.0.1')));
    for (const port of had.udp) console.log(await free(dgram.createSocket('udp4').bind(port, '127.0.0.1')));
    console.log(fs.existsSync(path), String(had.files.map(isOpen)));
  }
}
const open = new Worker(`require('node:worker_threads').parentPort.postMessage(require('node:fs').openSync('/dev/null'))`, { eval: true, trackUnmanagedFds: false });
const [[descriptor]] = await Promise.all([once(open, 'message'), once(open, 'exit')]);
console.log(isOpen(descriptor));
fs.closeSync(descriptor);

const warned = new Worker(
  `const fs = require('node:fs');
const { parentPort } = require('node:worker_threads');
process.on('warning', ({ name, message }) => parentPort.postMessage({ name, message: message.replace(/\\d+/, 'N') }));
parentPort.on('message', (descriptor) => descriptor === null ? parentPort.close() : fs.closeSync(descriptor));`,
  { eval: true, execArgv: ['--no-warnings'] },
);
warned.postMessage(fs.openSync('/dev/null'));
const [{ name, message }] = await once(warned, 'message');
console.log(name, message);
warned.postMessage(null);
console.log(String(await once(warned, 'exit')));

// A transferred handle belongs to the thread that received it.
const giver = new Worker(
  `const { parentPort } = require('node:worker_threads');
require('node:fs/promises').open('/dev/null').then((handle) => parentPort.postMessage(handle, [handle]));`,
  { eval: true },
);
const [[handle]] = await Promise.all([once(giver, 'message'), once(giver, 'exit')]);
console.log(isOpen(handle.fd));
const taker = new Worker(`require('node:worker_threads').parentPort.once('message', (handle) => handle.close());`, { eval: true });
const moved = handle.fd;
taker.postMessage(handle, [handle]);
console.log(String(await once(taker, 'exit')), isOpen(moved));
