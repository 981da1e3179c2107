// Responses larger than the system's buffer arrive completely: if the connection closes after them, if the client has ended its
// side, if the server stops or rejects the next request. And when a request's signal reports that its client has disconnected.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SIZE = 20_000_000;
const folder = mkdtempSync(join(tmpdir(), 'whole-'));
const file = join(folder, 'zeros');
writeFileSync(file, new Uint8Array(SIZE));
const inPieces = () => {
  let count = 0;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(new Uint8Array(SIZE / 20));
      if (++count === 20) controller.close();
    },
  });
};

/** Returns the number of bytes of a body that arrive at a client that reads only after the server has acted. */
function ask(port, path, { fields = '', more = '' } = {}) {
  const { promise, resolve } = Promise.withResolvers();
  const client = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let size = 0;
  let text = '';
  client.on('data', (bytes) => {
    if (text.length < 500) text += bytes.toString('latin1');
    size += bytes.length;
    text = text.slice(0, 500);
  });
  client.on('error', (error) => resolve(error.code)).on('end', () => client.end());
  client.on('close', () => resolve(size >= SIZE ? 'whole' : `part: ${text}`));
  client.on('connect', () => client.pause());
  client.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n${fields}\r\n${more}`);
  return { client, arrived: promise };
}

const asked = [];
const serve = () =>
  RT.serve({
    port: 0,
    development: false,
    fetch(request) {
      const { pathname } = new URL(request.url);
      request.signal.addEventListener('abort', () => console.log('aborted', pathname));
      asked.shift()?.();
      if (pathname === '/file') return new Response(RT.file(file));
      return new Response(pathname === '/stream' ? inPieces() : new Uint8Array(SIZE));
    },
  });
const isRequested = () => new Promise((resolve) => asked.push(resolve));

const server = serve();
for (const path of ['/bytes', '/file', '/stream']) {
  const { client, arrived } = ask(server.port, path, { fields: 'Connection: close\r\n' });
  await isRequested();
  setImmediate(() => client.resume());
  console.log('closes', path, await arrived);
}
for (const path of ['/bytes', '/file']) {
  const { client, arrived } = ask(server.port, path);
  await isRequested();
  client.end(() => setImmediate(() => client.resume()));
  console.log('half', path, await arrived);
}
{
  const { client, arrived } = ask(server.port, '/bytes', { more: 'BAD\r\n\r\n' });
  await isRequested();
  setImmediate(() => client.resume());
  console.log('malformed behind it', await arrived);
}
{
  const { client, arrived } = ask(server.port, '/bytes');
  await isRequested();
  const stopped = server.stop();
  setImmediate(() => client.resume());
  console.log('stops', await arrived, await stopped);
}

// The signal reports clients that disconnect before the whole response is sent, at once.
{
  const signals = RT.serve({
    port: 0,
    idleTimeout: 255,
    fetch(request) {
      const { pathname } = new URL(request.url);
      request.signal.addEventListener('abort', () => console.log('aborted', pathname));
      if (pathname !== '/events') return new Response('all', pathname === '/last' ? { headers: { Connection: 'close' } } : {});
      return new Response(new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(3)), cancel: gone }));
    },
  });
  const cancelled = Promise.withResolvers();
  function gone() {
    cancelled.resolve();
  }
  for (const path of ['last', 'usual']) console.log(await (await fetch(signals.url + path)).text());
  const closing = new AbortController();
  const events = await fetch(`${signals.url}events`, { signal: closing.signal });
  await events.body.getReader().read();
  closing.abort();
  await cancelled.promise;
  await signals.stop(true);
}

// node:http with an unread request.
const listening = createServer((request, response) => {
  request.on('aborted', () => console.log('aborted by node:http'));
  response.on('close', () => console.log('written', response.writableFinished));
  response.end(Buffer.alloc(SIZE));
  asked.shift()?.();
});
await new Promise((resolve) => listening.listen(0, '127.0.0.1', resolve));
const { client, arrived } = ask(listening.address().port, '/');
await isRequested();
client.end(() => setImmediate(() => client.resume()));
console.log('node:http', await arrived);
listening.close();
rmSync(folder, { recursive: true });
