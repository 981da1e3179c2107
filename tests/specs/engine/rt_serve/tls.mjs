// RT.serve over TLS: errors in certificates and other options, names, protocols, versions, client certificates, clients that do
// not speak TLS, large bodies and slow readers, files, streams, half-closed sockets, web sockets.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import net from 'node:net';
import tls from 'node:tls';
import identity from '../tls_identity.cjs';
import other from '../tls_identity_other.cjs';

const { cert, key } = identity;
const untrusting = { tls: { rejectUnauthorized: false } };
const closed = (socket) => new Promise((resolve) => { socket.on('error', () => {}).on('close', resolve); });
const show = (...values) => console.log(...values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))));

// --- options: each error states its location
writeFileSync('key.pem', key);
writeFileSync('cert.pem', cert);
writeFileSync('text.txt', 'no PEM');
async function serving(name, given) {
  let server;
  try {
    server = RT.serve({ port: 0, fetch: () => new Response('ok'), tls: given });
  } catch ({ name: kind, code, message }) {
    return show(name, kind, code, message);
  }
  show(name, server.protocol, await fetch(server.url, untrusting).then((answer) => answer.text(), () => 'fails'));
  await server.stop(true);
}
const options = {
  'texts': { key, cert },
  'files': { key: RT.file('key.pem'), cert: [RT.file('cert.pem')] },
  'paths': { keyFile: 'key.pem', certFile: 'cert.pem', caFile: 'cert.pem' },
  'bytes': { key: new TextEncoder().encode(key).buffer, cert: Buffer.from(cert) },
  'a locked key': { key: other.lockedKey, cert: other.cert, passphrase: 'secret' },
  'a wrong passphrase': { key: other.lockedKey, cert: other.cert, passphrase: 'other' },
  'no passphrase': { key: other.lockedKey, cert: other.cert },
  'no certificate': { key },
  'no key': { cert },
  'a bad key': { key: 'x', cert },
  'a bad certificate': { key, cert: 'x' },
  'a bad file': { key: RT.file('text.txt'), cert },
  'bad authorities': { key, cert, ca: ['x'] },
  'empty texts': { key: '', cert: '' },
  "another's key": { key: other.key, cert: other.cert + cert, ca: cert },
  'a key that does not fit': { keyFile: 'key.pem', cert: other.cert },
  'a missing keyFile': { keyFile: 'none.pem', cert },
  'a missing certFile': { key, certFile: 'none.pem' },
  'a missing caFile': { key, cert, caFile: 'none.pem' },
  'a missing file': { key: RT.file('none.pem'), cert },
  'a missing dhParamsFile': { key, cert, dhParamsFile: 'none.pem' },
  'a bad dhParamsFile': { key, cert, dhParamsFile: 'text.txt' },
  'ciphers': { key, cert, ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256:TLS_AES_128_GCM_SHA256' },
  'bad ciphers': { key, cert, ciphers: 'NONE-OF-THEM' },
  'a version': { key, cert, minVersion: 0x304 },
  'a bad version': { key, cert, minVersion: 7 },
  'a bad name of a version': { key, cert, minVersion: 'TLS 4' },
  'nulls': { key, cert, ca: null, passphrase: null, ciphers: null, serverName: null, requestCert: null, ALPNProtocols: null },
  'a list': [{ key, cert }, { key: other.key, cert: other.cert, serverName: 'other.test' }],
  'a list without a name': [{ key, cert }, { key: other.key, cert: other.cert }],
  'a list with a bad key': [{ key, cert }, { key: 'x', cert: other.cert, serverName: 'other.test' }],
  'a list of nothing': [null],
  'a number': 1,
  'nothing': {},
};
for (const [name, given] of Object.entries(options)) await serving(name, given);
for (const name of ['key', 'cert', 'ca', 'keyFile', 'passphrase', 'ciphers', 'serverName', 'dhParamsFile', 'secureOptions', 'requestCert', 'rejectUnauthorized', 'ALPNProtocols', 'lowMemoryMode'])
  await serving(name, { key, cert, [name]: name === 'secureOptions' || name.startsWith('re') || name === 'lowMemoryMode' ? 'x' : 1 });

// --- results of a handshake
async function withServer(given, work, more) {
  const server = RT.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('ok'), tls: given, ...more });
  await work(server);
  await server.stop(true);
}
async function ask(port, given) {
  const socket = tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...given });
  let text = '';
  const reported = [];
  socket.on('error', ({ code }) => reported.push(code)).on('data', (bytes) => { text += bytes; });
  socket.on('secureConnect', () => {
    reported.push(socket.getPeerCertificate().subject.CN, `${socket.alpnProtocol}`, socket.getProtocol(), socket.isSessionReused());
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  });
  await closed(socket);
  return `${reported.join(' ')} ${text.endsWith('\r\n\r\nok') ? 'answered' : 'not answered'}`;
}
const named = [{ key, cert }, { key: other.key, cert: other.cert, serverName: 'other.test', maxVersion: 0x303 }, { key: other.key, cert: other.cert, serverName: '*.wild.test' }];
await withServer(named, async ({ port }) => {
  for (const servername of ['localhost', 'other.test', 'OTHER.test', 'x.wild.test', 'x.y.wild.test', 'wild.test', 'x.other.test']) show(servername, await ask(port, { servername }));
});
await withServer({ key, cert, serverName: 'a.test' }, async ({ port }) => {
  for (const ALPNProtocols of [undefined, ['http/1.1'], ['unknown'], ['unknown', 'http/1.1']]) show(ALPNProtocols, await ask(port, { ALPNProtocols }));
  for (const version of ['TLSv1.2', 'TLSv1.3']) show(version, await ask(port, { minVersion: version, maxVersion: version }));
});
await withServer({ key, cert, minVersion: 0x304 }, async ({ port }) => show('too old', await ask(port, { maxVersion: 'TLSv1.2' })));
await withServer({ key, cert, ciphers: 'ECDHE-ECDSA-AES256-GCM-SHA384' }, async ({ port }) => {
  for (const ciphers of ['ECDHE-ECDSA-AES256-GCM-SHA384', 'ECDHE-ECDSA-AES128-GCM-SHA256']) show(ciphers, await ask(port, { ciphers, maxVersion: 'TLSv1.2' }));
});
for (const rejectUnauthorized of [undefined, false]) {
  await withServer({ key, cert, ca: other.cert, requestCert: true, rejectUnauthorized }, async ({ port }) => {
    show('asked for a certificate:', rejectUnauthorized, 'none', await ask(port), 'known', await ask(port, { key: other.key, cert: other.cert }));
    show('refused if unknown', (await ask(port, { key, cert })).endsWith(' not answered'));
  });
}
// --- a rejected certificate ends the connection at once, whatever the client has already sent
{
  let handled = 0;
  const fetch = () => { handled++; return new Response('ok'); };
  const server = RT.serve({ port: 0, hostname: '127.0.0.1', idleTimeout: 0, fetch, tls: { key, cert, ca: other.cert, requestCert: true } });
  for (const maxVersion of ['TLSv1.2', 'TLSv1.3']) {
    const socket = tls.connect({ port: server.port, host: '127.0.0.1', rejectUnauthorized: false, key, cert, maxVersion }).resume();
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await closed(socket);
    show('a rejected certificate', maxVersion, handled, server.pendingRequests);
  }
  await server.stop(); // waits for open connections
  show('no connection is left');
}
// --- sessions are resumed, but a session without a client certificate is not resumed where one is required
await withServer({ key, cert }, async ({ port }) => {
  for (const maxVersion of ['TLSv1.2', 'TLSv1.3']) {
    let session;
    const first = tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false, maxVersion }).on('session', (made) => { session = made; }).resume();
    first.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    await closed(first);
    show('again', maxVersion, await ask(port, { session, maxVersion }));
  }
});
// --- clients that do not speak TLS, or send nothing
await withServer({ key, cert }, async ({ port, url }) => {
  for (const sent of ['GET / HTTP/1.1\r\nHost: a\r\n\r\n', '\0'.repeat(100), '\x16\x03\x01\x00\x05hello']) {
    const socket = net.connect(port, '127.0.0.1').on('error', () => {}).resume();
    socket.write(sent);
    await closed(socket);
  }
  const brief = net.connect(port, '127.0.0.1');
  brief.end();
  await closed(brief.resume());
  show('after those', await fetch(url, untrusting).then((answer) => answer.text()), await fetch(`http://127.0.0.1:${port}`).catch(({ name }) => name));
  show('not trusted', await fetch(url).catch(({ code }) => code));
});
await withServer({ key, cert }, async ({ port }) => {
  const silent = net.connect(port, '127.0.0.1').on('error', () => {}).resume();
  const half = tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false }).on('error', () => {}).resume();
  await Promise.all([closed(silent), closed(half)]);
  show('who says nothing goes');
}, { idleTimeout: 1 });

// --- data
const large = Buffer.alloc(5_000_000, 'abcdefghij');
writeFileSync('large.bin', large);
const digest = (bytes) => new RT.CryptoHasher('md5').update(bytes).digest('hex') === new RT.CryptoHasher('md5').update(large).digest('hex');
const traffic = {
  idleTimeout: 0,
  async fetch(request, server) {
    switch (new URL(request.url).pathname) {
      case '/ws': return server.upgrade(request) ? undefined : new Response('no', { status: 400 });
      case '/large': return new Response(large);
      case '/file': return new Response(RT.file('large.bin'));
      case '/slice': return new Response(RT.file('large.bin').slice(10, 200_010));
      case '/stream': return new Response((async function* () { for (let at = 0; at < large.length; at += 333_333) yield large.subarray(at, at + 333_333); })());
      case '/echo': return new Response(request.body);
      case '/size': return new Response(`${digest(await request.bytes())} ${JSON.stringify(Object.keys(server.requestIP(request)))} ${request.url.startsWith('https:')}`);
      default: return new Response('ok');
    }
  },
  websocket: { maxPayloadLength: 2 ** 24, backpressureLimit: 2 ** 24, message: (socket, message) => socket.send(message) },
};
for (const http2 of [false, true]) {
  await withServer({ key, cert }, async ({ url, port }) => {
    const get = async (path, init) => (await fetch(new URL(path, url), { ...untrusting, ...init })).bytes();
    for (const path of ['/large', '/file', '/stream']) show(http2, path, digest(await get(path)));
    show('/slice', (await get('/slice')).length);
    show('/echo', digest(await get('/echo', { method: 'POST', body: large })));
    show('/size', Buffer.from(await get('/size', { method: 'POST', body: large })).toString());
    const all = await Promise.all(Array.from({ length: 40 }, (_, index) => get(index % 2 ? '/size' : '/large', index % 2 ? { method: 'POST', body: large.subarray(0, index * 1000) } : {})));
    show('at once', all.filter((each) => digest(each)).length);
    // A client that reads slowly, and one that ends its side at once.
    for (const path of ['/large', '/file', '/stream']) {
      const socket = tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false, allowHalfOpen: true, highWaterMark: 1000 });
      socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      const parts = [];
      for await (const bytes of socket) {
        parts.push(bytes);
        if (parts.length % 10 === 0) await new Promise(setImmediate);
      }
      const whole = Buffer.concat(parts);
      show('slowly', path, path === '/stream' ? whole.length > large.length : digest(whole.subarray(whole.indexOf('\r\n\r\n') + 4)));
    }
    const half = tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false, allowHalfOpen: true });
    half.end('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    let got = '';
    for await (const bytes of half) got += bytes;
    show('ended', got.endsWith('ok'));
    const piped = tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
    piped.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(3) + 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\nGET /never HTTP/1.1\r\nHost: a\r\n\r\n');
    got = '';
    for await (const bytes of piped) got += bytes;
    show('one after the other', got.split('HTTP/1.1 200').length - 1);
    const socket = new WebSocket(new URL('/ws', url).href.replace('https', 'wss'), untrusting);
    socket.binaryType = 'nodebuffer';
    await once(socket, 'open');
    for (const message of ['a word', large]) {
      socket.send(message);
      const [{ data }] = await once(socket, 'message');
      show('said', typeof data === 'string' ? data : digest(data));
    }
    socket.close(1000);
    const [{ code }] = await once(socket, 'close');
    show(code);
  }, { ...traffic, http2 });
}
// --- a server at a path, one that reloads its handlers, one that stops while it answers
await withServer({ key, cert }, async (server) => {
  const request = await new Promise((resolve) => {
    const socket = tls.connect({ path: 's.sock', rejectUnauthorized: false }, () => socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'));
    let got = '';
    socket.on('data', (bytes) => { got += bytes; }).on('close', () => resolve(got));
  });
  show(server.url.protocol, request.split('\r\n\r\n')[1]);
  server.reload({ fetch: () => new Response('another'), tls: { key: 'x', cert: 'x' } });
  show(await fetch('https://localhost/', { unix: 's.sock', ...untrusting }).then((answer) => answer.text()));
}, { unix: 's.sock', port: undefined, hostname: undefined });
{
  let answer;
  const server = RT.serve({ port: 0, tls: { key, cert }, fetch: () => new Promise((resolve) => { answer = resolve; }) });
  const asked = fetch(server.url, untrusting);
  while (answer === undefined) await new Promise(setImmediate);
  const stopped = server.stop();
  answer(new Response('at last'));
  show(await (await asked).text());
  await stopped;
  show(await fetch(server.url, untrusting).catch(({ code }) => code));
}
process.exit();
