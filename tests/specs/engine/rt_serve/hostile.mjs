// Invalid and smuggled requests: each gets an error response and the connection is closed, and the next client is served.
import net from 'node:net';
import http from 'node:http';
import { once } from 'node:events';
const seen = [];
const rtServer = RT.serve({ port: 0, development: false, async fetch(request) { seen.push(`${request.method} ${new URL(request.url).pathname}`); return new Response(`body ${(await request.text()).length}`); } });
const nodeServer = http.createServer(async (request, response) => {
  let size = 0;
  request.on('error', () => {});
  for await (const chunk of request) size += chunk.length;
  seen.push(`${request.method} ${request.url}`);
  response.end(`body ${size}`);
}).listen(0);
await once(nodeServer, 'listening');
process.on('unhandledRejection', () => {}); // of aborted requests

const HEAD = 'Host: x\r\n';
const shapes = {
  'both lengths': `POST / HTTP/1.1\r\n${HEAD}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\n${HEAD}\r\n`,
  'two lengths': `POST / HTTP/1.1\r\n${HEAD}Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde`,
  'length list': `POST / HTTP/1.1\r\n${HEAD}Content-Length: 4, 4\r\n\r\nabcd`,
  'length sign': `POST / HTTP/1.1\r\n${HEAD}Content-Length: +4\r\n\r\nabcd`,
  'length hex': `POST / HTTP/1.1\r\n${HEAD}Content-Length: 0x4\r\n\r\nabcd`,
  'length huge': `POST / HTTP/1.1\r\n${HEAD}Content-Length: 99999999999999999999\r\n\r\n`,
  'length empty': `POST / HTTP/1.1\r\n${HEAD}Content-Length:\r\n\r\n`,
  'chunked not last': `POST / HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n`,
  'chunked twice': `POST / HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n`,
  'unknown coding': `POST / HTTP/1.1\r\n${HEAD}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
  'coding with a tab': `POST / HTTP/1.1\r\n${HEAD}Transfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n`,
  'chunk size not hex': `POST / HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\nab\r\n0\r\n\r\n`,
  'chunk size sign': `POST / HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n-2\r\nab\r\n0\r\n\r\n`,
  'chunk size huge': `POST / HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\nab\r\n0\r\n\r\n`,
  'chunk too long': `POST / HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n`,
  'chunk with LF': `POST / HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n2\nab\n0\n\n`,
  'bare CR in a value': `GET / HTTP/1.1\r\n${HEAD}A: b\rc\r\n\r\n`,
  'bare LF': `GET / HTTP/1.1\nHost: x\n\n`,
  'NUL in a value': `GET / HTTP/1.1\r\n${HEAD}A: b\0c\r\n\r\n`,
  'blank before the colon': `GET / HTTP/1.1\r\n${HEAD}Content-Length : 4\r\n\r\nabcd`,
  'blank in a name': `GET / HTTP/1.1\r\n${HEAD}A b: c\r\n\r\n`,
  'folded line': `GET / HTTP/1.1\r\n${HEAD}A: b\r\n c\r\n\r\n`,
  'no name': `GET / HTTP/1.1\r\n${HEAD}: c\r\n\r\n`,
  'no colon': `GET / HTTP/1.1\r\n${HEAD}abc\r\n\r\n`,
  'no host': 'GET / HTTP/1.1\r\n\r\n',
  'two hosts': `GET / HTTP/1.1\r\n${HEAD}${HEAD}\r\n`,
  'no version': `GET /\r\n\r\n`,
  'version 0.9': `GET / HTTP/0.9\r\n${HEAD}\r\n`,
  'version 2.0': `GET / HTTP/2.0\r\n${HEAD}\r\n`,
  'method in lower case': `get / HTTP/1.1\r\n${HEAD}\r\n`,
  'method with a control': `G\x01T / HTTP/1.1\r\n${HEAD}\r\n`,
  'blank in the target': `GET /a b HTTP/1.1\r\n${HEAD}\r\n`,
  'TLS hello': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'HTTP/2 preface': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'head without end': `GET / HTTP/1.1\r\n${HEAD}A: ${'x'.repeat(70_000)}`,
  'target without end': `GET /${'x'.repeat(70_000)}`,
  'many headers': `GET / HTTP/1.1\r\n${HEAD}${'A: b\r\n'.repeat(20_000)}\r\n`,
};

/** Returns the first line of the response, and what the server saw. */
async function send(port, text) {
  seen.length = 0;
  const socket = net.connect(port, '127.0.0.1');
  let got = '';
  socket.on('data', (bytes) => { got += bytes.toString('latin1'); });
  socket.on('error', () => {});
  socket.write(text, 'latin1');
  socket.end();
  await once(socket, 'close');
  const lines = got.match(/^HTTP\/1\.1 \d+/gm) ?? [];
  return `${lines.map((line) => line.slice(9)).join(' ') || 'closed'}${seen.length > 0 ? ` saw ${seen.join(', ')}` : ''}`;
}
for (const [name, text] of Object.entries(shapes)) console.log(name, '|', await send(rtServer.port, text), '|', await send(nodeServer.address().port, text));

// A request that stops at any byte, by an end or a reset, does not affect other responses.
const whole = `POST /whole HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n3;x=y\r\nabc\r\n0\r\nTrailer: t\r\n\r\n`;
for (const port of [rtServer.port, nodeServer.address().port]) {
  const breaks = [];
  for (let end = 0; end <= whole.length; end++) {
    for (const how of ['end', 'resetAndDestroy']) {
      breaks.push((async () => {
        const socket = net.connect(port, '127.0.0.1');
        socket.on('error', () => {}).resume();
        await new Promise((resolve) => { socket.write(whole.slice(0, end), resolve); });
        socket[how]();
        await once(socket, 'close');
      })());
    }
  }
  await Promise.all(breaks);
  console.log('after the breaks', await (await fetch(`http://127.0.0.1:${port}/`)).text());
}
// Thousands of silent connections do not keep other clients from theirs.
for (const port of [rtServer.port, nodeServer.address().port]) {
  const silent = await Promise.all(Array.from({ length: 400 }, async (_, index) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write('GET / HT'.slice(0, index % 9));
    return socket;
  }));
  console.log('beside 400 silent ones', await (await fetch(`http://127.0.0.1:${port}/`)).text());
  for (const socket of silent) socket.destroy();
}
await rtServer.stop(true);
nodeServer.close();
nodeServer.closeAllConnections();
