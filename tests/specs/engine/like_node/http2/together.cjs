// Many concurrent streams: bodies with sizes around those of a frame, a TLS record and a block, over a socket, TLS and
// a stream that is not a socket; header fields with every character; frames that arrive byte by byte.
const http2 = require('node:http2');
const net = require('node:net');
const { createHash } = require('node:crypto');
const { duplexPair } = require('node:stream');
const { once } = require('node:events');
const { key, cert } = require('../tls_identity.cjs');

const SIZES = [0, 1, 100, 4095, 4096, 4097, 16383, 16384, 16385, 65535, 65536, 65537, 300000];
const digest = (data) => createHash('sha256').update(data).digest('hex').slice(0, 12);
const bytes = (size) => Buffer.alloc(size, 'abcdefg').fill(size % 251, size >> 1);

function answer(request, response) {
  const size = Number(request.headers['x-size']);
  const hash = createHash('sha256');
  request.on('data', (part) => hash.update(part));
  request.on('end', () => {
    response.setHeader('x-got', hash.digest('hex').slice(0, 12));
    for (const [name, value] of Object.entries(request.headers)) if (name.startsWith('x-echo')) response.setHeader(name, value);
    if (size % 2 === 0) response.end(bytes(size));
    else {
      response.write(bytes(size).subarray(0, size >> 1));
      setImmediate(() => response.end(bytes(size).subarray(size >> 1)));
    }
  });
}
async function ask(client, size, headers = {}) {
  const stream = client.request({ ':method': 'POST', 'x-size': size, ...headers });
  stream.end(bytes(size));
  const parts = [];
  stream.on('data', (part) => parts.push(part));
  const [reported] = await once(stream, 'response');
  await once(stream, 'end');
  const all = Buffer.concat(parts);
  return [size, reported[':status'], reported['x-got'] === digest(bytes(size)), all.length, all.equals(bytes(size)), reported];
}
async function all(label, client) {
  for (const line of await Promise.all([...SIZES, ...SIZES].map((size) => ask(client, size)))) console.log(label, ...line.slice(0, 5));
}
const printable = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at)).join('');
const others = Array.from({ length: 95 }, (_, at) => String.fromCharCode(161 + at)).join('');

(async () => {
  const plain = http2.createServer(answer).listen(0, '127.0.0.1');
  await once(plain, 'listening');
  const client = http2.connect(`http://127.0.0.1:${plain.address().port}`);
  await all('socket', client);
  const echoed = { 'x-echo-all': printable, 'x-echo-more': others, 'x-echo-long': (printable + ' ').repeat(40).trim(), 'x-echo-short': '~', 'x-echo-none': '' };
  for (let turn = 0; turn < 3; turn++) {
    const { 5: reported } = await ask(client, 4, echoed);
    console.log(Object.keys(echoed).map((name) => reported[name] === echoed[name]));
  }
  client.close();

  // Replays a client's bytes one at a time.
  const recorded = [];
  const between = net.createServer((socket) => {
    const up = net.connect(plain.address().port, '127.0.0.1').setNoDelay();
    up.on('data', (part) => { for (let at = 0; at < part.length; at += 7) socket.write(part.subarray(at, at + 7)); });
    socket.on('data', (part) => { recorded.push(part.length); for (let at = 0; at < part.length; at++) up.write(part.subarray(at, at + 1)); });
    socket.on('close', () => up.destroy()).on('error', () => {});
    up.on('close', () => socket.destroy()).on('error', () => {});
  }).listen(0, '127.0.0.1');
  await once(between, 'listening');
  const slow = http2.connect(`http://127.0.0.1:${between.address().port}`);
  console.log('pieces', ...(await Promise.all([10, 300, 5000].map((size) => ask(slow, size)))).map((line) => line.slice(0, 5).join()));
  slow.close();
  between.close();

  const [left, right] = duplexPair();
  plain.emit('connection', right);
  const beside = http2.connect('http://localhost', { createConnection: () => left });
  await all('stream', beside);
  beside.close();

  const secure = http2.createSecureServer({ key, cert }, answer).listen(0, '127.0.0.1');
  await once(secure, 'listening');
  for (const maxVersion of ['TLSv1.2', 'TLSv1.3']) {
    const over = http2.connect(`https://127.0.0.1:${secure.address().port}`, { rejectUnauthorized: false, maxVersion });
    await all(maxVersion, over);
    over.close();
    await once(over, 'close');
  }
  secure.close();
  plain.close();
})();
