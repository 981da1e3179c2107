// What programs that mock connections in the process replace: a handle's functions, `_writeGeneric`, `_wrapHandle`,
// `_start`.
const net = require('node:net');
const tls = require('node:tls');

const say = (...values) => console.log(...values.map((value) => JSON.stringify(value)));

/** Makes the socket's handle connect by itself, then calls `answer(request, handle)`. */
const claim = (socket, answer) =>
  socket.prependOnceListener('connectionAttempt', () => {
    const handle = socket._handle;
    handle.connect = handle.connect6 = (request, address, port) => {
      say('connect', address, port, request.address, request.port);
      process.nextTick(answer, request, handle);
      return 0;
    };
    handle.readStart = handle.readStop = () => 0;
    handle.getsockname = (name) => (Object.assign(name, { address: '10.0.0.1', port: 1, family: 'IPv4' }), 0);
    handle.getpeername = (name) => (Object.assign(name, { address: '10.0.0.2', port: 2, family: 'IPv4' }), 0);
  });
const events = (socket, ...names) => {
  for (const name of names) socket.on(name, (value) => say(name, value instanceof Error ? value.code : typeof value));
  return new Promise((resolve) => socket.on('close', resolve));
};

async function claimed() {
  const socket = new net.Socket();
  const written = [];
  socket._writeGeneric = (isList, data, encoding, callback) => {
    written.push(isList ? data.map(({ chunk }) => `${chunk}`) : `${data}`);
    callback();
  };
  socket._read = () => {};
  claim(socket, (request, handle) => request.oncomplete(0, handle, request, true, true));
  const closed = events(socket, 'connect', 'ready', 'data', 'end', 'close');
  socket.connect({ port: 80, host: '127.0.0.1' }, () => {
    say(socket.connecting, socket.readyState, socket.localAddress, socket.localPort, socket.remoteAddress, socket.remotePort, socket.address());
    socket.push('hello');
    socket.push(null);
    socket.end('bye');
  });
  say('hasRef', socket._handle.hasRef(), socket.unref()._handle.hasRef(), socket.ref()._handle.hasRef());
  socket.write('early');
  await closed;
  say(written);
}

async function refused() {
  const socket = new net.Socket();
  claim(socket, (request, handle) => request.oncomplete(-111, handle, request, false, false));
  socket.on('error', ({ code, address, port }) => say(code, address, port));
  const closed = events(socket, 'connect', 'close');
  socket.connect(81, '127.0.0.1');
  await closed;
}

async function pending() {
  const server = net.createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
  await new Promise((listening) => server.on('listening', listening));
  const socket = net.connect(server.address().port, '127.0.0.1');
  const { _writeGeneric: real } = socket;
  const seen = [];
  socket._writeGeneric = function (isList, data, encoding, callback) {
    seen.push([isList, isList ? data.length : `${data}`, this.connecting]);
    return real.call(this, isList, data, encoding, callback);
  };
  socket.write('first');
  say(`${socket._pendingData}`, socket.bytesWritten);
  socket.write('second');
  say(`${socket._pendingData}`, socket.bytesWritten);
  socket.end('third');
  await new Promise((closed) => socket.on('close', closed).resume());
  say(seen, socket._pendingData, socket.bytesWritten);
  server.close();
}

async function secure() {
  const socket = tls.connect({ port: 443, host: '127.0.0.1', servername: 'some.name', rejectUnauthorized: false });
  const handle = socket._handle;
  handle.connect = (request) => {
    say('connect', request.address);
    setImmediate(() => {
      request.oncomplete(0, handle, request, true, true);
      handle.onhandshakedone();
      handle.onnewsession(1, Buffer.from('a session'));
    });
  };
  handle.readStart = handle.readStop = () => 0;
  handle.start = () => say('start');
  handle.verifyError = () => undefined;
  handle.getSession = () => Buffer.from('another');
  handle.getEphemeralKeyInfo = () => ({});
  handle.getCipher = () => ({ name: 'a cipher' });
  handle.getALPNNegotiatedProtocol = () => 'h2';
  socket._read = () => {};
  const [options] = Object.getOwnPropertySymbols(socket).filter(({ description }) => description === 'connect-options');
  socket[options].checkServerIdentity = () => {};
  const closed = events(socket, 'connect', 'secureConnect', 'session', 'close');
  socket.on('session', () => {
    say(socket.getSession().length > 0, socket.getCipher(), socket.alpnProtocol, socket.authorized);
    socket.destroy();
  });
  await closed;
}

function overridden() {
  const { _wrapHandle: wrap, _start: start } = tls.TLSSocket.prototype;
  tls.TLSSocket.prototype._wrapHandle = function (below, handle, isWriting) {
    say('_wrapHandle', below instanceof net.Socket);
    return wrap.call(this, below, undefined, isWriting);
  };
  tls.TLSSocket.prototype._start = function () {
    say('_start', this.connecting);
  };
  const below = new net.Socket();
  const socket = tls.connect({ socket: below });
  say(socket._handle !== null, socket.encrypted);
  Object.assign(tls.TLSSocket.prototype, { _wrapHandle: wrap, _start: start });
}

/** A server's handle receives each connection's handle; a close is reported after the immediates of its turn. */
async function accepted() {
  const order = [];
  const server = net.createServer({ keepAlive: true, keepAliveInitialDelay: 1000 }, (socket) => {
    socket.on('close', () => order.push('close'));
    socket.destroy();
    setImmediate(() => order.push('immediate'));
    setImmediate(() => order.push('immediate'));
    server.close();
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  say(server._handle === server._handle, typeof server._handle.onconnection);
  const { onconnection } = server._handle;
  server._handle.onconnection = function (status, handle) {
    say('onconnection', status, typeof handle.setKeepAlive);
    const { setKeepAlive } = handle;
    handle.setKeepAlive = (...args) => (say('setKeepAlive', ...args), setKeepAlive.apply(handle, args));
    onconnection.call(this, status, handle);
  };
  const client = net.connect(server.address().port, '127.0.0.1').resume();
  await new Promise((closed) => client.on('close', closed));
  say(server._handle, order);
  // A handle supplied by the program that cannot be read natively.
  const own = new net.Socket();
  own._handle = { ref() {}, readStart: () => say('readStart'), close: (noted) => (say('closing'), noted()) };
  own.resume();
  await new Promise((read) => setImmediate(read));
  own.on('close', () => say('closed'));
  own.destroy();
}

/** The second address is used if the first is not known yet. */
async function listenTwice() {
  const dns = require('node:dns');
  const { lookup } = dns;
  let answer;
  dns.lookup = (name, options, callback) => (answer = callback);
  const server = net.createServer();
  let count = 0;
  server.on('listening', () => count++);
  server.listen(0, 'some.name');
  server.listen(0, '127.0.0.1');
  dns.lookup = lookup;
  answer(null, [{ address: '127.0.0.1', family: 4 }]);
  await new Promise((listening) => setImmediate(listening));
  say(count, server.listening);
  try {
    server.listen(0);
  } catch (error) {
    say(error.code);
  }
  server.close();
}

(async () => {
  await claimed();
  await accepted();
  await listenTwice();
  await refused();
  await pending();
  await secure();
  overridden();
})();
