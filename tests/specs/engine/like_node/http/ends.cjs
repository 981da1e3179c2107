// Abandoned requests, timeouts, agents with and without keep-alive, data after a response, legacy subclasses, headers
// outside ASCII, and the state after a malformed request.
const http = require('node:http');
const net = require('node:net');
const { once } = require('node:events');
const { inherits } = require('node:util');

const print = (...args) => console.log(args.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join(' '));
const listen = async (server) => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server.address().port;
};
const story = (request) => {
  const reported = [];
  for (const event of ['abort', 'error', 'close', 'response', 'timeout']) request.on(event, (value) => reported.push(event === 'error' ? `error ${value.code ?? value.message}` : event));
  return new Promise((resolve) => { request.once('close', () => setImmediate(() => resolve(reported.join(', ')))); });
};

(async () => {
  const server = http.createServer((request, response) => {
    if (request.url === '/wait') response.flushHeaders();
    else if (request.url === '/name') { response.writeHead(200, ['content-disposition', Buffer.from('bår').toString('latin1'), 'x', 'å']); response.end('hé'); }
    else response.end('ok');
  });
  const port = await listen(server);
  const at = (path, more) => ({ port, host: '127.0.0.1', path, ...more });

  const early = http.get(at('/'));
  const earlyStory = story(early);
  early.abort();
  print('aborted before there is a connection:', await earlyStory);
  const destroyed = http.get(at('/'));
  const destroyedStory = story(destroyed);
  destroyed.destroy();
  print('destroyed before there is a connection:', await destroyedStory);
  const wrong = http.get(at('/'));
  const wrongStory = story(wrong);
  wrong.destroy(new Error('mine'));
  print('destroyed with an error:', await wrongStory);
  const oops = http.get({ createConnection() { const socket = new net.Socket(); process.nextTick(() => socket.destroy(new Error('Oops'))); return socket; } });
  const oopsStory = story(oops);
  oops.abort();
  print('a connection that fails first:', await oopsStory);

  await new Promise((resolve) => {
    http.get(at('/wait'), (response) => {
      response.setTimeout(10);
      response.on('timeout', () => { print('the response is told of the silence'); response.destroy(); resolve(); });
      response.on('error', () => {});
    }).on('error', () => {});
  });

  const few = new http.Agent({ maxSockets: 1 });
  const keeping = await new Promise((resolve) => http.get(at('/', { agent: few }), (response) => { response.resume(); resolve(response.headers.connection); }));
  print('an agent with few connections:', keeping);
  const total = new http.Agent({ keepAlive: true, maxTotalSockets: 1 });
  const other = http.createServer((request, response) => response.end('other'));
  const otherPort = await listen(other);
  const both = [];
  for (let i = 0; i < 4; i++) both.push(new Promise((resolve) => http.get({ port: i % 2 ? port : otherPort, host: '127.0.0.1', agent: total }, (response) => { let text = ''; response.on('data', (part) => { text += part; }); response.on('end', () => resolve(text)); })));
  print('one connection for two places:', await Promise.all(both));
  total.destroy();
  other.close();

  const extra = net.createServer((socket) => { socket.on('error', () => {}); socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi and more')); });
  const extraPort = await listen(extra);
  const more = http.get({ port: extraPort, host: '127.0.0.1', agent: false }, (response) => response.resume());
  print('an answer with more behind it:', (await story(more)).includes('error HPE_'));
  extra.close();

  function Old(listener) { http.Server.call(this, listener); this.isOld = true; }
  inherits(Old, http.Server);
  const old = new Old((request, response) => response.end('from an older subclass'));
  const oldPort = await listen(old);
  print(old.isOld, old instanceof http.Server, await (await fetch(`http://127.0.0.1:${oldPort}`)).text());
  old.close();

  const bytes = await new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    const parts = [];
    socket.on('data', (part) => parts.push(part));
    socket.on('end', () => resolve(Buffer.concat(parts).toString('latin1').replace(/Date: .*\r\n/, '')));
    socket.write('GET /name HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  });
  print(bytes);
  const noHost = await new Promise((resolve) => http.get(at('/', { headers: [] }), (response) => { response.resume(); resolve(response.statusCode); }));
  print('headers as a list, and no Host in it:', noHost);
  server.once('connection', (socket) => socket.on('error', (error) => print('the connection is told:', error.code)));
  const bad = net.connect(port, '127.0.0.1');
  bad.write('NO GOOD\r\n\r\n');
  print(String(await once(bad, 'data')));
  server.closeAllConnections();
  server.close();
})();
