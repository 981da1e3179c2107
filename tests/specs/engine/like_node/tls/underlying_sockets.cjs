// TLS over an existing socket: one that connects later, that ends before the handshake, or whose TLS is abandoned
// meanwhile; servers that start paused, and the error name of a failed handshake.
const net = require('node:net');
const tls = require('node:tls');
const https = require('node:https');
const { once } = require('node:events');
const { cert, key } = require('../tls_identity.cjs');

const listen = async (server) => once(server.listen(0), 'listening').then(() => server.address().port);
const print = (...values) => console.log(...values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))));

async function carried() {
  const server = tls.createServer({ key, cert }, (socket) => socket.on('error', () => {}).end('Hello')).on('tlsClientError', () => {});
  const port = await listen(server);
  const over = (socket, events) => {
    const client = tls.connect({ rejectUnauthorized: false, socket }, () => {
      events.push('secure');
      client.on('data', (bytes) => events.push(`${bytes}`)).on('end', () => events.push('end'));
    });
    client.on('error', (error) => events.push(error.code));
    return client;
  };
  const closed = (client) => new Promise((resolve) => client.on('close', resolve));

  const early = [];
  const gone = over(net.connect(port), early);
  gone.destroy();
  await closed(gone);
  print('destroyed at once', early);

  const outlived = [];
  const below = net.connect(port, () => above.destroy());
  const above = over(below, outlived);
  await Promise.all([closed(above), closed(below)]);
  print('destroyed as it connects', outlived);

  const open = net.connect(port);
  await once(open, 'connect');
  for (const [name, socket] of [['open', open], ['connecting', net.connect(port)]]) {
    const events = [];
    await closed(over(socket, events));
    print(name, events);
  }
  const unused = new net.Socket();
  const events = [];
  const waiting = over(unused, events);
  unused.connect(port);
  await closed(waiting);
  print('connected later', events);
  server.close();

  const silent = net.createServer((socket) => socket.end());
  const place = await listen(silent);
  const ended = [];
  const never = new net.Socket();
  const refused = over(never, ended);
  never.connect(place);
  await closed(refused);
  print('ended before the handshake', ended);
  silent.close();
}

async function paused() {
  for (const options of [{}, { allowHalfOpen: true, pauseOnConnect: true }]) {
    const events = [];
    const server = tls.createServer({ ...options, key, cert }, (socket) => {
      events.push(socket.allowHalfOpen, socket.isPaused());
      socket.on('end', () => {
        events.push('end');
        socket.end();
      });
    });
    const client = tls.connect({ port: await listen(server), rejectUnauthorized: false }, () => client.end());
    await new Promise((resolve) => client.resume().on('close', resolve));
    print('paused', server.allowHalfOpen, server.pauseOnConnect, events.slice(0, 2), options.pauseOnConnect ? events : '');
    server.close();
  }
}

async function names() {
  const SNICallback = (name, callback) => callback(name === 'none.example' ? null : new Error(`no ${name}`), {});
  const server = tls.createServer({ key, cert, SNICallback });
  const reported = [];
  server.on('tlsClientError', (error, socket) => reported.push(error.message, socket.servername));
  const port = await listen(server);
  for (const servername of ['none.example', 'other.example']) {
    const client = tls.connect({ port, servername, rejectUnauthorized: false });
    await new Promise((resolve) => client.on('error', () => {}).on('close', resolve));
  }
  print(reported);
  server.close();
}

/** Blank lines after a request are not part of the next one. */
async function blanks() {
  const server = https.createServer({ key, cert }, (request, response) => response.end('ok'));
  server.on('clientError', (error, socket) => {
    print(error.code);
    socket.destroy();
  });
  const client = tls.connect({ port: await listen(server), rejectUnauthorized: false });
  client.end('GET / HTTP/1.1\r\nHost: a\r\n\r\n\r\n\r\n');
  let said = '';
  for await (const bytes of client) said += bytes;
  print(said.split('\r\n')[0]);
  server.close();
}

(async () => {
  await carried();
  await paused();
  await names();
  await blanks();
})();
