// Edge cases of fetch: aborts after a redirect, unread bodies, wrong lengths, trailing data after an encoding,
// fragments, ports, UTF-8 fields.
import http from 'node:http';
import net from 'node:net';
import zlib from 'node:zlib';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { format } from 'node:util';

const print = (...args) => process.stdout.write(`${format(...args)}\n`);
const words = 'hello'.repeat(1000);
const squeezed = { 'deflate': zlib.deflateSync(words), 'raw deflate': zlib.deflateRawSync(words), 'gzip': zlib.gzipSync(words), 'br': zlib.brotliCompressSync(words) };
const seen = [];
let arrived; // signals that `/held` was requested
const held = [];

const server = http.createServer(async (request, response) => {
  const url = new URL(request.url, 'http://h');
  seen.push(`${request.method} ${request.url} ${request.headers['accept-encoding'] === 'identity' ? 'identity' : ''} ${request.headers.pragma ?? ''} ${request.headers['cache-control'] ?? ''}`);
  switch (url.pathname) {
    case '/hop':
      response.writeHead(302, url.searchParams.has('to') ? { Location: Buffer.from(url.searchParams.get('to')).toString('latin1') } : {});
      response.end('hop');
      break;
    case '/held':
      held.push(response);
      arrived?.();
      break;
    case '/codings':
      response.writeHead(200, { 'Content-Encoding': Array(Number(url.searchParams.get('n'))).fill('gzip').join(', ') });
      response.end(squeezed.gzip);
      break;
    case '/status':
      response.writeHead(Number(url.searchParams.get('code')), 'Said');
      response.end('text');
      break;
    default:
      response.end('small');
  }
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const base = `http://127.0.0.1:${server.address().port}`;
const isHeld = () => new Promise((resolve) => (arrived = resolve));
const what = (error) => [error.name, error.cause?.name, error.cause?.code, error.cause?.message];
const attempt = async (name, work) => {
  try {
    print(name, await work());
  } catch (error) {
    print(name, ...(error.cause === undefined ? [error.name] : what(error)));
  }
};
const raw = async (answer, use, options) => {
  const there = net.createServer((socket) => socket.on('error', () => {}).once('data', () => answer(socket)));
  there.listen(0, '127.0.0.1');
  await once(there, 'listening');
  try {
    return await use(await fetch(`http://127.0.0.1:${there.address().port}/`, options));
  } finally {
    there.close();
  }
};
const textOf = (response) => response.text();

await attempt('aborted after a redirect', async () => {
  const controller = new AbortController();
  const asked = fetch(`${base}/hop?to=/held`, { signal: controller.signal });
  await isHeld();
  controller.abort();
  return asked;
});
await attempt('a body is cancelled when another request has its connection', async () => {
  const left = await fetch(`${base}/small`);
  await new Promise((resolve) => setTimeout(resolve, 50)); // its connection is idle by now
  const next = fetch(`${base}/held`);
  await isHeld();
  await left.body.cancel();
  held.at(-1).end('mine');
  return (await next).text();
});
await attempt('a redirect is aborted when another request has its connection', async () => {
  const controller = new AbortController();
  const silent = net.createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const to = encodeURIComponent(`http://127.0.0.1:${silent.address().port}/`);
  const lost = fetch(`${base}/hop?to=${to}`, { signal: controller.signal }).catch((error) => error.name);
  await once(silent, 'connection');
  const next = fetch(`${base}/held`);
  await isHeld();
  controller.abort();
  held.at(-1).end('mine');
  silent.close();
  return [await lost, await (await next).text()];
});
for (const length of [2, 3, 5])
  await attempt(`a stream of 3 bytes that told ${length}`, async () => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new Uint8Array(3));
        controller.close();
      },
    });
    return (await fetch(`${base}/length`, { method: 'POST', duplex: 'half', headers: { 'Content-Length': `${length}` }, body })).status;
  });
for (const [name, bytes] of Object.entries(squeezed))
  for (const [how, more] of [['nothing', ''], ['junk', 'junk'], ['itself', bytes], ['half', undefined]])
    await attempt(`${name} and ${how}`, () =>
      raw(
        (socket) => {
          socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: ${name.replace('raw ', '')}\r\nConnection: close\r\n\r\n`);
          socket.end(more === undefined ? bytes.subarray(0, bytes.length >> 1) : Buffer.concat([bytes, Buffer.from(more)]));
        },
        async (response) => ((await response.text()).length > 0 ? 'text' : 'nothing'),
      ),
    );
for (const count of [5, 6, 1000]) await attempt(`${count} codings`, async () => (await fetch(`${base}/codings?n=${count}`)).status);
for (const code of [200, 204, 205, 304])
  await attempt(`status ${code}`, async () => {
    const response = await fetch(`${base}/status?code=${code}`);
    return [response.body === null, new Response(response.body, response).status, await response.text()];
  });
await attempt('no redirects', () => fetch(`${base}/hop`, { redirect: 'error' }));
await attempt('a place in UTF-8', async () => (await fetch(`${base}/hop?to=/%C3%A9`)).url.replace(base, ''));
await attempt('port 0', () => fetch('http://127.0.0.1:0/'));
const hash = (kind, text) => `${kind}-${createHash(kind).update(text).digest('base64')}`;
const hashes = [hash('sha256', 'small'), hash('sha256', 'other'), `${hash('sha256', 'small')} ${hash('sha512', 'other')}`, `${hash('sha384', 'other')} ${hash('sha384', 'small')}`, 'md5-x', `${hash('sha512', 'small')}?a`];
for (const integrity of hashes) await attempt(`integrity ${hashes.indexOf(integrity)}`, async () => (await fetch(`${base}/small`, { integrity })).text());
await attempt('another protocol', () => raw((socket) => socket.end('HTTP/1.1 101 Yes\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nfoo'), textOf));
await attempt('gone', () => raw((socket) => socket.end(), textOf));
await attempt('gone in the head', () => raw((socket) => socket.end('HTTP/1.1 200 OK\r\nCont'), textOf));
await attempt('gone in the body', () => raw((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc'), textOf));
await attempt('reset', () => raw((socket) => socket.resetAndDestroy(), textOf));
await attempt('a large head', () => raw((socket) => socket.end(`HTTP/1.1 200 OK\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`), textOf));
await attempt('no head', () => raw((socket) => socket.end('nonsense\r\n\r\n'), async () => 0).catch((error) => [error.name, error.cause.name]));
for (const options of [{ headers: { Range: 'bytes=0-1' } }, { cache: 'no-store' }, { cache: 'reload' }, { cache: 'no-store', headers: { Pragma: 'mine' } }])
  await attempt('asked', async () => {
    await (await fetch(`${base}/asked`, options)).text();
    return seen.at(-1);
  });
for (const name of ['a\x01b', 'a\x7f', 'a\0', 'a\nb', 'é']) {
  await attempt(`field ${JSON.stringify(name)}`, () => new Headers({ a: name }).get('a').length);
  await attempt(`field ${JSON.stringify(name)} asked`, async () => (await fetch(`${base}/asked`, { headers: { a: name } })).status);
}
server.closeAllConnections();
server.close();
process.exit();
