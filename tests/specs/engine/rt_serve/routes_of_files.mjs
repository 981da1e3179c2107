// File routes: a missing file falls back to `fetch`; constant responses of every status have an ETag; rejected requests do not
// stay pending.
import { writeFileSync } from 'node:fs';
import net from 'node:net';

const { serve, file } = globalThis.RT ?? globalThis.Bun;
writeFileSync('there.txt', 'there');
const routes = {
  '/there': file('there.txt'),
  '/missing': file('missing.txt'),
  '/response': new Response(file('missing.txt')),
  '/status': new Response('no', { status: 404 }),
};
const shown = async (response) => [response.status, await response.text(), response.headers.has('etag')].join(' ');
const server = serve({ port: 0, hostname: '127.0.0.1', routes, fetch: ({ url }) => new Response(`asked ${new URL(url).pathname}`) });
const ask = (path, init) => fetch(new URL(path, server.url), init).then(shown);
console.log((await ask('/there')).slice(0, 9));
for (const path of ['/missing', '/response', '/status']) console.log(path, await ask(path));
console.log('fresh', await ask('/status', { headers: { 'If-None-Match': '*' } }));
writeFileSync('missing.txt', 'now');
console.log((await ask('/missing')).slice(0, 7));

const refused = (text) =>
  new Promise((resolve) => {
    let said = '';
    const socket = net.connect(server.port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (bytes) => (said += bytes));
    socket.on('close', () => resolve(said.split('\r\n')[0]));
  });
for (const text of ['GET / HTTP/1.1\r\n\r\n', 'GET / HTTP/2.0\r\nHost: a\r\n\r\n', 'nonsense\r\n\r\n']) console.log(await refused(text));
console.log('pending', server.pendingRequests);
await server.stop(true);

const alone = serve({ port: 0, hostname: '127.0.0.1', routes: { '/missing': file('never.txt') } });
console.log('alone', (await fetch(new URL('/missing', alone.url))).status);
await alone.stop(true);
process.exit();
