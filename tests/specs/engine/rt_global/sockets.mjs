// Names, UDP and TCP: results of calls, the order of handlers, and rejected arguments.
import { mkdtempSync } from 'node:fs';
import { RT, outcome, show } from './table.mjs';

const rows = [];
const settled = async (work) => {
  try {
    const value = await work();
    return outcome(() => value);
  } catch (error) {
    return { name: error.name, code: error.code, message: error.message, syscall: error.syscall };
  }
};
const row = async (label, ...work) => {
  const results = [];
  for (const each of work) results.push(await settled(each));
  rows.push([label, results]);
};
const HOME = '127.0.0.1';
const pause = () => new Promise((resolve) => setTimeout(resolve, 40));

const { dns } = RT;
await row('names', () => dns.lookup('localhost', { family: 4 }), () => dns.lookup(HOME), () => dns.lookup('no.invalid'), () => dns.lookup(HOME, { family: 'IPv4', socketType: 'udp', backend: 'system' }));
await row('wrong names', () => dns.lookup(), () => dns.lookup(''), () => dns.lookup(5), () => dns.lookup('a', { family: 9 }), () => dns.lookup('a', { backend: 'x' }), () => dns.lookup('a', { socketType: 'x' }));
await row('ahead', () => dns.getCacheStats(), () => dns.prefetch(), () => dns.prefetch('localhost', 'x'), () => dns.prefetch('localhost', 80));
await pause();
await row('looked up', () => dns.getCacheStats(), () => dns.prefetch('localhost', 80));
await row('constants', () => [dns.ADDRCONFIG, dns.ALL, dns.V4MAPPED], () => Object.keys(dns));

const udp = RT.udpSocket;
let heard = [];
const a = await udp({ hostname: HOME, socket: { data: (socket, data, port, address, flags) => heard.push([socket === a, data, port === b.port, address, flags]) } });
const b = await udp({ hostname: HOME });
const heardNow = async () => {
  await pause();
  return heard.splice(0);
};
await row('udp', () => [a.hostname, a.closed, a.binaryType, a.address.family, a.address.port === a.port, typeof a.fd, a.remoteAddress]);
await row('send', () => b.send('hello', a.port, HOME), () => b.sendMany(['one', a.port, HOME, new Uint8Array([65]), a.port, HOME]), heardNow);
await row('send wrong', () => b.send(), () => b.send('x'), () => b.send('x', 'y', HOME), () => b.send('x', 70000, HOME), () => b.send('x', 0, HOME), () => b.send('x', 80, 'no'), () => b.send(5, 80, HOME), () => b.sendMany(), () => b.sendMany(['one', 5]));
const c = await udp({ hostname: HOME, connect: { hostname: HOME, port: a.port } });
a.reload({ socket: { data: (socket, data) => heard.push(data) } });
await row('connected', () => [c.remoteAddress.address, c.remoteAddress.port === a.port], () => c.send('direct'), () => c.sendMany(['d', new Uint8Array(2)]), () => c.send('x', a.port, HOME), heardNow);
await row('options', () => b.setBroadcast(true), () => b.setTTL(5), () => b.setTTL(0), () => b.setMulticastTTL(5), () => b.setMulticastLoopback(true), () => b.setMulticastInterface(HOME), () => b.addMembership('224.0.0.114', HOME), () => b.dropMembership('224.0.0.114', HOME), () => b.addMembership('x'));
await row('reload', () => a.reload(), () => a.reload({ socket: { data: 5 } }), () => a.reload({ socket: 5 }));
await row('wrong udp', () => udp(), () => udp(5), () => udp({ port: 70000 }), () => udp({ port: 'x' }), () => udp({ socket: 5 }), () => udp({ socket: { data: 5 } }), () => udp({ connect: 5 }), () => udp({ connect: {} }), () => udp({ connect: { hostname: HOME } }), () => udp({ hostname: 5 }), () => udp({ hostname: HOME, port: a.port }), () => udp({ hostname: 'no.invalid' }));
for (const binaryType of ['arraybuffer', 'uint8array', 'buffer']) {
  const socket = await udp({ hostname: HOME, binaryType, socket: { data: (_, data) => heard.push(data.constructor.name) } });
  b.send('x', socket.port, HOME);
  await row(binaryType, heardNow);
  socket.close();
}
const throwing = await udp({ hostname: HOME, socket: { data() { throw new Error('in data'); }, error: (error) => heard.push(error.message) } });
b.send('x', throwing.port, HOME);
await row('throws', heardNow);
const nobody = await udp({ connect: { hostname: HOME, port: 1 }, socket: { error: (error) => heard.push(error.code) } });
nobody.send('x');
await row('refused', heardNow);
await row('closed', () => b.close(), () => b.close(), () => b.send('x', 80, HOME), () => [b.closed, b.address]);
for (const socket of [a, c, throwing, nobody]) socket.close();

const handlers = (name) => ({
  open: (socket) => heard.push(`${name} open ${JSON.stringify(socket.data)} ${socket.readyState}`),
  data(socket, data) {
    heard.push(`${name} data ${data}`);
    if (name === 'server') socket.write(data);
  },
  end: () => heard.push(`${name} end`),
  close: (socket, error) => heard.push(`${name} close ${error} ${socket.readyState}`),
  error: (socket, error) => heard.push(`${name} error ${error.message}`),
});
const server = RT.listen({ hostname: HOME, port: 0, socket: handlers('server'), data: { x: 1 } });
await row('listener', () => [server.port > 0, server.hostname, server.data, server.unix]);
const join = (name, more) => RT.connect({ hostname: HOME, port: server.port, socket: handlers(name), ...more });
const one = await join('client', { data: { y: 2 } });
await row('open', () => heard.filter((text) => text.startsWith('client')), heardNow.bind(), () => [one.localAddress, one.localFamily, one.remoteAddress, one.remotePort === server.port, one.readyState, one.alpnProtocol, one.authorized, one.listener]);
await row('write', () => one.write('hello'), () => one.write(new Uint8Array([65, 66])), () => one.write('abcdef', 1, 2), () => one.write(Buffer.from('abcdef'), 2, 3), () => one.write('6162', 'hex'), () => one.write(''), () => one.write(), () => one.write(5), () => one.write(new ArrayBuffer(1)), () => one.write(new Blob(['x'])), () => one.flush(), async () => (await heardNow()).map((text) => text.split(' ').slice(0, 2).join(' ')).filter((text, index, all) => all.indexOf(text) === index));
await row('settings', () => one.timeout(5), () => one.setNoDelay(true), () => one.setKeepAlive(true, 1000), () => one.ref(), () => one.unref(), () => one.ref());
await row('reload', () => one.reload(), () => one.reload({}), () => one.reload({ socket: { data: (_, data) => heard.push(`reloaded ${data}`), close: () => heard.push('reloaded close') } }), () => one.write('again'), heardNow);
await row('end', () => one.end('bye'), () => one.readyState, () => one.write('x'), () => one.end(), async () => (await heardNow()).sort());
const two = await join('two');
await heardNow();
await row('shutdown', () => two.data, () => two.shutdown(), async () => (await heardNow()).sort(), () => two.readyState);
const three = await join('three');
await heardNow();
three.pause();
three.write('paused');
await row('paused', heardNow, () => three.resume(), heardNow);
server.reload({ socket: handlers('other') });
three.write('x');
await row('listener reloads', async () => (await heardNow()).filter((text) => text.startsWith('other')));
await row('stop', () => server.stop(), () => three.readyState, () => server.stop(true), async () => (await heardNow()).sort(), () => three.readyState);
const refused = { data() {}, connectError: (socket, error) => heard.push(`${error.code} ${error.message}`) };
await row('nobody there', () => RT.connect({ hostname: HOME, port: 1, socket: refused }), () => RT.connect({ hostname: 'no.invalid', port: 1, socket: refused }), () => RT.connect({ unix: './gone.sock', socket: refused }), heardNow);
const good = { data() {} };
const WRONG = [undefined, 5, {}, { hostname: 'x', port: 1 }, { hostname: 'x', port: 1, socket: 5 }, { hostname: HOME, port: 1, socket: {} }, { hostname: 'x', port: 1, socket: { data: 5 } }, { hostname: HOME, port: 1, socket: { data() {}, drain: 5 } }, { hostname: HOME, socket: good }, { hostname: HOME, port: 70000, socket: good }, { hostname: HOME, port: 'x', socket: good }, { port: 1, socket: good }, { unix: 5, socket: good }, { hostname: HOME, port: 1, socket: { binaryType: 'x', data() {} } }];
for (const options of WRONG) await row(`wrong ${JSON.stringify(options)}`, () => RT.connect(options), () => RT.listen(options));
const path = `${mkdtempSync('unix-')}/a.sock`;
const local = RT.listen({ unix: path, socket: { data: (socket, data) => socket.end(`got ${data}`) } });
await RT.connect({ unix: path, socket: { binaryType: 'uint8array', open: (socket) => socket.write('hi'), data: (_, data) => heard.push(data), close: () => heard.push('closed') } });
await row('unix', () => [local.unix === path, local.port, local.hostname], heardNow, () => local.stop(), () => RT.connect({ unix: path, socket: good }));
let total = 0;
const drain = RT.listen({ hostname: HOME, port: 0, socket: { data: (_, data) => (total += data.length) } });
let rest = Buffer.alloc(20_000_000, 'x');
await new Promise((resolve) => {
  const go = (socket) => {
    rest = rest.subarray(socket.write(rest));
    if (rest.length === 0) socket.end();
  };
  RT.connect({ hostname: HOME, port: drain.port, socket: { data() {}, open: go, drain: go, close: resolve } });
});
while (total < 20_000_000) await pause();
await row('drain', () => total);
drain.stop(true);
const bad = RT.listen({ hostname: HOME, port: 0, socket: { open() { throw new Error('in open'); }, data() {}, error: (socket, error) => heard.push(error.message) } });
const guest = await RT.connect({ hostname: HOME, port: bad.port, socket: good });
await row('a handler throws', heardNow);
guest.end();
bad.stop(true);
const wary = RT.listen({ hostname: HOME, port: 0, socket: { open: () => new Error('of open'), data: () => new Error('of data'), error: (socket, error) => heard.push(error.message) } });
const other = await RT.connect({ hostname: HOME, port: wary.port, socket: { ...good, open: (socket) => socket.write('x') } });
await row('open returns an error', heardNow);
other.end();
wary.stop(true);
show(rows);
