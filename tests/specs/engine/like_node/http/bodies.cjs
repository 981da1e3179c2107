// Bodies larger than a socket accepts at once, in both directions, with backpressure and 'drain'; an https server that
// closes while connections are at any step of their handshake.
const http = require('node:http');
const https = require('node:https');
const net = require('node:net');
const { once } = require('node:events');
const { cert: CERT, key: KEY } = require('../tls_identity.cjs');

const SIZE = 16 * 2 ** 20;
const PIECE = Buffer.alloc(2 ** 20, 'x');

/** Writes everything, waiting for 'drain' when required; returns how often it waited. */
async function pump(out) {
  let waits = 0;
  for (let sent = 0; sent < SIZE; sent += PIECE.length) {
    if (out.write(PIECE)) continue;
    waits++;
    await once(out, 'drain');
  }
  out.end();
  return waits;
}
async function sizeOf(stream) {
  let size = 0;
  for await (const chunk of stream) size += chunk.length;
  return size;
}
async function bodies(module, options) {
  const server = module.createServer(options, async (request, response) => {
    const size = await sizeOf(request);
    response.setHeader('x-size', size);
    console.log('the server waited', (await pump(response)) > 0);
  }).listen(0);
  await once(server, 'listening');
  for (const headers of [{}, { 'content-length': SIZE }]) {
    for (const agent of [undefined, false]) {
      const request = module.request({ port: server.address().port, method: 'POST', headers, agent, rejectUnauthorized: false });
      const answered = once(request, 'response');
      console.log('the client waited', (await pump(request)) > 0);
      const [response] = await answered;
      console.log(response.statusCode, response.headers['x-size'], await sizeOf(response));
    }
  }
  await new Promise((resolve) => { server.close(resolve); });
  console.log('closed');
}
async function earlyEnds() {
  const breaks = [(socket) => socket.destroy(), (socket) => socket.end(), (socket) => socket.end('\x16\x03\x01')];
  for (const each of breaks) {
    const server = https.createServer({ key: KEY, cert: CERT }).listen(0);
    server.on('tlsClientError', ({ code }) => console.log('handshake', code));
    await once(server, 'listening');
    const socket = net.connect(server.address().port);
    socket.on('error', () => {}).resume();
    await once(server, 'connection');
    const closed = new Promise((resolve) => { server.close(resolve); });
    each(socket);
    await closed;
    console.log('closed');
  }
}
(async () => {
  await bodies(http, {});
  await bodies(https, { key: KEY, cert: CERT });
  await earlyEnds();
})();
