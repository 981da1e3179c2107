// Limits between HTTP/2 peers and the errors that the program sees: protocol violations, oversized or split header
// blocks, unsolicited ping acknowledgements, endless settings, ends before everything was sent, async contexts.
const http2 = require('node:http2');
const net = require('node:net');
const { once } = require('node:events');
const { AsyncLocalStorage } = require('node:async_hooks');

const print = (...values) => console.log(...values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))));
const serve = async (options, setUp) => {
  const server = http2.createServer(options);
  setUp(server);
  server.listen(0);
  await once(server, 'listening');
  return server;
};
function frame(type, flags, id, payload = Buffer.alloc(0)) {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(id, 5);
  return Buffer.concat([head, payload]);
}
/** Sends `frames` to a server; returns what its session reports, and its GOAWAY. */
async function raw(options, frames) {
  const noted = [];
  const server = await serve(options, (made) => {
    made.on('stream', (stream) => stream.respond());
    made.on('sessionError', (error) => noted.push(error.code, error.errno, error.message));
  });
  const socket = net.connect(server.address().port).on('error', () => {});
  socket.write(Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame(4, 0, 0), ...frames]));
  const codes = [];
  let arrived = Buffer.alloc(0);
  socket.on('data', (bytes) => (arrived = Buffer.concat([arrived, bytes])));
  await once(socket, 'close');
  for (let at = 0; at + 9 <= arrived.length; at += 9 + arrived.readUIntBE(at, 3)) {
    if (arrived[at + 3] === 7) codes.push(arrived.readUInt32BE(at + 13));
  }
  server.close();
  return [noted, codes];
}

async function invalid() {
  const bad = Array.from({ length: 9 }, (_, index) => frame(1, 5, 2 * index + 1, Buffer.from([0x88])));
  print('bad heads', await raw({ maxSessionInvalidFrames: 3 }, bad));
  print('a ping that nobody asked for', (await raw({}, [frame(6, 1, 0, Buffer.alloc(8))]))[0]);
}

/** Frames without effect: a burst of them is accepted, a flood ends the session. */
async function idle() {
  const kinds = {
    PRIORITY: frame(2, 0, 1, Buffer.from([0, 0, 0, 0, 16])),
    unknown: frame(0x77, 0, 0),
    'unknown, of a stream': frame(0x77, 0, 1, Buffer.alloc(3)),
  };
  const goodbye = frame(7, 0, 0, Buffer.alloc(8));
  for (const [name, one] of Object.entries(kinds))
    for (const count of [9_000, 20_000]) {
      const [noted, codes] = await raw({}, [...Array(count).fill(one), goodbye]);
      print(name, count, noted, codes.at(-1));
    }
}

async function ask(server, headers, options) {
  const client = http2.connect(`http://localhost:${server.address().port}`, options);
  client.on('error', (error) => print('session', error.code));
  const request = client.request(headers);
  const events = [];
  request.on('frameError', (type, code) => events.push(`frameError ${type} ${code}`));
  request.on('response', (given, flags) => events.push(given[':status'], flags, given.bad ?? '', given.good ?? ''));
  request.on('error', (error) => events.push(error.code, error.message));
  let size = 0;
  request.on('data', (bytes) => (size += bytes.length));
  await once(request, 'close').catch(() => {});
  client.close();
  return [...events, size];
}

async function answers() {
  const body = Buffer.alloc(200_000, 'x');
  const server = await serve({}, (made) => {
    made.on('stream', (stream, headers) => {
      stream.on('error', () => {});
      const path = headers[':path'];
      if (path === '/close') {
        stream.respond();
        stream.write(body);
        stream.write(body);
        stream.end();
        stream.close();
      } else if (path === '/split') {
        stream.respond({ bad: 'a\r\nb: c', good: 'yes' });
        stream.end('ok');
      } else if (path === '/wide') {
        stream.respond({ good: 'caf\u00e9' });
        stream.end();
      } else if (path === '/file') {
        stream.respondWithFile(__filename, { ':method': 'GET' });
      } else if (path === '/list') {
        stream.respond(['x', '1', 'good', 'g', 'x', '2']);
        stream.end(JSON.stringify(stream.sentHeaders.x));
      } else stream.respond({}, { endStream: true });
    });
  });
  for (const path of ['/close', '/split', '/wide', '/file', '/list']) print(path, await ask(server, { ':path': path }));
  print('a head too large', await ask(server, {}, { maxSendHeaderBlockLength: 10 }));
  print('a path that is none', await ask(server, { ':path': '/a b\r\n' }));
  server.close();
}

async function compat() {
  const server = await serve({}, (made) => {
    made.on('request', (request, response) => {
      request.on('error', () => print('request heard'));
      response.on('error', () => print('response heard'));
      if (request.url === '/destroy') response.destroy(new Error('mine'));
      else {
        response.writeHead(200, { good: 'yes' });
        response.end('body', () => print('ended'));
      }
    });
  });
  print('HEAD', await ask(server, { ':method': 'HEAD' }));
  print('destroyed', await ask(server, { ':path': '/destroy' }));
  server.close();
}

async function settings() {
  const server = await serve({}, () => {});
  const client = http2.connect(`http://localhost:${server.address().port}`, { maxOutstandingSettings: 2 });
  client.on('error', (error) => print(error.code, error.message, client.closed, client.destroyed));
  await once(client, 'connect');
  for (let index = 0; index < 3 && !client.destroyed; index++) client.settings({ enablePush: false });
  await new Promise((resolve) => client.once('close', resolve));
  const unused = http2.connect(`http://localhost:${server.address().port}`);
  unused.on('connect', () => print('connected'));
  unused.close(() => print('closed', unused.closed, unused.destroyed));
  await once(unused, 'close');
  server.close();
}

async function contexts() {
  const storage = new AsyncLocalStorage();
  const server = await serve({}, (made) => made.on('stream', (stream) => stream.end('data')));
  const client = storage.run('session', () => http2.connect(`http://localhost:${server.address().port}`));
  const one = (name) =>
    storage.run(name, () => {
      const request = client.request();
      const seen = [];
      for (const event of ['response', 'data', 'end']) request.on(event, () => seen.push(storage.getStore()));
      return new Promise((resolve) => request.on('close', () => resolve(seen)));
    });
  print(await Promise.all([one('a'), one('b')]));
  client.close();
  server.close();
}

/** Both sides close once nothing is pending; no response is lost and no connection error is reported. */
async function ends() {
  const said = new Set();
  for (let round = 0; round < 20; round++) {
    const server = await serve({}, (made) => {
      made.on('stream', (stream) => {
        stream.pushStream({ ':path': '/pushed' }, (error, pushed) => {
          pushed.respond();
          pushed.end('pushed');
          stream.end('answer');
        });
        stream.respond();
        made.close();
      });
    });
    const client = http2.connect(`http://localhost:${server.address().port}`);
    client.on('error', (error) => said.add(error.code));
    client.on('stream', (stream) => {
      client.close();
      stream.on('error', (error) => said.add(error.message));
      stream.destroy(new Error('unwanted'));
    });
    const request = client.request().setEncoding('utf8');
    request.on('error', (error) => said.add(error.code));
    request.on('data', (text) => said.add(text));
    await new Promise((resolve) => client.on('close', resolve));
  }
  print([...said].sort());
}

/** A request whose body is never read still ends. */
async function unread() {
  const events = [];
  const server = await serve({}, (made) => {
    made.on('request', (request, response) => {
      request.on('end', () => events.push('end'));
      response.end();
    });
  });
  await ask(server, { ':method': 'HEAD' });
  await new Promise((resolve) => setTimeout(resolve, 50));
  print(events);
  server.close();
}

(async () => {
  await invalid();
  await idle();
  await answers();
  await compat();
  await settings();
  await contexts();
  await ends();
  await unread();
})();
