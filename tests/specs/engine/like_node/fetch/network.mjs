// fetch against real servers: bodies in both directions, redirects, errors and aborts.
import http from 'node:http';
import net from 'node:net';
import { once } from 'node:events';
import { format } from 'node:util';

const print = (...args) => process.stdout.write(`${format(...args)}\n`);

const server = http.createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const url = new URL(request.url, 'http://h');
  switch (url.pathname) {
    case '/hop':
      response.writeHead(Number(url.searchParams.get('code')), { Location: url.searchParams.get('to') ?? '/echo' });
      response.end('hop');
      break;
    case '/loop':
      response.writeHead(302, { Location: '/loop' });
      response.end();
      break;
    case '/chunks':
      response.write('a');
      setImmediate(() => response.end('b'));
      break;
    case '/cut':
      response.writeHead(200, { 'Content-Length': 10 });
      response.write('abc');
      setTimeout(() => response.destroy(), 20);
      break;
    case '/never':
      break;
    case '/status':
      response.statusCode = Number(url.searchParams.get('code'));
      response.end(response.statusCode === 204 ? undefined : 'text');
      break;
    default:
      response.setHeader('X-Multi', ['1', '2']);
      response.setHeader('Set-Cookie', ['a=1', 'b=2']);
      response.end(JSON.stringify({ method: request.method, url: request.url, type: request.headers['content-type'], length: request.headers['content-length'], te: request.headers['transfer-encoding'], auth: request.headers.authorization, cookie: request.headers.cookie, accept: request.headers.accept, body: `${Buffer.concat(chunks)}` }));
  }
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const base = `http://127.0.0.1:${server.address().port}`;
const attempt = async (name, work) => {
  try {
    print(name, await work());
  } catch (error) {
    print(name, error.name, error.cause === undefined ? '' : error.message, name === 'cut' ? '' : error.cause?.code);
  }
};
const text = async (path, options) => (await fetch(base + path, options)).text();
await attempt('get', () => text('/echo?a=1#hash'));
for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'post']) await attempt(method, () => text('/echo', { method, body: /OPT/.test(method) ? undefined : 'b' }));
await attempt('head', async () => {
  const response = await fetch(`${base}/echo`, { method: 'HEAD' });
  return [response.status, (await response.text()).length];
});
await attempt('params', () => text('/echo', { method: 'POST', body: new URLSearchParams({ a: '1 2' }) }));
await attempt('bytes', () => text('/echo', { method: 'POST', body: new Uint8Array([97, 98]) }));
await attempt('stream', () => text('/echo', { method: 'POST', duplex: 'half', body: new ReadableStream({ start(c) { c.enqueue(new Uint8Array([97])); c.enqueue(new Uint8Array([98])); c.close(); } }) }));
await attempt('iterable', () => text('/echo', { method: 'POST', duplex: 'half', body: (async function* () { yield new Uint8Array([99]); })() }));
await attempt('headers', async () => {
  const response = await fetch(`${base}/echo`);
  return [response.status, response.ok, response.statusText, response.redirected, response.type, response.url === `${base}/echo`, response.headers.get('x-multi'), response.headers.getSetCookie()];
});
for (const code of [301, 302, 303, 307, 308]) await attempt(`hop ${code}`, () => text(`/hop?code=${code}`, { method: 'POST', body: 'b', headers: { Authorization: 'x', 'Content-Type': 'a/b' } }));
await attempt('other origin', () => text(`/hop?code=302&to=${encodeURIComponent(base.replace('127.0.0.1', 'localhost'))}/echo`, { headers: { Authorization: 'x', Cookie: 'c' } }));
await attempt('manual', async () => {
  const response = await fetch(`${base}/hop?code=302`, { redirect: 'manual' });
  return [response.status, response.headers.get('location'), await response.text()];
});
await attempt('error', () => text('/hop?code=302', { redirect: 'error' }));
await attempt('loop', () => text('/loop'));
await attempt('scheme', () => text('/hop?code=302&to=ftp://x/'));
await attempt('chunks', () => text('/chunks'));
await attempt('cut', () => text('/cut'));
for (const code of [204, 404, 500]) await attempt(code, async () => {
  const response = await fetch(`${base}/status?code=${code}`);
  return [response.status, response.ok, response.statusText, response.body === null, await response.text()];
});
await attempt('aborted before', () => fetch(`${base}/never`, { signal: AbortSignal.abort() }));
await attempt('aborted with reason', () => fetch(`${base}/never`, { signal: AbortSignal.abort(new Error('mine')) }));
await attempt('aborted later', () => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 10);
  return fetch(`${base}/never`, { signal: controller.signal });
});
await attempt('timeout', () => fetch(`${base}/never`, { signal: AbortSignal.timeout(10) }));
await attempt('body aborted', async () => {
  const controller = new AbortController();
  const response = await fetch(`${base}/cut`, { signal: controller.signal });
  controller.abort();
  return response.text();
});
await attempt('not found', () => fetch('http://nobody.invalid/'));
await attempt('refused', async () => {
  const closed = net.createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address();
  closed.close();
  await once(closed, 'close');
  return fetch(`http://127.0.0.1:${port}/`);
});
await attempt('relative', () => fetch('/x'));
await attempt('unknown scheme', () => fetch('nonsense:x'));
await attempt('data', async () => {
  const response = await fetch('data:text/plain;base64,aGk=');
  return [response.status, response.headers.get('content-type'), await response.text()];
});
await attempt('data plain', async () => (await fetch('data:,a%20b')).text());
await attempt('bad data', () => fetch('data:x'));
await attempt('many', async () => {
  const all = await Promise.all(Array.from({ length: 50 }, (_, index) => text(`/echo?${index}`)));
  return all.every((each, index) => JSON.parse(each).url === `/echo?${index}`);
});
server.closeAllConnections();
server.close(() => print('closed'));
