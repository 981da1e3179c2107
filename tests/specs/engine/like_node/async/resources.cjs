// The resources that node:async_hooks reports for sockets, pipes, children, files, DNS lookups, UDP, HTTP, keys and
// watchers: their types, their triggers, and that before, after and destroy match.
const { createHook, AsyncLocalStorage, executionAsyncId } = require('node:async_hooks');
const fs = require('fs');
const net = require('net');
const http = require('http');
const dgram = require('dgram');
const dns = require('dns');
const crypto = require('crypto');
const path = require('path');
const { spawn } = require('child_process');
const { once } = require('events');
const { finished, Readable } = require('stream');
const folder = fs.mkdtempSync(path.join(require('os').tmpdir(), 'resources'));
const about = new Map();
const mark = (event) => (id) => {
  const one = about.get(id);
  if (one) one[event]++;
};
const hook = createHook({
  init(id, type, trigger, resource) {
    about.set(id, { type, trigger, before: 0, after: 0, destroy: 0, isObject: resource instanceof Object });
  },
  before: mark('before'),
  after: mark('after'),
  destroy: mark('destroy'),
});
// Tick objects are skipped: the resource that triggered the tick is printed instead.
const nameOf = (id) => {
  const one = about.get(id);
  return one === undefined ? 'the start' : one.type === 'TickObject' ? nameOf(one.trigger) : one.type;
};
const REQUESTED = /WRAP$|^HTTP|REQ|WATCHER|SHUTDOWN/;
async function look(title, types, work) {
  about.clear();
  hook.enable();
  await new Promise((resolve) => setImmediate(() => work(resolve)));
  hook.disable();
  const lines = new Set();
  for (const { type, trigger, before, after, isObject } of about.values())
    if (REQUESTED.test(type) && types.includes(type)) {
      const by = nameOf(trigger);
      lines.add(
        `${type} by ${by === 'PROMISE' || by === 'Immediate' ? 'the start' : by}, object ${isObject}, paired ${before === after || before === after + 1}`,
      );
    }
  console.log(`${title}\n  ${[...lines].sort().join('\n  ')}`);
}
(async () => {
  await look('tcp', ['TCPSERVERWRAP', 'TCPWRAP', 'TCPCONNECTWRAP', 'GETADDRINFOREQWRAP', 'SHUTDOWNWRAP'], (done) => {
    const server = net
      .createServer((socket) => {
        socket.end('x');
        server.close(done);
      })
      .listen(0, '127.0.0.1', () => net.connect(server.address().port, 'localhost').resume());
  });
  await look('pipe', ['PIPESERVERWRAP', 'PIPEWRAP', 'PIPECONNECTWRAP', 'SHUTDOWNWRAP'], (done) => {
    const server = net
      .createServer((socket) => {
        socket.end('x');
        server.close(done);
      })
      .listen(path.join(folder, 's'), () => net.connect(path.join(folder, 's')).resume());
  });
  await look('child', ['PROCESSWRAP', 'PIPEWRAP'], (done) => {
    spawn('true').on('close', done).stdout.resume();
  });
  await look('files', ['FSREQCALLBACK'], (done) => fs.access(folder, () => fs.readdir(folder, () => fs.stat(folder, done))));
  await look('files, promises', ['FSREQPROMISE'], (done) => {
    fs.promises.stat(folder).then(done);
  });
  await look('names', ['GETADDRINFOREQWRAP', 'GETNAMEINFOREQWRAP'], (done) =>
    dns.lookup('localhost', () => dns.lookupService('127.0.0.1', 80, done)),
  );
  await look('udp', ['UDPWRAP'], (done) => {
    const socket = dgram.createSocket('udp4');
    socket.bind(0, '127.0.0.1', () => {
      socket.on('message', () => socket.close(done));
      socket.send('x', socket.address().port, '127.0.0.1');
    });
  });
  await look(
    'keys',
    [
      'RANDOMBYTESREQUEST',
      'PBKDF2REQUEST',
      'SCRYPTREQUEST',
      'DERIVEBITSREQUEST',
      'RANDOMPRIMEREQUEST',
      'CHECKPRIMEREQUEST',
      'KEYPAIRGENREQUEST',
    ],
    (done) =>
      crypto.randomBytes(8, () =>
        crypto.pbkdf2('a', 'b', 1, 8, 'sha256', () =>
          crypto.scrypt('a', 'b', 8, () =>
            crypto.generatePrime(16, () => crypto.checkPrime(Buffer.from([7]), () => crypto.generateKeyPair('ed25519', done))),
          ),
        ),
      ),
  );
  await look('http', ['HTTPCLIENTREQUEST', 'HTTPINCOMINGMESSAGE', 'TCPSERVERWRAP', 'TCPWRAP'], (done) => {
    const server = http
      .createServer((request, response) => {
        response.end('x');
        server.close(done);
      })
      .listen(0, '127.0.0.1', () =>
        http.get({ port: server.address().port, host: '127.0.0.1', agent: false }, (response) => response.resume()),
      );
  });
  await look('watchers', ['STATWATCHER', 'FSEVENTWRAP', 'SIGNALWRAP'], (done) => {
    const file = path.join(folder, 'w');
    fs.writeFileSync(file, '');
    fs.watchFile(file, () => {});
    fs.unwatchFile(file);
    fs.watch(folder).close();
    const awake = setInterval(() => {}, 1000);
    process.once('SIGUSR2', () => {
      clearInterval(awake);
      done();
    });
    process.kill(process.pid, 'SIGUSR2');
  });
  // An AsyncLocalStorage store follows a request to the connection it gets, and a stream to the callback of its
  // completion.
  const store = new AsyncLocalStorage();
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const server = http.createServer((request, response) => response.end('x')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  await Promise.all(
    [1, 2, 3].map((number) =>
      store.run(
        number,
        () =>
          new Promise((resolve) => {
            http.get({ port: server.address().port, host: '127.0.0.1', agent }, (response) => {
              console.log('answer', number === store.getStore());
              response.resume().on('end', resolve);
            });
          }),
      ),
    ),
  );
  agent.destroy();
  server.close();
  const stream = Readable.from(['a']);
  store.run('asked', () => finished(stream, () => console.log('finished', store.getStore())));
  stream.resume();
  await once(stream, 'close');
  // A hook that is enabled or disabled inside a hook callback takes effect after that callback.
  const heard = [];
  const inner = createHook({ init: (id, type) => heard.push('inner ' + type) });
  const outer = createHook({
    init(id, type) {
      heard.push('outer ' + type);
      inner.enable();
      outer.disable();
    },
  }).enable();
  process.nextTick(() => {});
  setImmediate(() => {});
  inner.disable();
  console.log(heard.join(', '));
  createHook({ init() {} }).enable();
  process.once('unhandledRejection', () => {
    console.log('rejection has an id', executionAsyncId() > 0);
    fs.rmSync(folder, { recursive: true });
  });
  Promise.reject(new Error('x'));
})();
{
  const ports = [];
  const hook = createHook({ init: (id, type, trigger, resource) => type === 'MESSAGEPORT' && ports.push(resource) }).enable();
  const { port1, port2 } = new MessageChannel();
  hook.disable();
  console.log('ports', ports.length, ports[0] === port1, ports[1] === port2, port1.hasRef());
}
