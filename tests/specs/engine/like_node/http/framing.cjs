// The framing of requests: bodies in HTTP/1.0, bytes after CONNECT, and trailers that would frame the message once more.
const http = require('node:http');
const net = require('node:net');
const { once } = require('node:events');

const CHUNKED = 'Transfer-Encoding: chunked\r\n';
const BODY = '5\r\nhello\r\n0\r\n';
const REQUESTS = {
  'chunked, HTTP/1.0': `POST / HTTP/1.0\r\n${CHUNKED}\r\n${BODY}\r\n`,
  'chunked, HTTP/1.0, kept alive': `POST / HTTP/1.0\r\nConnection: keep-alive\r\n${CHUNKED}\r\n${BODY}\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n`,
  'chunked with a length, HTTP/1.0': `POST / HTTP/1.0\r\n${CHUNKED}Content-Length: 3\r\n\r\n${BODY}\r\n`,
  'a length, HTTP/1.0': 'POST / HTTP/1.0\r\nContent-Length: 3\r\n\r\nabc',
  'no length, HTTP/1.0': 'POST / HTTP/1.0\r\n\r\nabc',
  CONNECT: 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\nGET /after HTTP/1.1\r\nHost: x\r\n\r\n',
  'CONNECT with a length': 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabcGET / HTTP/1.1\r\nHost: b\r\n\r\n',
  'CONNECT, chunked': `CONNECT a:1 HTTP/1.1\r\nHost: a\r\n${CHUNKED}\r\n${BODY}\r\n`,
  'a trailer': `POST / HTTP/1.1\r\nHost: a\r\n${CHUNKED}\r\n${BODY}X-T: 1\r\n\r\n`,
};
for (const field of ['Content-Length: 7', 'content-length: 5', 'Content-Length: x', 'CONTENT-LENGTH: 7\r\nContent-Length: 8', 'Transfer-Encoding: gzip', 'X-T: 1\r\nTransfer-Encoding: chunked'])
  REQUESTS[`trailer ${field}`] = `POST / HTTP/1.1\r\nHost: a\r\n${CHUNKED}\r\n${BODY}${field}\r\n\r\n`;

async function ask(text, takesConnect) {
  const reported = [];
  const server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (data) => (body += data));
    request.on('error', () => {});
    request.on('end', () => {
      reported.push(request.method, request.httpVersion, body, request.trailers);
      response.end('ok');
    });
  });
  server.on('clientError', (error, socket) => {
    reported.push(error.code, error.reason);
    if (socket.writable) socket.end('HTTP/1.1 400 Bad\r\n\r\n');
  });
  if (takesConnect) {
    server.on('connect', (request, socket, head) => {
      reported.push(request.url, `${head}`);
      socket.end('HTTP/1.1 200 OK\r\n\r\nbye');
    });
  }
  server.listen(0);
  await once(server, 'listening');
  const socket = net.connect(server.address().port).on('error', () => {});
  let answer = '';
  socket.on('data', (data) => {
    answer += data;
    if (/\r\n\r\nok|bye/.test(answer)) socket.end();
  });
  socket.write(text);
  await once(socket, 'close');
  server.close();
  return [reported, answer.split('\r\n')[0]];
}

(async () => {
  for (const [name, text] of Object.entries(REQUESTS))
    for (const takesConnect of name.startsWith('CONNECT') ? [true, false] : [true])
      console.log(name, takesConnect, JSON.stringify(await ask(text, takesConnect)));
})();
