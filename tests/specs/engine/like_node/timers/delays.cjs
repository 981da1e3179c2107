// Invalid timer delays and idle timeouts: their replacement values and warnings.
'use strict';
const http = require('node:http');
const http2 = require('node:http2');
const net = require('node:net');
const timers = require('node:timers/promises');

process.on('warning', (warning) => console.log(warning.name, warning.message));
const report = (name, work) => {
  try {
    console.log(name, work());
  } catch (error) {
    console.log(name, error.code, error.message);
  }
};
const DELAYS = [undefined, null, 0, -1, -5, NaN, 'x', '', 1.5, 2 ** 31 - 1, 2 ** 31, Infinity, -Infinity, [], true, '3000000000', 1e20];
for (const delay of [...DELAYS, 5n, Symbol('s')]) {
  for (const [begin, end] of [[setTimeout, clearTimeout], [setInterval, clearInterval]]) {
    report(String(delay), () => {
      const timer = begin(() => {}, delay);
      const { _idleTimeout: taken } = timer;
      end(timer);
      return taken;
    });
  }
}
timers.setTimeout(2 ** 31).then(() => console.log('at once'));

const TIMES = [0, 5.5, 2 ** 31 - 1, 2 ** 31, -1, NaN, Infinity, 'x', undefined, null];
const tryAll = (name, owner) => {
  for (const time of TIMES) report(`${name} ${time}`, () => owner.setTimeout(time).timeout);
  report(`${name} callback`, () => owner.setTimeout(5, 1));
  owner.setTimeout(0);
};
tryAll('socket', new net.Socket());
for (const timeout of TIMES) {
  report(`request ${timeout}`, () => {
    const request = http.request({ timeout, port: 1, createConnection: () => new net.Socket() });
    request.on('error', () => {}).destroy();
    return request.timeout;
  });
}
const server = http2.createServer();
server.on('session', (session) => tryAll('session', session));
server.on('stream', (stream) => {
  tryAll('stream', stream);
  stream.on('timeout', () => console.log('never'));
  stream.setTimeout(2 ** 31);
  setTimeout(() => {
    stream.respond();
    stream.end();
  }, 10);
});
server.listen(0, () => {
  const session = http2.connect(`http://localhost:${server.address().port}`);
  // A value in the list of raw headers that is also the name of a pseudo-header.
  const request = session.request([':path', '/p', 'x-a', ':scheme', 'x-b', ':authority']);
  console.log(request.sentHeaders[':scheme'], ':authority' in request.sentHeaders);
  request.resume().on('close', () => {
    session.close();
    server.close();
  });
});
