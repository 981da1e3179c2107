// Connecting sockets: their handle, their local end in errors, `onread` with pauses; servers on paths and descriptors.
const dns = require('node:dns');
const http = require('node:http');
const net = require('node:net');

const say = (...values) => console.log(...values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))));
const shape = (error) => ({
  message: error.message.replace(/:\d{4,5}/g, ':PORT'),
  code: error.code,
  address: error.address,
  localAddress: error.localAddress,
  localPort: typeof error.localPort,
});
const reported = (emitter, ...names) =>
  new Promise((resolve) => {
    const seen = [];
    for (const name of names) emitter.on(name, (value) => seen.push([name, value instanceof Error ? shape(value) : typeof value]));
    emitter.on('close', () => resolve(seen));
  });

/** A port that was free a moment ago. */
const freePort = () =>
  new Promise((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

async function localEnds() {
  for (const options of [
    { host: '127.0.0.1', localAddress: '127.0.0.1', localPort: await freePort() },
    { host: '127.0.0.1', localAddress: '127.0.0.1' },
    { host: '127.0.0.1', localPort: await freePort() },
    { host: 'localhost', localAddress: '127.0.0.1', localPort: await freePort() },
  ])
    say('local', await reported(net.connect({ port: await freePort(), ...options }), 'error'));
}

async function serversOnNames() {
  const { lookup } = dns;
  const listen = (answer) =>
    new Promise((resolve) => {
      dns.lookup = (name, options, callback) => {
        say('lookup', name, options);
        answer(callback);
      };
      const server = net.createServer();
      server.on('error', (error) => resolve(shape(error)));
      server.listen(0, 'some.name', () => {
        const { address, family } = server.address();
        server.close(() => resolve({ address, family }));
      });
    });
  say(await listen((callback) => callback(null, [{ address: '127.0.0.1', family: 4 }])));
  say(await listen((callback) => callback(new Error('mocked'))));
  say(await listen((callback) => callback(null, [{ address: 'fe80::1', family: 6 }, { address: '127.0.0.1', family: 4 }])));
  say(await listen((callback) => callback(null, [{ address: 'fe80::1', family: 6 }])));
  dns.lookup = lookup;
  say('a descriptor that is none', await reported(net.createServer().listen({ fd: 99 }).on('error', function () { this.close(); }), 'error', 'listening'));
  const file = require('node:fs').openSync(__filename);
  say('a file', await reported(net.createServer().listen({ fd: file }).on('error', function () { this.close(); }), 'error', 'listening'));
}

async function connecting(port) {
  const { connect } = net.Socket.prototype;
  net.Socket.prototype.connect = function (...args) {
    say('connect', args.length, Array.isArray(args[0]), args[0][0]?.port === port, typeof args[0][1]);
    return connect.apply(this, args);
  };
  say(await reported(net.createConnection(port).resume(), 'connect', 'end'));
  await new Promise((resolve) => http.get({ port }, () => {}).on('error', (error) => resolve(say('http', error.code))));
  net.Socket.prototype.connect = connect;
  const early = net.connect({ port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 2500 });
  say('early', typeof early._handle, early.pending, early.connecting, early.address());
  early._handle.setNoDelay = (isOn) => say('setNoDelay', isOn);
  early._handle.setKeepAlive = (isOn, seconds) => say('setKeepAlive', isOn, seconds);
  say(await reported(early.resume(), 'connect', 'end'));
  const gone = net.connect(port);
  gone.destroy();
  say('gone', gone._handle, await reported(gone, 'connect', 'error'));
}

async function readingIntoBuffers(port) {
  const read = (act, buffer = Buffer.alloc(4)) =>
    new Promise((resolve) => {
      const got = [];
      let isPaused = false;
      const callback = function (count, bytes) {
        got.push([isPaused, Buffer.from(bytes.buffer, bytes.byteOffset, count).toString('latin1')]);
        return act.call(this, (value) => (isPaused = value));
      };
      const socket = net.connect({ port, onread: { buffer, callback } });
      socket.on('data', () => got.push('data'));
      socket.on('end', () => got.push('end'));
      socket.on('close', () => resolve(got));
    });
  const later = (socket, pause) => {
    pause(true);
    setImmediate(() => {
      pause(false);
      socket.resume();
    });
  };
  say('plain', await read(() => {}));
  say('false', await read(function (pause) { later(this, pause); return false; }));
  say('pause', await read(function (pause) { this.pause(); later(this, pause); }));
  say('destroy', await read(function () { this.destroy(); }));
  const pool = [new Uint8Array(2), new Uint8Array(3)];
  let turn = 0;
  say('pool', await read(() => {}, () => pool[turn++ % 2]), turn);
}

function handlesOfPrograms() {
  const handle = {
    readStart() {},
    setNoDelay: (isOn) => say('setNoDelay', isOn),
    setKeepAlive: (isOn, seconds) => say('setKeepAlive', isOn, seconds),
    close(callback) {
      say('close', typeof callback);
      setImmediate(callback);
    },
  };
  const socket = new net.Socket({ handle });
  for (const value of [undefined, true, 1, false, 0, 'x']) socket.setNoDelay(value);
  for (const args of [[], [true], [true, 1500], [true, 1500], [true, -5000], [false], [false]]) socket.setKeepAlive(...args);
  return reported(socket.destroy(), 'error');
}

(async () => {
  await localEnds();
  await serversOnNames();
  const server = net.createServer((socket) => socket.end('hello world').on('error', () => {}));
  await new Promise((resolve) => server.listen(0, resolve));
  await connecting(server.address().port);
  await readingIntoBuffers(server.address().port);
  say(await handlesOfPrograms());
  server.close();
})();
