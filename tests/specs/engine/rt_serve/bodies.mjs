// Bodies of all sizes arrive whole, however they are read, sent and divided.
import { connect } from 'node:net';
import { createHash } from 'node:crypto';

const sha = (bytes) => createHash('sha1').update(bytes).digest('hex');
const server = RT.serve({
  port: 0,
  hostname: '127.0.0.1',
  maxRequestBodySize: 40_000_000,
  async fetch(request) {
    const { pathname } = new URL(request.url);
    if (pathname === '/late') await new Promise((resolve) => setTimeout(resolve, 20));
    if (pathname === '/unread') return new Response('unread');
    if (pathname === '/stream') {
      const hash = createHash('sha1');
      for await (const chunk of request.body) hash.update(chunk);
      return new Response(hash.digest('hex'));
    }
    if (pathname === '/text') return new Response(sha(await request.text()));
    if (pathname === '/blob') return new Response(sha(new Uint8Array(await (await request.blob()).arrayBuffer())));
    const bytes = await request.bytes();
    return new Response(`${sha(bytes)}${bytes.buffer.byteLength === bytes.length ? '' : ' shared'}`);
  },
});

const body = (size) => Buffer.from(Array.from({ length: size }, (_, index) => 97 + ((index * 31 + (index >> 8)) % 26)));

/** Sends requests in the given pieces over one connection, and returns the bodies of as many responses. */
function send(pieces, count, pauseMs = 0) {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1');
    let text = '';
    socket.on('data', (data) => {
      text += data;
      const found = text.split('\r\n\r\n').slice(1).map((part) => part.slice(0, 40).split('HTTP/')[0]);
      if (found.length === count && found.every((part) => part.length > 0)) {
        socket.destroy();
        resolve(found);
      }
    });
    socket.on('error', reject);
    (async () => {
      for (const piece of pieces) {
        socket.write(piece);
        if (pauseMs) await new Promise((next) => setTimeout(next, pauseMs));
      }
    })();
  });
}
const head = (path, size) => Buffer.from(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${size}\r\n\r\n`);
const wrong = [];
for (const size of [1, 65_000, 65_536, 70_000, 131_072, 1_000_000, 3_000_001, 17_000_000]) {
  const bytes = body(size);
  for (const path of ['/bytes', '/late', '/text', '/blob', '/stream']) {
    const [answer] = await send([head(path, size), bytes], 1);
    if (answer !== sha(bytes)) wrong.push([size, path, answer]);
  }
}
{
  // In pieces, and followed at once by other requests.
  const bytes = body(300_000);
  const pieces = [];
  for (let at = 0; at < bytes.length; at += 50_000) pieces.push(bytes.subarray(at, at + 50_000));
  const answers = await send([head('/bytes', bytes.length), ...pieces], 1, 3);
  if (answers[0] !== sha(bytes)) wrong.push('pieces');
  const whole = Buffer.concat([head('/bytes', 300_000), bytes, head('/late', 5), Buffer.from('hello'), head('/bytes', 300_000), bytes]);
  const three = await send([whole], 3);
  if (three.join() !== [sha(bytes), sha('hello'), sha(bytes)].join()) wrong.push(['pipelined', three]);
}
console.log(wrong.length === 0 ? 'all bodies are whole' : JSON.stringify(wrong));
{
  // The client leaves in the middle: the reader fails.
  const failed = Promise.withResolvers();
  const other = RT.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      await request.bytes().then(() => failed.resolve('whole'), (error) => failed.resolve(error.code ?? error.name));
      return new Response();
    },
  });
  const socket = connect(other.port, '127.0.0.1');
  socket.write(head('/', 500_000));
  socket.write(body(200_000), () => setTimeout(() => socket.destroy(), 20));
  console.log('left early:', await failed.promise);
  await other.stop(true);
}
{
  // The response is complete before the body: the rest is dropped, and the next request is served.
  const bytes = body(400_000);
  const answers = await send([head('/unread', bytes.length), bytes, head('/bytes', 5), Buffer.from('hello')], 2);
  console.log('unread:', answers.map((answer) => (answer === sha('hello') ? 'hello' : answer)).join());
}
await server.stop(true);
