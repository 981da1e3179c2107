// Requests and responses over real connections: bodies, keep-alive, pipelining, trailers, expectations, upgrades, ends.
const print = (...args) => process.stdout.write(`${require('node:util').format(...args)}\n`);
const http = require('node:http');
const net = require('node:net');
const { once } = require('node:events');

const listen = async (...args) => {
  const server = http.createServer(...args);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
};
const masked = (text) => text.replace(/Date: [^\r]*\r\n/g, '').replace(/127\.0\.0\.1:\d+/g, 'HOST');
/** Everything that a server answers to the given bytes. */
const raw = (server, text, { end = false } = {}) => new Promise((resolve) => {
  const socket = net.connect(server.address().port, '127.0.0.1');
  let all = '';
  socket.setEncoding('latin1');
  socket.on('data', (data) => { all += data; });
  socket.on('error', () => {});
  socket.on('close', () => resolve(masked(all)));
  socket.write(text, 'latin1');
  if (end) socket.end();
});
const ask = (server, options, body) => new Promise((resolve) => {
  const request = http.request({ port: server.address().port, host: '127.0.0.1', ...options }, (response) => {
    let text = '';
    response.setEncoding('utf8');
    response.on('data', (data) => { text += data; });
    response.on('end', () => resolve({ status: response.statusCode, message: response.statusMessage, headers: { ...response.headers, date: 0 }, text, trailers: response.trailers, version: response.httpVersion, complete: response.complete }));
    response.on('error', (error) => resolve({ aborted: error.code, message: error.message }));
  });
  request.on('error', (error) => resolve({ error: error.code, message: error.message }));
  request.end(body);
});

(async () => {
  const echo = await listen((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      response.setHeader('X-Method', request.method);
      if (request.url === '/write') {
        response.write('one ');
        response.write('two');
        response.end();
      } else if (request.url === '/204') {
        response.writeHead(204);
        response.end('ignored');
      } else if (request.url === '/304') {
        response.statusCode = 304;
        response.end();
      } else if (request.url === '/trailers') {
        response.writeHead(200, { Trailer: 'X-T' });
        response.write('body');
        response.addTrailers({ 'X-T': 'tail' });
        response.end();
      } else if (request.url === '/early') {
        response.writeEarlyHints({ link: '</a.css>; rel=preload' });
        response.writeContinue();
        response.writeProcessing();
        response.end('late');
      } else if (request.url === '/length') {
        response.setHeader('Content-Length', 3);
        response.end('abc');
      } else if (request.url === '/array') {
        response.writeHead(200, ['A', '1', 'B', '2', 'A', '3']);
        response.end('x');
      } else {
        response.end(JSON.stringify([request.url, request.rawHeaders.length, `${Buffer.concat(chunks)}`, request.trailers]));
      }
    });
  });
  for (const path of ['/', '/write', '/204', '/304', '/trailers', '/early', '/length', '/array']) print(path, await ask(echo, { path }));
  print(await ask(echo, { method: 'POST', path: '/post' }, 'body é'));
  print(await ask(echo, { method: 'HEAD', path: '/write' }));
  print(await ask(echo, { method: 'DELETE', path: '/d' }, 'with body'));
  print(await raw(echo, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'));
  print(await raw(echo, 'GET / HTTP/1.0\r\n\r\n'));
  print(await raw(echo, 'GET / HTTP/1.1\r\n\r\n', { end: true }));
  print(await raw(echo, 'GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\nGET /3 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'));
  print(await raw(echo, 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nX-T: v\r\n\r\n'));
  print(await raw(echo, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\nConnection: close\r\n\r\nab'));
  print(await raw(echo, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: nonsense\r\nConnection: close\r\n\r\nab'));
  for (const bad of [
    'NONSENSE\r\n\r\n', 'GET / HTTP/1.1\r\nHost: a\r\nA b: c\r\n\r\n', 'GET / HTTP/1.1\r\nHost : a\r\n\r\n', 'GET / HTTP/1.1\nHost: a\n\n',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
    'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', 'GET / HTTP/1.1\r\nHost: a\r\nX: \x01\r\n\r\n', 'GET / HTTP/1.1\r\nHost: a\r\nX: 1\r\n 2\r\n\r\n',
    `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20000)}\r\n\r\n`, 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n',
  ]) print(JSON.stringify(bad.slice(0, 60)), JSON.stringify(await raw(echo, bad)));
  echo.on('clientError', (error, socket) => {
    print('clientError', error.code, error.message, error.reason, typeof error.bytesParsed, Buffer.isBuffer(error.rawPacket));
    socket.end('HTTP/1.1 400 Mine\r\n\r\n');
  });
  print(JSON.stringify(await raw(echo, 'BAD\r\n\r\n')));

  // Upgrades and CONNECT.
  echo.on('upgrade', (request, socket, head) => {
    print('upgrade', request.headers.upgrade, `${head}`);
    socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nraw');
  });
  print(JSON.stringify(await raw(echo, 'GET /u HTTP/1.1\r\nHost: a\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nhead')));
  print(JSON.stringify(await raw(echo, 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n')));
  echo.on('connect', (request, socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
  print(JSON.stringify(await raw(echo, 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n')));
  await new Promise((resolve) => {
    http.request({ port: echo.address().port, host: '127.0.0.1', headers: { Connection: 'Upgrade', Upgrade: 'x' } }).on('upgrade', (response, socket, head) => {
      print('client upgrade', response.statusCode, response.headers.upgrade, `${head}`);
      socket.destroy();
      resolve();
    }).end();
  });
  await new Promise((resolve) => {
    http.request({ port: echo.address().port, host: '127.0.0.1', method: 'CONNECT', path: 'a:1' }).on('connect', (response, socket) => {
      print('client connect', response.statusCode);
      socket.destroy();
      resolve();
    }).end();
  });

  // Clients against misbehaving servers.
  const bare = net.createServer((socket) => socket.once('data', (data) => {
    const path = `${data}`.split(' ')[1];
    const answers = {
      '/garbage': 'nonsense\r\n\r\n', '/cut': 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc', '/none': '', '/close': 'HTTP/1.1 200 OK\r\n\r\nuntil the end',
      '/both': 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', '/continue': 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nA: b\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
      '/chunk': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxx', '/reason': 'HTTP/1.1 299 Some Reason\r\nContent-Length: 0\r\n\r\n', '/noreason': 'HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n', '/old': 'HTTP/1.0 200 OK\r\n\r\nold',
    };
    socket.end(answers[path]);
  }));
  bare.listen(0, '127.0.0.1');
  await once(bare, 'listening');
  for (const path of ['/garbage', '/cut', '/none', '/close', '/both', '/continue', '/chunk', '/reason', '/noreason', '/old']) print(path, await ask(bare, { path }));
  print(await ask({ address: () => ({ port: 1 }) }, { path: '/' }));
  bare.close();

  // Destroying, aborting, timeouts.
  const quiet = await listen(() => {});
  const reported = (options, act) => new Promise((resolve) => {
    const events = [];
    const request = http.get({ port: quiet.address().port, host: '127.0.0.1', ...options });
    for (const name of ['socket', 'abort', 'timeout', 'error', 'close', 'finish']) request.on(name, (value) => events.push(name === 'error' ? `${name}:${value.code}:${value.message}` : name));
    if (act) request.on('finish', () => act(request));
    request.on('close', () => resolve([events.join(), request.destroyed, request.aborted]));
    request.on('timeout', () => request.destroy());
  });
  print(await reported({}, (request) => request.destroy()));
  print(await reported({}, (request) => request.destroy(new Error('mine'))));
  print(await reported({}, (request) => request.abort()));
  print(await reported({ timeout: 20 }));
  print(await reported({ signal: AbortSignal.abort() }));
  quiet.closeAllConnections();
  quiet.close();

  // Agents that keep a limited number of connections.
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const counted = await listen((request, response) => response.end(`${request.socket.remotePort}`));
  const ports = await Promise.all([1, 2, 3].map(() => ask(counted, { agent })));
  print(new Set(ports.map(({ text }) => text)).size, ports[0].headers.connection, Object.keys(agent.freeSockets).length, Object.keys(agent.sockets).length, Object.keys(agent.requests).length);
  agent.destroy();
  counted.close(() => print('counted closed'));
  echo.close(() => print('echo closed'));
  echo.closeAllConnections();
})();
