// `insecureHTTPParser`: which malformed messages a server and a client accept, received whole and byte by byte.
const http = require('http');
const net = require('net');
const { once } = require('events');

const POST = 'POST / HTTP/1.1\r\nHost: x\r\n';
const CHUNKED = `${POST}Transfer-Encoding: chunked\r\n\r\n`;
const requests = {
  'plain': 'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
  'control character': 'GET / HTTP/1.1\r\nHost: x\r\nA: b\x01\x00\x7fc\r\n\r\n',
  'bad name': 'GET / HTTP/1.1\r\nHost: x\r\nA(b): c\r\n\r\n',
  'space before colon': 'GET / HTTP/1.1\r\nHost: x\r\nA : c\r\n\r\n',
  'no colon': 'GET / HTTP/1.1\r\nHost: x\r\nAbc\r\n\r\n',
  'only line feeds': 'GET / HTTP/1.1\nHost: x\nA: b\n\n',
  'line feed at the end': 'GET / HTTP/1.1\r\nHost: x\r\n\n',
  'carriage return in a value': 'GET / HTTP/1.1\r\nHost: x\rA: b\r\n\r\n',
  'carriage return after the first line': 'GET / HTTP/1.1\rHost: x\r\n\r\n',
  'folded': 'GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\nB: d\r\n\t e  \r\n  f\r\n\r\n',
  'folded, empty': 'GET / HTTP/1.1\r\nHost: x\r\nA:\r\n b\r\n\r\n',
  'folded, first': 'GET / HTTP/1.1\r\n Host: x\r\nB: y\r\n\r\n',
  'folded with line feeds': 'GET / HTTP/1.1\r\nHost: x\r\nA: b\n c\r\n\r\n',
  'version 9.9': 'GET / HTTP/9.9\r\nHost: x\r\n\r\n',
  'version x': 'GET / HTTP/1.x\r\nHost: x\r\n\r\n',
  'encoding and length': `${POST}Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n3\r\nabc\r\n0\r\n\r\n`,
  'length and encoding': `${POST}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`,
  'chunked twice': `${POST}Transfer-Encoding: chunked, chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`,
  'chunked in two fields': `${POST}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`,
  'two lengths': `${POST}Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc`,
  'bad length': `${POST}Content-Length: +3\r\n\r\nabc`,
  'folded length': `${POST}Content-Length:\r\n 3\r\n\r\nabc`,
  'line feed after size': `${CHUNKED}3\nabc\r\n0\r\n\r\n`,
  'line feed after data': `${CHUNKED}3\r\nabc\n0\r\n\r\n`,
  'nothing after data': `${CHUNKED}3\r\nabc0\r\n\r\n`,
  'carriage return after size': `${CHUNKED}3\rabc\r\n0\r\n\r\n`,
  'carriage return after data': `${CHUNKED}3\r\nabc\r0\r\n\r\n`,
  'blanks after size': `${CHUNKED}3 \t\r\nabc\r\n0 ;x=y\r\n\r\n`,
  'blank before size': `${CHUNKED} 3\r\nabc\r\n0\r\n\r\n`,
  'extension with line feed': `${CHUNKED}3;a\nabc\r\n0\r\n\r\n`,
  'control character in extension': `${CHUNKED}3;a\x01\r\nabc\r\n0\r\n\r\n`,
  'bad size': `${CHUNKED}3x\r\nabc\r\n0\r\n\r\n`,
  'trailers': `${CHUNKED}3\r\nabc\r\n0\r\nT: a\x01\r\n b\r\nContent-Length: 3\n\r\n`,
  'line feeds around trailers': `${CHUNKED}3\r\nabc\r\n0\r\nT: a\n\n`,
  'after the last request': 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\n',
  'empty lines first': '\r\n\n\rGET / HTTP/1.1\r\nHost: x\r\n\r\n',
  ...Object.fromEntries(
    [';a(b', ';a="b c"', ';a=(b', '; a=b', ';a =b', ';a= b', ';', ';=b', ';a=', ';a="b"c', ';a="b";c=d', ';a="\\\x01"', ';"a"', ';;a', ';a\x80', ';a="\x80"'].map(
      (extension) => [`extension ${JSON.stringify(extension)}`, `${CHUNKED}3${extension}\r\nabc\r\n0\r\n\r\n`],
    ),
  ),
  'bad method': 'GETX / HTTP/1.1\r\nHost: x\r\n\r\n',
};
const LENGTH = 'Content-Length: 2\r\n\r\nok';
const responses = {
  'plain': `HTTP/1.1 200 OK\r\n${LENGTH}`,
  'control character': `HTTP/1.1 200 OK\r\nA: b\x01c\r\n${LENGTH}`,
  'only line feeds': 'HTTP/1.1 200 OK\nContent-Length: 2\n\nok',
  'no reason': `HTTP/1.1 200\n${LENGTH}`,
  'carriage return after reason': `HTTP/1.1 200 OK\r${LENGTH}`,
  'encoding and length': `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n2\r\nok\r\n0\r\n\r\n`,
  'chunked is not last': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, gzip\r\n\r\nok',
  'version 3.0': `HTTP/3.0 200 OK\r\n${LENGTH}`,
  'folded': `HTTP/1.1 200 OK\r\nA: b\r\n c\r\n${LENGTH}`,
  'two lengths': `HTTP/1.1 200 OK\r\nContent-Length: 2\r\n${LENGTH}`,
  'blanks after size': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2 \r\nok\r\n0\r\n\r\n',
  'nothing after data': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok0\r\n\r\n',
};

async function send(socket, text, isSplit) {
  const bytes = Buffer.from(text, 'latin1');
  for (let at = 0; isSplit && at < bytes.length && !socket.destroyed; at++) {
    socket.write(bytes.subarray(at, at + 1));
    await new Promise(setImmediate);
  }
  if (!isSplit) socket.write(bytes);
  socket.end();
}

async function serve(text, insecureHTTPParser, isSplit) {
  const seen = [];
  const server = http.createServer({ insecureHTTPParser, requireHostHeader: false }, async (request, response) => {
    request.on('error', () => {});
    const parts = await request.toArray().catch(() => undefined);
    if (parts !== undefined) seen.push([request.url, request.httpVersion, request.rawHeaders, `${Buffer.concat(parts)}`, request.rawTrailers]);
    response.end();
  });
  server.on('clientError', (error, socket) => {
    seen.push(error.code);
    socket.destroy();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = net.connect(server.address().port, '127.0.0.1').on('error', () => {}).resume();
  const closed = new Promise((resolve) => socket.on('close', resolve));
  await once(socket, 'connect');
  await send(socket, text, isSplit);
  await closed;
  server.close();
  return JSON.stringify(seen);
}

async function request(text, insecureHTTPParser, isSplit) {
  const server = net.createServer((socket) => socket.on('error', () => {}).once('data', () => send(socket, text, isSplit)));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const result = await new Promise((resolve) => {
    const sent = http.get({ port: server.address().port, host: '127.0.0.1', agent: false, insecureHTTPParser });
    sent.on('error', (error) => resolve(error.code));
    sent.on('response', async (response) => {
      const parts = await response.toArray().catch((error) => [Buffer.from(error.code)]);
      resolve(JSON.stringify([response.statusCode, response.statusMessage, response.httpVersion, response.rawHeaders, `${Buffer.concat(parts)}`]));
    });
  });
  server.close();
  return result;
}

(async () => {
  for (const insecure of [false, true]) {
    for (const isSplit of [false, true]) {
      const mode = `${insecure ? 'insecure' : 'strict'}, ${isSplit ? 'split' : 'whole'}`;
      for (const [name, text] of Object.entries(requests)) {
        if (name === 'folded length' && !insecure) continue; // rt reports the empty length before it sees the next line
        console.log(mode, name, await serve(text, insecure, isSplit));
      }
      for (const [name, text] of Object.entries(responses)) console.log(mode, name, await request(text, insecure, isSplit));
    }
  }
})();
