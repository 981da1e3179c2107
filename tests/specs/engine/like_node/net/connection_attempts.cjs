// A connection attempt that times out is reported as a timeout, not as a failure.
'use strict';
const net = require('node:net');
const { spawn } = require('node:child_process');

// A server whose process waits for the end of stdin instead of accepting connections; its backlog holds two.
const SILENT = `
  require('node:net').createServer().listen({ port: 0, host: '127.0.0.2', backlog: 1 }, function () {
    require('node:fs').writeSync(1, String(this.address().port));
    require('node:fs').readSync(0, Buffer.alloc(1));
    process.exit();
  });
`;
const EVENTS = ['connectionAttempt', 'connectionAttemptFailed', 'connectionAttemptTimeout', 'connect', 'error', 'close'];

function attempt(port, addresses, options, done) {
  const socket = net.connect({
    port,
    host: 'somewhere',
    lookup: (host, given, found) => found(null, addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 20,
    ...options,
  });
  const shown = (value) => (value instanceof Error ? `${value.code} ${value.errors?.map((each) => each.code)}` : value);
  for (const event of EVENTS) socket.on(event, (...values) => console.log(event, ...values.map(shown).filter((value) => value !== port)));
  socket.resume();
  socket.on('close', () => {
    console.log(socket.autoSelectFamilyAttemptedAddresses?.length);
    done();
  });
}

const silent = spawn(process.execPath, ['-e', SILENT], { stdio: ['pipe', 'pipe', 'inherit'] });
silent.stdout.once('data', (text) => {
  const port = Number(text);
  let filled = 0;
  const fillers = [1, 2].map(() => net.connect(port, '127.0.0.2', () => ++filled === 2 && begin(port, fillers)));
  for (const filler of fillers) filler.on('error', () => {});
});

function begin(port, fillers) {
  const server = net.createServer((socket) => socket.end()).listen(port, '127.0.0.3', () => {
    const [never, real, refused] = ['127.0.0.2', '127.0.0.3', '127.0.0.4'].map((address) => ({ address, family: 4 }));
    attempt(port, [never, real], {}, () =>
      attempt(port, [never, refused], {}, () => {
        server.close();
        for (const filler of fillers) filler.destroy();
        silent.stdin.end();
      }),
    );
  });
}
