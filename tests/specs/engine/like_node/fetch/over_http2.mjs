// fetch with ALPN: HTTP/2 for all requests to an origin over one connection, HTTP/1.1 if the server supports nothing
// else.
import http2 from 'node:http2';
import https from 'node:https';
import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import identity from '../tls_identity.cjs';

const { cert: CERT, key: KEY } = identity;

process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
let sessions = 0;
const server = http2.createSecureServer({ key: KEY, cert: CERT, allowHTTP1: true }, async (request, response) => {
  const { pathname } = new URL(request.url, 'https://a');
  if (pathname === '/echo') {
    response.writeHead(200, { 'x-method': request.method, 'x-type': `${request.headers['content-type']}` });
    request.pipe(response);
  } else if (pathname === '/away') response.writeHead(302, { location: '/there' }).end();
  else if (pathname === '/zip') response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('squeezed'));
  else if (pathname === '/break') response.stream.close(2);
  else if (pathname === '/half') { response.write('half'); setTimeout(() => response.stream.close(2), 20); }
  else if (pathname === '/never') request.on('aborted', () => console.log('the server is told of the abort'));
  else if (pathname === '/none') response.writeHead(204).end();
  else response.writeHead(200, { 'set-cookie': ['a=1', 'b=2'] }).end(`${request.httpVersion} ${request.method} ${pathname} ${request.headers.cookie ?? ''}`);
});
server.on('session', () => sessions++);
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const at = `https://127.0.0.1:${server.address().port}`;

const first = await fetch(`${at}/first?a=b`, { headers: { cookie: 'c=d' } });
console.log(first.status, first.url.replace(/\d+\//, 'PORT/'), await first.text(), `${first.headers.getSetCookie()}`, first.headers.has('connection'));
const echoed = await fetch(`${at}/echo`, { method: 'POST', body: 'text ä' });
console.log(echoed.headers.get('x-method'), echoed.headers.get('x-type'), await echoed.text());
const stream = new ReadableStream({ start(controller) { for (let i = 0; i < 3; i++) controller.enqueue(new TextEncoder().encode(`part ${i};`)); controller.close(); } });
console.log(await (await fetch(`${at}/echo`, { method: 'POST', body: stream, duplex: 'half' })).text());
const large = new Uint8Array(3_000_000).fill(97);
console.log((await (await fetch(`${at}/echo`, { method: 'PUT', body: large })).arrayBuffer()).byteLength);
const moved = await fetch(`${at}/away`);
console.log(moved.redirected, await moved.text());
console.log(await (await fetch(`${at}/zip`)).text(), (await fetch(`${at}/none`)).status, (await fetch(`${at}/head`, { method: 'HEAD' })).status);
console.log((await Promise.all(Array.from({ length: 300 }, async (_, i) => (await fetch(`${at}/many${i}`)).text()))).length, 'over', sessions, 'session');
await fetch(`${at}/break`).catch((error) => console.log(error.message, error.cause !== undefined));
await (await fetch(`${at}/half`)).text().catch((error) => console.log(error.name, error.message));
const controller = new AbortController();
const never = fetch(`${at}/never`, { signal: controller.signal }).catch((error) => console.log(error.name));
setTimeout(() => controller.abort(), 50);
await never;
await new Promise((resolve) => { setTimeout(resolve, 50); });
console.log(await (await fetch(`${at}/after`)).text(), sessions);

const old = https.createServer({ key: KEY, cert: CERT }, (request, response) => response.end(request.httpVersion));
old.listen(0, '127.0.0.1');
await once(old, 'listening');
const answers = await Promise.all(Array.from({ length: 5 }, async () => (await fetch(`https://127.0.0.1:${old.address().port}`)).text()));
console.log(`${answers}`);
old.close();
old.closeAllConnections();
process.exit();
