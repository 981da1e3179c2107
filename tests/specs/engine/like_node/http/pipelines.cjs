// Unusual peers of node:http: two responses to one request, header blocks that arrive in pieces behind others, chunk
// extensions; and the resulting performance entries.
const http = require('node:http');
const net = require('node:net');
const { once } = require('node:events');
const { PerformanceObserver } = require('node:perf_hooks');

const print = (...values) => console.log(...values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))));
async function serve(options, listener) {
  const server = http.createServer(options, listener).listen(0);
  await once(server, 'listening');
  return server;
}
/** What a server answers to `pieces`, until it closes or has sent `answers` responses. */
function exchange(server, pieces, isDone = () => false) {
  return new Promise((resolve) => {
    const socket = net.connect(server.address().port);
    let said = '';
    socket.setEncoding('latin1');
    socket.on('data', (text) => {
      said += text.replaceAll(/Date: [^\r]*\r\n/g, '');
      if (isDone(said)) socket.end();
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(said.replaceAll('\r\n', '|')));
    for (const piece of pieces) socket.write(piece);
  });
}

async function twoAnswers() {
  const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello';
  const server = net.createServer((socket) => socket.once('data', () => socket.end(answer + answer)).on('error', () => {}));
  await once(server.listen(0), 'listening');
  const events = [];
  const request = http.get({ port: server.address().port }, (response) => {
    response.setEncoding('utf8');
    for (const event of ['data', 'end', 'aborted', 'error']) response.on(event, (value) => events.push(`${event} ${value ?? ''}`));
  });
  request.on('error', (error) => events.push(error.code));
  await once(request, 'close');
  server.close();
  print('two answers', events);
}

async function late() {
  for (const limit of ['headersTimeout', 'requestTimeout']) {
    const times = { headersTimeout: 0, requestTimeout: 0, [limit]: 200 };
    const server = await serve({ ...times, keepAliveTimeout: 0, connectionsCheckingInterval: 50 }, (request, response) => response.end());
    const whole = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
    const said = await exchange(server, [`${whole}GET / HTTP/1.1\r\nHost: `]);
    print(limit, said);
    server.close();
  }
}

async function chunks() {
  const server = await serve({}, (request, response) => request.resume().on('end', () => response.end('read')));
  const head = 'POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n';
  const extended = (size) => `2;${'a'.repeat(size)}=1\r\nab\r\n`;
  print('small ones', await exchange(server, [head, extended(10_000), extended(10_000), '0\r\n\r\n']));
  print('a large one', await exchange(server, [head, extended(17_000), '0\r\n\r\n']));
  print('quoted', await exchange(server, [head, '2;a="b;\\"c"\r\nab\r\n0\r\n\r\n']));
  print('a line in quotes', await exchange(server, [head, '2;a="b\r\nab\r\n0\r\n\r\n']));
  print('a blank', await exchange(server, [head, '2 \r\nab\r\n0\r\n\r\n']));
  server.close();
}

async function wrongMethods() {
  const server = await serve({}, (request, response) => response.end());
  const reported = [];
  server.on('clientError', (error, socket) => {
    reported.push([error.code, error.reason, error.bytesParsed]);
    socket.destroy();
  });
  for (const line of ['FOO /', 'Oops', 'GEX / ', 'GETT / ', 'PAX /', 'get /', 'GET\t/', '\x16\x03\x01', 'GET / HTTP/1.1\r\n A: b'])
    await exchange(server, [`${line}\r\n`]);
  print(reported);
  server.close();
}

async function withoutBody() {
  const server = await serve({ optimizeEmptyRequests: true }, (request, response) => {
    response.end(`${request._dumped} ${request.readableEnded} ${request.destroyed}`);
  });
  for (const lines of ['', 'Content-Length: 0\r\n', 'Transfer-Encoding: chunked\r\n']) {
    const body = lines.startsWith('T') ? '0\r\n\r\n' : '';
    print(await exchange(server, [`POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${lines}\r\n${body}`]));
  }
  server.close();
}

async function measured() {
  const entries = [];
  const observer = new PerformanceObserver((list) => entries.push(...list.getEntries()));
  observer.observe({ entryTypes: ['http', 'net'] });
  const server = await serve({}, (request, response) => response.writeHead(201, { 'x-a': '1' }).end('b'));
  const [response] = await once(http.get({ port: server.address().port, path: '/p', agent: false }), 'response');
  await once(response.resume(), 'end');
  server.close();
  await new Promise((resolve) => setTimeout(resolve, 50));
  for (const { name, entryType, detail, duration } of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    print(name, entryType, duration > 0, detail.req?.method, detail.res?.statusCode, detail.res?.statusMessage, detail.res?.headers['x-a']);
    print(Object.keys(detail), detail.req && Object.keys(detail.req));
  }
}

(async () => {
  await twoAnswers();
  await late();
  await chunks();
  await wrongMethods();
  await withoutBody();
  await measured();
})();
