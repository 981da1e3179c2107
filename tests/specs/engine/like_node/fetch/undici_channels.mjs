// What fetch and WebSocket publish on the `undici:*` channels, as tracing instrumentation reads it.
import { createHash } from 'node:crypto';
import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer } from 'node:http';
import net, { Socket } from 'node:net';

const EVENTS = [
  ...['create', 'bodySent', 'bodyChunkSent', 'bodyChunkReceived', 'headers', 'trailers', 'error'].map((each) => `request:${each}`),
  ...['sendHeaders', 'beforeConnect', 'connected', 'connectError'].map((each) => `client:${each}`),
  ...['open', 'close', 'ping', 'pong', 'socket_error'].map((each) => `websocket:${each}`),
];
const SHOWN = ['method', 'path', 'protocol', 'upgrade', 'completed', 'statusCode', 'statusText', 'version', 'family', 'status'];

function shown(value) {
  if (value instanceof Uint8Array) return `bytes ${Buffer.from(value)}`;
  if (value instanceof Error) return `${value.code} ${value.message.replace(/\d{4,5}/, 'PORT')}`;
  if (value instanceof Socket) return 'a socket';
  if (value instanceof WebSocket) return 'a WebSocket';
  if (Array.isArray(value)) return `list ${value.map(shown)}`;
  if (typeof value === 'function') return 'a function';
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  return Object.fromEntries(SHOWN.filter((key) => key in value).map((key) => [key, value[key]]));
}

let log = [];
let last;
for (const event of EVENTS) {
  subscribe(`undici:${event}`, (message) => {
    if (message.request) last = message.request;
    const parts = Object.entries(message).map(([key, value]) =>
      key === 'headers' ? [key, value.split('\r\n').length > 3 && !value.includes('\r\n\r\n')] : [key, shown(value)],
    );
    log.push([event, Object.fromEntries(parts)]);
  });
}
function show(title, kind = '') {
  console.log(`--- ${title}`);
  for (const [event, message] of log) if (event.startsWith(kind)) console.log(event, JSON.stringify(message));
  log = [];
}

const accepted = (key) => createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    if (request.url !== '/broken') response.setHeader('Connection', 'close');
    if (request.url === '/moved') response.writeHead(302, { Location: '/' });
    if (request.url === '/trailers') {
      response.setHeader('Trailer', 'X-Last');
      response.write('with trailers');
      response.addTrailers({ 'X-Last': 'yes' });
    }
    if (request.url === '/broken') {
      response.writeHead(200, { 'Content-Length': 100 });
      response.write('part', () => request.socket.destroy());
      return;
    }
    response.end(request.headers['x-trace'] ?? 'answer');
  });
});
server.on('upgrade', (request, socket) => {
  const key = accepted(request.headers['sec-websocket-key']);
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`);
  socket.write(Buffer.from([0x89, 2, 65, 66, 0x8a, 1, 67, 0x88, 4, 3, 0xe8, 98, 121]));
  socket.on('error', () => {}).on('data', () => socket.end());
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const base = `http://127.0.0.1:${server.address().port}`;

await (await fetch(`${base}/?a=1`, { headers: { 'x-own': '1' } })).text();
show('a request');
console.log(last.origin === base, last.headers.includes('x-own'), last.contentLength, last.contentType, last.constructor.name);
await (await fetch(base, { method: 'POST', body: 'text' })).text();
show('a text');
console.log(last.contentLength, last.contentType, last.idempotent);
const pieces = new ReadableStream({
  start(controller) {
    for (const piece of ['one', 'two']) controller.enqueue(Buffer.from(piece));
    controller.close();
  },
});
await (await fetch(base, { method: 'PUT', body: pieces, duplex: 'half' })).text();
show('a stream', 'request:');
await (await fetch(`${base}/moved`)).text();
show('a redirect', 'request:');
await (await fetch(`${base}/trailers`)).text();
show('trailers', 'request:trailers');
const broken = await fetch(`${base}/broken`);
await broken.text().catch((error) => console.log(error.message));
show('an answer that breaks off', 'request:');

const gone = net.createServer();
await new Promise((resolve) => gone.listen(0, '127.0.0.1', resolve));
const { port } = gone.address();
await new Promise((resolve) => gone.close(resolve));
await fetch(`http://127.0.0.1:${port}/`).catch((error) => console.log(error.cause.code));
show('nobody there');

const trace = ({ request }) => request.addHeader('x-trace', 'added');
subscribe('undici:request:create', trace);
console.log(await (await fetch(base)).text());
unsubscribe('undici:request:create', trace);
log = [];

const socket = new WebSocket(base.replace('http', 'ws'));
const closed = new Promise((resolve) => channel('undici:websocket:close').subscribe(resolve));
await closed;
show('a WebSocket', 'websocket:');
server.close();
