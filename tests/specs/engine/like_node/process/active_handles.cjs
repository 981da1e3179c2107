'use strict';
// process._getActiveHandles, _getActiveRequests and getActiveResourcesInfo while handles are open, unreferenced and
// closed.

const { spawn } = require('node:child_process');
const dgram = require('node:dgram');
const dns = require('node:dns');
const { once } = require('node:events');
const fs = require('node:fs');
const net = require('node:net');
const { MessageChannel } = require('node:worker_threads');

const lines = [];
/** Node closes some handles late: if more are listed, only those in `expected` are printed. */
function say(what, expected) {
  const isExpected = (name) => expected === undefined || expected.includes(name);
  const info = process.getActiveResourcesInfo().filter(isExpected);
  const handles = process._getActiveHandles().map((each) => each.constructor.name);
  lines.push(`${what}: ${info.join()} | ${handles.filter(isExpected).join()}`);
}
process.on('exit', () => fs.writeSync(1, `${lines.join('\n')}\n`));

async function main() {
  say('start');
  const child = spawn('cat');
  say('child');
  child.unref();
  say('child unref');
  child.ref();
  for (const stream of child.stdio) stream.unref();
  say('pipes unref');
  for (const stream of child.stdio) stream.ref();
  child.stdin.end();
  await once(child, 'close');

  const udp = dgram.createSocket('udp4');
  lines.push(`udp: ${process._getActiveHandles().includes(udp)}`);
  udp.bind(0);
  await once(udp, 'listening');
  udp.unref();
  lines.push(`udp unref: ${process._getActiveHandles().includes(udp)}`);
  udp.ref();
  lines.push(`udp ref: ${process._getActiveHandles().includes(udp)}, ${process.getActiveResourcesInfo().includes('UDPWrap')}`);
  udp.close();
  await new Promise((resolve) => setTimeout(resolve, 1));
  lines.push(`udp closed: ${process._getActiveHandles().includes(udp)}`);

  const watcher = fs.watch('.');
  say('watch', ['FSEventWrap', 'FSWatcher']);
  watcher.unref();
  say('watch unref', ['FSEventWrap', 'FSWatcher']);
  watcher.close();
  const listener = () => {};
  fs.watchFile('none', listener);
  say('watchFile', ['StatWatcher', 'Timeout']);
  fs.unwatchFile('none', listener);
  say('unwatchFile', ['StatWatcher', 'Timeout']);

  for (const place of [{ path: './socket' }, { host: '127.0.0.1', port: 0 }]) {
    const server = net.createServer().listen(place);
    await once(server, 'listening');
    say('server', ['TCPServerWrap', 'Server']); // a pipe of the child may still be closing
    const client = net.connect(place.path ?? server.address().port, '127.0.0.1');
    const [[accepted]] = await Promise.all([once(server, 'connection'), once(client, 'connect')]);
    const has = (each) => process._getActiveHandles().includes(each);
    lines.push(`connected: ${[server, client, accepted].map(has)} ${process.getActiveResourcesInfo().includes(place.path ? 'PipeWrap' : 'TCPSocketWrap')}`);
    client.unref();
    server.unref();
    lines.push(`unref: ${[server, client, accepted].map(has)}`);
    server.ref();
    client.destroy();
    accepted.destroy();
    server.close();
    await once(server, 'close');
    await new Promise((resolve) => setTimeout(resolve, 1));
    lines.push(`closed: ${[server, client, accepted].map(has)}`);
  }

  const { port1, port2 } = new MessageChannel();
  const listed = () => `${process._getActiveHandles().includes(port1)} ${process.getActiveResourcesInfo().includes('MessagePort')}`;
  lines.push(`ports: ${listed()}`);
  port1.on('message', () => {});
  lines.push(`heard: ${listed()}, as timers ${process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length}`);
  port1.unref();
  lines.push(`unref: ${listed()}`);
  port2.close();

  for (let count = 0; count < 3; count++) fs.open(__filename, (_, descriptor) => fs.closeSync(descriptor));
  const lookup = new Promise((resolve) => dns.lookup('localhost', resolve));
  lines.push(`requests: ${process.getActiveResourcesInfo().filter((name) => name.includes('Req')).sort()}`);
  lines.push(`requests: ${process._getActiveRequests().map((each) => each.constructor.name).sort()}`);
  await lookup;
}

function tellOfTimers() {
  setTimeout(function () {
    lines.push(`in its callback: ${process.getActiveResourcesInfo().includes('Timeout')}`);
    clearTimeout(this);
    lines.push(`cleared there: ${process.getActiveResourcesInfo().includes('Timeout')}`);
  }, 1);
}

main().then(tellOfTimers);
