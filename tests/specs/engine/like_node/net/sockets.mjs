// Sockets and servers: event order, errors with their properties, half-open connections, timeouts, backpressure,
// addresses.
import net from 'node:net';
import fs from 'node:fs';
import { once } from 'node:events';
import { inspect } from 'node:util';
import { finished, pipeline } from 'node:stream/promises';
import { text, buffer } from 'node:stream/consumers';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';

const fields = (e) => (e instanceof Error ? `${e.name} ${e.code} ${e.syscall} ${e.address} ${typeof e.port} ${e.message}`.replace(/\d{4,5}/g, 'PORT') : inspect(e));
async function attempt(label, work) {
  const log = [];
  const say = (...parts) => log.push(parts.map((p) => (typeof p === 'string' ? p : p instanceof Error ? fields(p) : inspect(p))).join(' '));
  try {
    console.log(label, inspect(await Promise.race([work(say), sleep(5000, 'too late', { ref: false })])), log.join(' | '));
  } catch (error) {
    console.log(label, 'failed:', fields(error), log.join(' | '));
  }
}
const watch = (say, name, socket) => {
  for (const event of ['lookup', 'connect', 'ready', 'end', 'finish', 'timeout', 'error', 'close']) socket.on(event, (...args) => say(`${name} ${event}`, ...args.map((a) => (a instanceof Error ? a : a))));
  return socket;
};
const listen = async (server, ...args) => {
  server.listen(...(args.length ? args : [0, '127.0.0.1']));
  await once(server, 'listening');
  return server;
};
const closed = (emitter) => new Promise((resolve) => { emitter.once('close', resolve); });

await attempt('echo', async (say) => {
  const server = await listen(net.createServer((s) => s.pipe(s)));
  const c = watch(say, 'c', net.connect(server.address().port, '127.0.0.1'));
  say(c.connecting, c.pending, c.readyState);
  c.end('hello');
  const got = await text(c);
  say(c.bytesRead, c.bytesWritten, c.readyState, c.destroyed);
  await closed(server.close());
  return got;
});
await attempt('server first', async (say) => {
  const server = await listen(net.createServer((s) => { watch(say, 's', s); s.end('bye'); }));
  const c = watch(say, 'c', net.connect(server.address().port, '127.0.0.1'));
  c.resume();
  await closed(c);
  await closed(server.close());
});
await attempt('half open', async (say) => {
  const server = await listen(net.createServer({ allowHalfOpen: true }, (s) => { watch(say, 's', s); s.resume(); s.on('end', () => { say(s.readyState); setTimeout(() => s.end('late'), 5); }); }));
  const c = watch(say, 'c', net.connect(server.address().port, '127.0.0.1'));
  c.end('x');
  const got = await text(c);
  await closed(server.close());
  return got;
});
await attempt('refused', async (say) => { const c = watch(say, 'c', net.connect(1, '127.0.0.1')); await closed(c); return [c.destroyed, c.remoteAddress]; });
await attempt('refused name', async (say) => { const c = net.connect({ port: 1, host: 'localhost', family: 4 }); c.on('error', (e) => say(e)); await closed(c); });
await attempt('no name', async (say) => { const c = net.connect(1, 'no-such-host.invalid'); c.on('error', (e) => say(e.code, e.syscall, e.hostname)); await closed(c); });
await attempt('no path', async (say) => { const c = net.connect('./none.sock'); c.on('error', (e) => say(e)); await closed(c); });
await attempt('unix', async (say) => {
  const server = await listen(net.createServer((s) => { say(s.remoteAddress, s.remoteFamily, s.address()); s.end('over unix'); }), './s.sock');
  say(server.address(), fs.existsSync('s.sock'));
  const got = await text(net.connect({ path: './s.sock' }));
  await closed(server.close());
  say(fs.existsSync('s.sock'));
  return got;
});
await attempt('in use', async (say) => { const a = await listen(net.createServer()); const b = net.createServer(); b.on('error', (e) => say(e)); b.listen(a.address().port, '127.0.0.1'); await once(b, 'error').catch(() => {}); say(b.listening); await closed(a.close()); });
await attempt('in use unix', async (say) => { const a = await listen(net.createServer(), 'u.sock'); const b = net.createServer().listen('u.sock'); await once(b, 'error').catch((e) => say(e)).then((x) => x && say(x[0])); await closed(a.close()); });
await attempt('bad address', async (say) => { const b = net.createServer().listen(0, '1.2.3.4'); await once(b, 'error').then(([e]) => say(e)); });
await attempt('listen twice', async () => { const a = net.createServer().listen(0); try { a.listen(0); } finally { a.close(); } });
await attempt('close not open', () => new Promise((resolve) => { net.createServer().close((e) => resolve(fields(e))); }));
await attempt('address', async () => { const a = await listen(net.createServer(), 0); const { address, family, port } = a.address(); const b = net.createServer(); await closed(a.close()); return [address, family, port > 0, a.address(), b.address(), a.listening]; });
await attempt('ipv6', async () => { const a = await listen(net.createServer((s) => s.end(`${s.remoteAddress} ${s.remoteFamily}`)), 0, '::1'); const got = await text(net.connect(a.address().port, '::1')); await closed(a.close()); return got; });
await attempt('dual', async () => { const a = await listen(net.createServer((s) => s.end(`${s.remoteAddress} ${s.localFamily}`)), 0); const got = await text(net.connect(a.address().port, '127.0.0.1')); await closed(a.close()); return got; });
await attempt('localhost', async () => { const a = await listen(net.createServer((s) => s.end('found'))); const got = await text(net.connect(a.address().port)); await closed(a.close()); return got; });
await attempt('lookup', async (say) => { const a = await listen(net.createServer((s) => s.end('found'))); const c = watch(say, 'c', net.connect({ port: a.address().port, host: 'any.name', lookup: (name, options, done) => { say(name, options); done(null, options.all ? [{ address: '127.0.0.1', family: 4 }] : '127.0.0.1', 4); } })); const got = await text(c); await closed(a.close()); return got; });
await attempt('lookup wrong', async (say) => { const c = net.connect({ port: 1, host: 'any.name', lookup: (name, options, done) => done(null, options.all ? [{ address: 'x', family: 4 }] : 'x', 4) }); c.on('error', (e) => say(e.code, e.message)); await closed(c); });
await attempt('several', async (say) => { const c = net.connect({ port: 1, host: 'any.name', lookup: (name, options, done) => done(null, [{ address: '127.0.0.1', family: 4 }, { address: '127.0.0.2', family: 4 }]) }); c.on('connectionAttempt', (...a) => say('attempt', ...a)); c.on('connectionAttemptFailed', (...a) => say('failed', ...a)); c.on('error', (e) => say(e.constructor.name, e.code, e.errors.map((x) => x.message))); await closed(c); });
await attempt('timeout', async (say) => { const server = await listen(net.createServer((s) => s.resume())); const c = watch(say, 'c', net.connect(server.address().port, '127.0.0.1')); c.setTimeout(20, () => { say('called', c.timeout); c.end(); }); c.resume(); await closed(c); await closed(server.close()); });
await attempt('destroy', async (say) => { const server = await listen(net.createServer((s) => { s.on('error', () => {}); s.resume(); })); const c = watch(say, 'c', net.connect(server.address().port, '127.0.0.1')); await once(c, 'connect'); c.destroy(new Error('mine')); await closed(c); c.write('x', (e) => say(e)); await turn(); await closed(server.close()); });
await attempt('destroy connecting', async (say) => { const server = await listen(net.createServer()); const c = watch(say, 'c', net.connect(server.address().port, '127.0.0.1')); c.write('x', (e) => say(e.code)); c.destroy(); await closed(c); await closed(server.close()); });
await attempt('reset', async (say) => { const server = await listen(net.createServer((s) => { s.on('error', (e) => say('s', e)); s.on('close', (had) => say('s close', had)); s.resume(); })); const c = net.connect(server.address().port, '127.0.0.1'); await once(c, 'connect'); const done = once(server, 'connection').catch(() => {}); void done; await sleep(20); c.resetAndDestroy(); await closed(c); await sleep(20); await closed(server.close()); });
await attempt('write after end', async (say) => { const server = await listen(net.createServer((s) => s.end())); const c = watch(say, 'c', net.connect(server.address().port, '127.0.0.1')); c.resume(); await once(c, 'end'); c.write('x', (e) => say(e.code)); await closed(c); await closed(server.close()); });
await attempt('big', async () => { const data = Buffer.alloc(8 << 20, 'abcdefg'); const server = await listen(net.createServer((s) => s.pipe(s))); const c = net.connect(server.address().port, '127.0.0.1'); c.end(data); const got = await buffer(c); await closed(server.close()); return got.equals(data); });
await attempt('backpressure', async () => { let other; const server = await listen(net.createServer((s) => { other = s; s.pause(); })); const c = net.connect(server.address().port, '127.0.0.1'); await once(c, 'connect'); let full = 0; const block = Buffer.alloc(1 << 20); for (let i = 0; i < 64; i++) if (!c.write(block)) full++; await sleep(20); const waits = c.writableLength > 0 && c.writableNeedDrain; const done = once(c, 'drain'); other.resume(); await done; c.end(); await closed(c); await closed(server.close()); return [full > 0, waits, c.writableLength, c.bytesWritten]; });
await attempt('pause', async (say) => { const server = await listen(net.createServer({ pauseOnConnect: true }, (s) => { say(s.isPaused()); s.on('data', (d) => { say(String(d)); s.end(); }); setTimeout(() => s.resume(), 10); })); const c = net.connect(server.address().port, '127.0.0.1'); c.write('later'); c.resume(); await closed(c); await closed(server.close()); });
await attempt('max', async (say) => { const server = net.createServer((s) => s.end('in')); server.maxConnections = 0; server.on('drop', (d) => say('drop', Object.keys(d).sort())); await listen(server); const c = net.connect(server.address().port, '127.0.0.1'); c.on('error', () => {}); c.resume(); await closed(c); await closed(server.close()); });
await attempt('connections', async () => { const server = await listen(net.createServer()); const c = net.connect(server.address().port, '127.0.0.1'); const [s] = await once(server, 'connection'); const count = await new Promise((resolve) => { server.getConnections((e, n) => resolve([e, n])); }); s.end(); c.end(); c.resume(); s.resume(); await closed(server.close()); return count; });
await attempt('close waits', async (say) => { const server = await listen(net.createServer((s) => { s.resume(); setTimeout(() => s.end(), 10); })); const c = net.connect(server.address().port, '127.0.0.1'); c.on('close', () => say('c')); c.resume(); await once(server, 'connection'); server.close((e) => say('server', e)); await closed(server); });
await attempt('signal', async (say) => { const k = new AbortController(); const server = net.createServer(); server.listen({ port: 0, signal: k.signal }); await once(server, 'listening'); k.abort(); await closed(server); const j = new AbortController(); const c = net.connect({ port: 1, host: '127.0.0.1', signal: j.signal }); c.on('error', (e) => say(e.name)); j.abort(); await closed(c); });
await attempt('onread', async () => { const server = await listen(net.createServer((s) => s.end('0123456789'))); const out = []; const c = net.connect({ port: server.address().port, host: '127.0.0.1', onread: { buffer: Buffer.alloc(4), callback(n, b) { out.push(b.subarray(0, n).toString()); } } }); await closed(c); await closed(server.close()); return out.join(''); });
await attempt('setEncoding', async (say) => { const server = await listen(net.createServer((s) => { s.setEncoding('hex'); s.on('data', (d) => say(d)); })); const c = net.connect(server.address().port, '127.0.0.1', () => c.end('é', 'latin1')); c.resume(); await closed(c); await closed(server.close()); });
await attempt('options', async () => { const server = await listen(net.createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: 3000 }, (s) => s.end())); const c = net.connect(server.address().port, '127.0.0.1'); const same = c.setNoDelay() === c && c.setKeepAlive(true, 1000) === c && c.setTimeout(0) === c && c.ref() === c && c.unref() === c; c.ref(); c.resume(); await closed(c); await closed(server.close()); return same; });
await attempt('again', async (say) => { const server = await listen(net.createServer((s) => s.end('one'))); const c = watch(say, 'c', new net.Socket()); c.connect(server.address().port, '127.0.0.1'); c.resume(); await closed(c); c.connect(server.address().port, '127.0.0.1'); c.resume(); await closed(c); await closed(server.close()); });
await attempt('iterate', async () => { const server = await listen(net.createServer(async (s) => { let got = ''; for await (const d of s) got += d; say.push(got); })); const say = []; const c = net.connect(server.address().port, '127.0.0.1'); c.end('abc'); c.resume(); await closed(c); await closed(server.close()); return say; });
await attempt('pipeline', async () => { fs.writeFileSync('big', Buffer.alloc(1 << 20, 'q')); const server = await listen(net.createServer((s) => { pipeline(fs.createReadStream('big'), s).catch(() => {}); })); const c = net.connect(server.address().port, '127.0.0.1'); await pipeline(c, fs.createWriteStream('copy')); await closed(server.close()); return fs.statSync('copy').size; });
await attempt('finished', async () => { const server = await listen(net.createServer((s) => s.destroy())); const c = net.connect(server.address().port, '127.0.0.1'); c.resume(); c.end(); await finished(c).catch((e) => e.code); await closed(server.close()); return c.destroyed; });
for (const f of [() => net.connect(), () => net.connect({}), () => net.connect(70000), () => net.connect({ port: {} }), () => net.connect({ port: 1, host: 1 }), () => net.connect({ port: 1, lookup: 1 }), () => net.connect({ path: 1 }), () => net.createServer(1), () => net.createServer().listen(-1), () => net.createServer().listen({}), () => net.createServer().listen({ port: 'x' }), () => net.createServer({ keepAliveInitialDelay: 'x' }), () => new net.Socket({ fd: 'x' }), () => new net.Socket().setTimeout('x'), () => new net.Socket().setTimeout(-1), () => new net.Socket({ objectMode: true }), () => net.connect({ port: 1, localAddress: 'x' })]) {
  await attempt(String(f), () => { f(); });
}
await attempt('isIP', () => ['::1', '127.0.0.1', '1.2.3', '01.2.3.4', '::ffff:1.2.3.4', '1::2::3', 'fe80::1%eth0', 'g::', '1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8:9', '::', ':', '', 'abc', 1, '1.2.3.4.5', '256.1.1.1', '1:2:3:4:5:6:1.2.3.4', '::1.2.3', '::%'].map((x) => [net.isIP(x), net.isIPv4(x), net.isIPv6(x)].join()));
await attempt('BlockList', () => { const b = new net.BlockList(); b.addAddress('1.1.1.1'); b.addRange('10.0.0.1', '10.0.0.10'); b.addSubnet('8592:757c:efae:4e45::', 64, 'ipv6'); b.addSubnet('192.168.0.0', 16); return [b.check('1.1.1.1'), b.check('10.0.0.3'), b.check('10.0.0.11'), b.check('::ffff:1.1.1.1', 'ipv6'), b.check('8592:757c:efae:4e45:0::1', 'ipv6'), b.check('192.168.3.4'), b.check('nope'), b.rules, JSON.stringify(b), net.BlockList.isBlockList(b)]; });
await attempt('SocketAddress', () => { const a = new net.SocketAddress({ address: '0:0:0:0:0:0:0:1', family: 'ipv6', port: 80, flowlabel: 3 }); return [a.address, a.port, a.family, a.flowlabel, new net.SocketAddress().address, net.SocketAddress.parse('1.2.3.4:80')?.port, net.SocketAddress.parse('[::1]:9')?.address, net.SocketAddress.parse('x')]; });
for (const f of [() => new net.SocketAddress({ address: 'x' }), () => new net.SocketAddress({ family: 'x' }), () => new net.BlockList().addRange('2.2.2.2', '1.1.1.1'), () => new net.BlockList().addSubnet('1.1.1.1', 33), () => new net.BlockList().addAddress(1)]) await attempt(String(f), () => { f(); });
await attempt('shape', () => [Object.keys(net).filter((k) => !k.startsWith('_') && k !== 'BoundSocket').sort().join(), net.Socket() instanceof net.Socket, net.Server() instanceof net.Server, net.Stream === net.Socket]);
