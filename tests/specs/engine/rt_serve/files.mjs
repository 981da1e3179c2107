// File responses: ranges, conditional requests, folders, a slow client, a client that disconnects, a file that shrinks while it
// is sent; and that a large file is not read into the program's memory.
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import net from 'node:net';

const MEGABYTES = 1024 * 1024;
const SIZE = 256 * MEGABYTES;
const { serve, file } = globalThis.RT ?? globalThis.Bun;
writeFileSync('small.txt', '0123456789');
for (const name of ['large.bin', 'shrinking.bin']) {
  writeFileSync(name, 'begin');
  truncateSync(name, SIZE);
}
writeFileSync('tail.bin', Buffer.concat([Buffer.alloc(300_000, 'a'), Buffer.from('the end')]));
mkdirSync('folder');
const whole = (name) => () => new Response(file(name));
const server = serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 0,
  routes: {
    '/small': whole('small.txt'),
    '/tail': whole('tail.bin'),
    '/large': whole('large.bin'),
    '/shrinking': whole('shrinking.bin'),
    '/folder': whole('folder'),
    '/slice': () => new Response(file('tail.bin').slice(299_998)),
    '/own': () => new Response(file('small.txt'), { headers: { 'content-range': 'bytes 0-9/100' } }),
  },
  error: ({ code }) => new Response(code, { status: 500 }),
});
const ask = (path, range, init) => fetch(new URL(path, server.url), { ...init, headers: range === undefined ? {} : { range } });
for (const range of ['bytes=2-4', 'BYTES=2-4', 'bytes = 2-', 'bytes=-3', 'bytes=-0', 'bytes=10-', 'bytes=4-2', 'bytes=0-1,3-4', 'lines=1-2']) {
  const answer = await ask('/small', range);
  console.log(range, answer.status, answer.headers.get('content-range'), await answer.text());
}
console.log('own', (await ask('/own', 'bytes=2-4')).status);
console.log('folder', (await (await ask('/folder')).text()).slice(0, 6));
console.log('tail', (await (await ask('/tail', 'bytes=299995-')).text()), await (await ask('/slice')).text());
for (const range of [undefined, 'bytes=1-', 'bytes=9-', 'lines=1-']) {
  const part = await ask('/slice', range);
  console.log('slice', range, part.status, part.headers.get('content-range'), part.headers.get('content-length'), await part.text());
}
const headOfSlice = await fetch(new URL('/slice', server.url), { method: 'HEAD' });
console.log('slice', headOfSlice.status, headOfSlice.headers.get('content-range'), headOfSlice.headers.get('content-length'));
const head = await ask('/large', 'bytes=5-9', { method: 'HEAD' });
console.log('HEAD', head.status, head.headers.get('content-length'), (await head.text()).length);

/** Opens a connection that requests `path`; `read` returns the number of bytes until its end, and the last of them. */
function connect(path, extra = '') {
  const socket = net.connect(server.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n${extra}`);
  const read = async () => {
    let count = 0;
    let last = Buffer.alloc(0);
    for await (const bytes of socket) {
      count += bytes.length;
      last = Buffer.concat([last, bytes]).subarray(-40);
    }
    return { count, last: `${last}` };
  };
  return { socket, read };
}
const peakMegabytes = () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024;
const before = peakMegabytes();
let count = 0;
for await (const bytes of (await ask('/large')).body) count += bytes.length;
console.log('large', count === SIZE, peakMegabytes() - before < 100);

// Pipelined requests are answered in order.
const two = connect('/large', 'GET /small HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
const both = await two.read();
console.log('two', both.count > SIZE, both.last.slice(-14).trim());

const leaving = connect('/large');
await once(leaving.socket, 'data');
leaving.socket.destroy();

const slow = connect('/shrinking');
await once(slow.socket, 'readable');
slow.socket.pause();
truncateSync('shrinking.bin', 10);
console.log('shorter', (await slow.read()).count < SIZE);
console.log('still there', await (await ask('/small')).text(), server.pendingRequests);
await server.stop(true);
process.exit();
