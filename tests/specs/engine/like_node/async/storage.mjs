// The AsyncLocalStorage store in every kind of callback, and the signatures of the class.
import { AsyncLocalStorage, AsyncResource, executionAsyncId, triggerAsyncId, executionAsyncResource, createHook } from 'node:async_hooks';
import fs from 'node:fs';
import net from 'node:net';
import { EventEmitter, EventEmitterAsyncResource } from 'node:events';
import { Readable, Transform, pipeline, finished } from 'node:stream';
import { spawn, exec } from 'node:child_process';
import timers from 'node:timers/promises';
import dns from 'node:dns';
const als = new AsyncLocalStorage(); const out = [];
const note = (n) => out.push(`${n}:${als.getStore()}`);
als.run('A', () => {
  setTimeout(() => note('timeout'), 5); setImmediate(() => note('immediate')); process.nextTick(() => note('tick')); queueMicrotask(() => note('microtask'));
  Promise.resolve().then(() => note('then')); (async () => { await 1; note('await'); await timers.setTimeout(2); note('timers/promises'); for await (const _ of Readable.from([1,2])) note('readable'); })();
  fs.readFile('/etc/hostname', () => note('readFile')); fs.promises.readFile('/etc/hostname').then(() => note('promises.readFile')); fs.stat('/', () => note('stat'));
  exec('true', () => note('exec')); const c = spawn('echo', ['x']); c.on('exit', () => note('exit')); c.stdout.on('data', () => note('stdout'));
  dns.lookup('localhost', () => note('lookup'));
  const i = setInterval(() => { note('interval'); clearInterval(i); }, 1);
  const ee = new EventEmitterAsyncResource({ name: 'x' }); ee.on('e', () => note('eear')); setTimeout(() => als.run('B', () => ee.emit('e')), 1);
  const t = new Transform({ transform(c, e, cb) { setTimeout(() => cb(null, c), 1); } }); pipeline(Readable.from(['a']), t, async function* (s) { for await (const x of s) note('pipeline'); }, () => note('pipeline done'));
  const thenable = { then(f) { note('thenable'); f(); } }; Promise.resolve(thenable).then(() => note('after thenable'));
  new Promise((r) => setTimeout(r, 3)).finally(() => note('finally'));
  process.on('rt', () => note('emit'));
  const ac = new AbortController(); ac.signal.addEventListener('abort', () => note('abort')); setTimeout(() => als.run('C', () => ac.abort()), 2);
});
process.emit('rt');
const server = net.createServer((s) => { note('connection'); s.on('data', () => 0); s.end('x'); });
als.run('S', () => server.listen(0, () => { note('listening'); als.run('K', () => { const k = net.connect(server.address().port, () => { note('connect'); k.write('hi'); }); k.on('data', () => note('client data')); k.on('close', () => { note('close'); server.close(() => {}); }); }); }));
const snap = als.run('D', () => AsyncLocalStorage.snapshot()); snap(() => note('snapshot')); als.run('E', () => snap(() => note('snapshot in E')));
const bound = als.run('F', () => AsyncLocalStorage.bind(function () { note('bound'); return this; })); console.log(bound.call(5), bound.length, bound.name);
als.run('G', () => { als.exit(() => note('exit')); note('after exit'); try { als.run('H', () => { throw new Error('x'); }); } catch { note('caught'); } als.enterWith('I'); note('enterWith'); });
note('outside');
{ const s = als.withScope('W'); note('scope'); s.dispose(); note('disposed'); }
const d = new AsyncLocalStorage({ defaultValue: 7, name: 'n' }); console.log(d.getStore(), d.run(undefined, () => d.getStore()), d.name);
try { new AsyncLocalStorage(null); } catch (e) { console.log(e.code, e.message); }
for (const a of [[], [1], ['', {}], ['x', { triggerAsyncId: -2 }], ['x', 'y'], ['x',null]]) try { new AsyncResource(...a); console.log('ok', JSON.stringify(a)); } catch (e) { console.log(e.code, e.message); }
try { createHook({ init: 1 }); } catch (e) { console.log(e.code, e.message); } try { createHook({ promiseResolve() {}, trackPromises: false }); } catch (e) { console.log(e.code, e.message); } try { createHook({ trackPromises: 1 }); } catch (e) { console.log(e.code, e.message); }
try { AsyncResource.bind(1); } catch (e) { console.log(e.code, e.message); }
try { new EventEmitterAsyncResource(); } catch (e) { console.log(e.code, e.message); }
als.disable(); console.log(als.getStore());
als.enterWith('top'); await 1; note('after await top'); als.enterWith(undefined);
process.on('exit', () => console.log(out.sort().join('\n')));
