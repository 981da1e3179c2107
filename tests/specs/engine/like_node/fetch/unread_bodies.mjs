// Bodies that have arrived: an abort before they are read, copies, chunk types, and the type of a Blob.
import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

const server = http.createServer((request, response) => response.end(request.url === '/empty' ? '' : 'body')).listen(0);
await new Promise((resolve) => server.once('listening', resolve));
const address = `http://127.0.0.1:${server.address().port}`;

const controller = new AbortController();
const { signal } = controller;
const unread = await fetch(address, { signal });
const read = await fetch(address, { signal });
console.log(await read.text());
const streamed = (await fetch(address, { signal })).body.getReader();
const partly = await fetch(address, { signal });
await pause(50);
controller.abort(new Error('stopped'));
for (const reading of [unread.text(), streamed.read(), partly.clone().text()]) console.log(await reading.catch((error) => error.message));
server.closeAllConnections();
server.close();

const source = new ReadableStream({
  start(stream) {
    stream.enqueue(new TextEncoder().encode('safe'));
    stream.close();
  },
});
const first = new Response(source);
const second = first.clone();
const { value } = await first.body.getReader().read();
value.fill(42);
console.log(await second.text());

for (const type of ['Text/CSV; Header=present', 'text/html;charset=UTF-8', 'bogus', 'a/b;c="d e"', ' text/plain ;x=1;x=2']) {
  const headers = { 'content-type': type };
  console.log((await new Response('x', { headers }).blob()).type, (await new Request('http://x/', { method: 'POST', body: 'x', headers }).blob()).type);
}
try {
  crypto.getRandomValues(new Uint32Array(20000));
} catch (error) {
  console.log(error.constructor.name, error.name, error.code, error instanceof DOMException, error.quota, error.requested);
}
