// Limits on bodies and time, backpressure, stop, ref, unix sockets, TLS with names, ports.
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { execFileSync, spawnSync } from 'node:child_process';
const show = (...values) => console.log(...values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))));
const text = async (url, init) => { const answer = await fetch(url, init); return `${answer.status} ${await answer.text()}`; };

// --- the body limit: declared by its length, and found while reading
{
  let read = 'nothing';
  const server = RT.serve({ port: 0, development: false, maxRequestBodySize: 10, async fetch(request) { read = await request.text().catch(({ code }) => code); return new Response(read); } });
  const url = server.url.href;
  show('fits', await text(url, { method: 'POST', body: 'x'.repeat(10) }));
  show('too long', await text(url, { method: 'POST', body: 'x'.repeat(11) }), read);
  const socket = net.connect(server.port, '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n12345678\r\n8\r\n12345678\r\n');
  let got = '';
  for await (const bytes of socket) got += bytes;
  show('too long in chunks', got.split('\r\n')[0]);
  await server.stop();
}
// --- time: a silent connection is closed; one with a longer limit stays
{
  const server = RT.serve({ port: 0, idleTimeout: 1, fetch(request, own) { own.timeout(request, 30); return new Response('ok'); } });
  const silent = net.connect(server.port, '127.0.0.1');
  const patient = net.connect(server.port, '127.0.0.1');
  patient.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(patient, 'data');
  let isPatientOpen = true;
  patient.on('close', () => { isPatientOpen = false; });
  silent.on('error', () => {}).resume();
  await once(silent, 'close');
  show('a silent one goes', isPatientOpen);
  patient.destroy();
  await server.stop();
}
for (const options of [{ idleTimeout: 256 }, { idleTimeout: 'x' }, { port: -1 }, { port: 65536 }, { port: 'x' }, { fetch: 1 }, { routes: {} , fetch: undefined }, { error: 1 }, { websocket: 1 }, { routes: { x: new Response() } }, { unix: '/tmp/x', hostname: 'x' }, { unix: '/no/such/folder/socket' }, { tls: 1 }]) {
  try {
    RT.serve({ port: 0, fetch() {}, ...options }).stop(true);
    show('taken', options);
  } catch (error) {
    show('refused', options, `${error.name} ${error.code} ${error.message.split('\n')[0]}`);
  }
}
// --- a stream is pulled only as fast as it is read, and cancelled when its reader disconnects
{
  let pulls = 0;
  let cancelled;
  const whenCancelled = new Promise((resolve) => { cancelled = resolve; });
  const server = RT.serve({
    port: 0,
    fetch() { return new Response(new ReadableStream({ pull(c) { pulls++; c.enqueue(new Uint8Array(65536)); }, cancel() { cancelled('cancelled'); } })); },
  });
  const socket = net.connect(server.port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'readable');
  show('waits for its reader', pulls < 2000);
  socket.destroy();
  show(await whenCancelled);
  await server.stop(true);
}
// --- an unread body holds its sender back, and one that is read arrives completely
{
  let go;
  const waits = new Promise((resolve) => { go = resolve; });
  const server = RT.serve({ port: 0, maxRequestBodySize: 2 ** 30, async fetch(request) { await waits; let size = 0; for await (const chunk of request.body) size += chunk.length; return new Response(`${size}`); } });
  const size = 64 * 2 ** 20;
  const request = http.request({ port: server.port, method: 'POST', headers: { 'content-length': size } });
  const piece = Buffer.alloc(2 ** 20);
  let sent = 0;
  const pump = () => { while (sent < size) { sent += piece.length; if (!request.write(piece)) { request.once('drain', pump); return; } } request.end(); };
  pump();
  await new Promise((resolve) => { const look = (last) => setTimeout(() => (sent === last ? resolve() : look(sent)), 200); look(-1); });
  show('held back', sent < size);
  go();
  const [response] = await once(request, 'response');
  let answer = '';
  for await (const bytes of response) answer += bytes;
  show('came whole', answer === `${size}`);
  await server.stop();
}
// --- stop: requests in progress are answered; `true` aborts them
for (const isAbrupt of [false, true]) {
  let answer;
  let isRequested;
  const asked = new Promise((resolve) => { isRequested = resolve; });
  const server = RT.serve({ port: 0, fetch: () => new Promise((resolve) => { answer = resolve; isRequested(); }) });
  const result = text(server.url).catch(({ code }) => code);
  await asked;
  show('pending', server.pendingRequests);
  const stopped = server.stop(isAbrupt);
  if (!isAbrupt) answer(new Response('late'));
  show('stop', isAbrupt, await result);
  await stopped;
  show('stopped', server.pendingRequests, await text(server.url).catch(({ code }) => code));
}
// --- two servers at one port, and the same port again
{
  const first = RT.serve({ port: 0, fetch: () => new Response('first') });
  try {
    RT.serve({ port: first.port, fetch() {} });
  } catch ({ name, code, syscall, message }) {
    show(name, code, syscall, message.replace(first.port, 'PORT'));
  }
  const { port } = first;
  await first.stop(true);
  const second = RT.serve({ port, fetch: () => new Response('second') });
  show(await text(second.url));
  await second.stop(true);
  const [a, b] = [0, 0].map((_, index, all) => { all[index] = RT.serve({ port: all[0]?.port ?? 0, reusePort: true, fetch: () => new Response('shared') }); return all[index]; });
  show('shared', a.port === b.port, await text(a.url));
  await Promise.all([a.stop(true), b.stop(true)]);
}
// --- a unix socket
{
  const server = RT.serve({ unix: 's.sock', fetch: (request, own) => Response.json([new URL(request.url).host, own.requestIP(request)]) });
  show(server.url.href, [server.port, server.hostname], await text('http://localhost/x', { unix: 's.sock' }));
  await server.stop();
  show('the path goes', existsSync('s.sock'));
}
// --- TLS: one certificate for each name
if (spawnSync('openssl', ['version']).status === 0) {
  const made = (name) => {
    execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', `${name}.key`, '-out', `${name}.pem`, '-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`], { stdio: 'ignore' });
    return { serverName: name, key: RT.file(`${name}.key`), cert: RT.file(`${name}.pem`) };
  };
  const certificates = [made('localhost'), made('other.test')];
  for (const place of [{ unix: '/no/such/folder/socket' }, { port: 0, hostname: 'no.such.host.invalid' }]) {
    try { RT.serve({ ...place, tls: certificates, fetch() {} }); } catch ({ code, message }) { show('cannot listen', code, message); }
  }
  const server = RT.serve({
    port: 0, tls: certificates,
    fetch(request, own) { return own.upgrade(request) ? undefined : new Response(new URL(request.url).protocol); },
    websocket: { message(ws, message) { ws.send(`got ${message}`); } },
  });
  show(server.url.protocol, server.protocol, await text(server.url, { tls: { ca: RT.file('localhost.pem') && (await RT.file('localhost.pem').text()) } }));
  const tls = await import('node:tls');
  for (const servername of ['localhost', 'other.test', 'unknown.test']) {
    const socket = tls.connect({ port: server.port, servername, rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    show(servername, socket.getPeerCertificate().subject.CN);
    socket.destroy();
  }
  show('untrusted', await text(server.url).catch(({ code }) => code));
  const socket = new WebSocket(`wss://localhost:${server.port}`, { tls: { rejectUnauthorized: false } });
  socket.onopen = () => socket.send('a word');
  show((await once(socket, 'message'))[0].data);
  socket.close();
  await once(socket, 'close');
  const plain = net.connect(server.port, 'localhost');
  plain.on('error', () => {}).resume();
  plain.write('GET / HTTP/1.1\r\n\r\n');
  await once(plain, 'close');
  show('after plain text', await text(server.url, { tls: { rejectUnauthorized: false } }));
  await server.stop(true);
} else console.log('https: https 200 https:\nlocalhost localhost\nother.test other.test\nunknown.test localhost\nuntrusted DEPTH_ZERO_SELF_SIGNED_CERT\ngot a word\nafter plain text 200 https:');
// --- an unref'd server lets the program end
RT.serve({ port: 0, fetch() {} }).unref();
show('end');
