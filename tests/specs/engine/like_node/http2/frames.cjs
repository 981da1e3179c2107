// The frames that HTTP/2 sessions send, and their limits: padding, memory, floods, sessions that end before they start,
// pushes after an end, and performance entries.
const http2 = require('node:http2');
const net = require('node:net');
const fs = require('node:fs');
const { PerformanceObserver } = require('node:perf_hooks');
const { PADDING_STRATEGY_NONE, PADDING_STRATEGY_ALIGNED, PADDING_STRATEGY_MAX } = http2.constants;
const log = (...all) => console.log(...all);

const listening = (server) => new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address().port)));
const closed = (one) => new Promise((resolve) => one.close(resolve));

/** The type, flags, length and padding of each HEADERS and DATA frame on the wire. */
function framesOf(bytes, skipped) {
  const found = [];
  for (let at = skipped; at + 9 <= bytes.length; ) {
    const length = bytes.readUIntBE(at, 3);
    const [type, flags] = [bytes[at + 3], bytes[at + 4]];
    if (type < 2) found.push(`${type ? 'HEADERS' : 'DATA'} ${flags & 8 ? `padded by ${bytes[at + 9]}` : 'plain'} ${(length + 9) % 8} ${length}`);
    at += 9 + length;
  }
  return found;
}

/** Records what both sides report of one exchange over an observed wire. */
async function exchange(paddingStrategy, size) {
  const server = http2.createServer({ paddingStrategy });
  server.on('stream', (stream) => {
    stream.respond({ ':status': 200, 'content-type': 'text/plain' }, { sendDate: false });
    stream.end('x'.repeat(size));
  });
  const port = await listening(server);
  const came = [];
  const wire = net.createServer((socket) => {
    const on = net.connect(port, '127.0.0.1');
    socket.pipe(on);
    on.on('data', (data) => came.push(data)).pipe(socket);
    socket.on('error', () => {});
    on.on('error', () => {});
  });
  const client = http2.connect(`http://127.0.0.1:${await listening(wire)}`, { paddingStrategy });
  const body = await new Promise((resolve) => {
    let all = '';
    client.request({ ':path': '/' }).setEncoding('utf8').on('data', (data) => (all += data)).on('end', () => resolve(all));
  });
  await closed(client);
  await closed(wire);
  await closed(server);
  log(paddingStrategy, size, body === 'x'.repeat(size), framesOf(Buffer.concat(came), 0).filter((each) => each.startsWith('DATA')).join());
}

/**
 * Collects the performance entries of a session and its streams on both sides. Node occasionally loses an entry, so
 * exchanges repeat until all kinds have arrived.
 */
async function entries() {
  log('entries');
  const kinds = new Set();
  const observer = new PerformanceObserver((list) => {
    for (const { name, entryType, startTime, duration, detail } of list.getEntries()) {
      const members = [Object.keys(detail).sort().join(), detail.type, detail.streamCount, detail.maxConcurrentStreams, detail.id];
      kinds.add([name, entryType, typeof startTime, duration > 0, ...members].join(' '));
    }
  });
  observer.observe({ type: 'http2' });
  while (kinds.size < 3) {
    const server = http2.createServer((request, response) => response.end('hello'));
    const client = http2.connect(`http://127.0.0.1:${await listening(server)}`);
    await new Promise((resolve) => client.request({ ':path': '/' }).resume().on('close', resolve));
    await closed(client);
    await closed(server);
  }
  observer.disconnect();
  for (const kind of [...kinds].sort()) log(kind);
}

async function memory() {
  log('memory');
  const server = http2.createServer({ maxSessionMemory: 1 });
  server.on('stream', (stream) => {
    stream.on('error', () => {});
    stream.respond();
    stream.end(Buffer.alloc(2e6));
  });
  const client = http2.connect(`http://127.0.0.1:${await listening(server)}`);
  await new Promise((resolve) => {
    client.request().on('response', () => {
      const second = client.request();
      second.on('error', (error) => log('  ', error.code, error.message));
      second.on('close', resolve);
    });
  });
  client.destroy();
  await closed(server);
}

async function early() {
  log('an end before the beginning');
  const server = http2.createServer();
  const reported = new Promise((resolve) => {
    server.on('stream', (stream) => {
      stream.on('error', (error) => log('  server', error.code, error.message));
      stream.on('close', () => resolve(stream.rstCode));
    });
  });
  const client = http2.connect(`http://127.0.0.1:${await listening(server)}`);
  const request = client.request();
  request.on('response', () => log('  never'));
  request.on('end', () => log('  end'));
  request.on('error', (error) => log('  client', error.code, error.message));
  request.resume();
  request.close(1);
  log('  ', request.closed, request.rstCode, request.pending);
  const [code] = await Promise.all([reported, new Promise((resolve) => request.on('close', resolve))]);
  log('  ', code, request.destroyed, request.rstCode);
  await closed(client);
  await closed(server);
}

async function behindEnd() {
  log('behind an end');
  const server = http2.createServer();
  const fd = fs.openSync(__filename, 'r');
  server.on('stream', (stream, headers) => {
    if (headers[':path'] === '/file') {
      stream.respondWithFD(fd, { 'content-length': fs.fstatSync(fd).size });
      stream.end();
      return;
    }
    stream.respond();
    stream.end();
    stream.pushStream({ ':path': '/pushed' }, (error, pushed) => {
      log('  push', error);
      pushed.respond();
      pushed.end('pushed');
    });
  });
  const client = http2.connect(`http://127.0.0.1:${await listening(server)}`);
  const pushed = new Promise((resolve) => client.on('stream', (stream) => stream.on('data', (data) => log('  ', String(data))).on('close', resolve)));
  client.request({ ':path': '/' }).resume();
  await pushed;
  let size = 0;
  await new Promise((resolve) => client.request({ ':path': '/file' }).on('data', (data) => (size += data.length)).on('close', resolve));
  log('  file', size === fs.fstatSync(fd).size);
  await closed(client);
  await closed(server);
  fs.closeSync(fd);
}

async function flood(frame) {
  const server = http2.createServer();
  const ended = new Promise((resolve) => {
    server.on('session', (session) => {
      session.on('error', (error) => log('  ', error.code, error.errno, error.message));
      session.on('close', resolve);
    });
  });
  const socket = net.connect(await listening(server), '127.0.0.1');
  socket.on('error', () => {});
  const settings = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);
  socket.write(Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), settings, ...Array(200_000).fill(frame)]));
  await ended;
  socket.destroy();
  await closed(server);
}

(async () => {
  for (const strategy of [PADDING_STRATEGY_NONE, PADDING_STRATEGY_ALIGNED, PADDING_STRATEGY_MAX])
    for (const size of [1, 7, 21, 1000]) await exchange(strategy, size);
  await entries();
  await memory();
  await early();
  await behindEnd();
  log('floods');
  await flood(Buffer.from([0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]));
  await flood(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]));
})();
