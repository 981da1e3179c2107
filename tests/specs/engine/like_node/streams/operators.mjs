// The operators of Readable, Readable.from, compose, Duplex.from and pipelines of every kind of part.
import { Readable, Writable, Duplex, PassThrough, Transform, Stream, compose, pipeline, duplexPair, addAbortSignal, finished } from 'node:stream';
import * as all from 'node:stream';
import * as promises from 'node:stream/promises';
import * as consumers from 'node:stream/consumers';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { inspect, promisify } from 'node:util';
import { EventEmitter } from 'node:events';

const reported = (error) => `${error?.name} ${error?.code} ${error?.message}`;
async function attempt(label, work) {
  try {
    console.log(label, inspect(await work()));
  } catch (error) {
    console.log(label, 'failed:', reported(error), error?.cause === undefined ? '' : error.cause.name);
  }
}
const numbers = (n = 5) => Readable.from(Array.from({ length: n }, (_, i) => i + 1));
const upper = () => new Transform({ transform(chunk, encoding, callback) { callback(null, String(chunk).toUpperCase()); } });

await attempt('map', () => numbers().map((x) => x * 2).toArray());
await attempt('map async', () => numbers().map(async (x) => { await sleep(6 - x); return x; }, { concurrency: 3 }).toArray());
await attempt('map throws', () => numbers().map((x) => { if (x === 3) throw new Error('three'); return x; }).toArray());
await attempt('map wrong', () => numbers().map(1));
await attempt('map concurrency', () => numbers().map((x) => x, { concurrency: 0 }));
await attempt('filter', () => numbers().filter((x) => x % 2).toArray());
await attempt('flatMap', () => numbers(3).flatMap((x) => [x, x]).toArray());
await attempt('take', () => numbers().take(2).toArray());
await attempt('take 0', () => numbers().take(0).toArray());
await attempt('drop', () => numbers().drop(3).toArray());
await attempt('drop wrong', () => numbers().drop(-1));
await attempt('some', () => numbers().some((x) => x > 4));
await attempt('every', () => numbers().every((x) => x > 1));
await attempt('find', () => numbers().find(async (x) => x > 2));
await attempt('reduce', () => numbers().reduce((a, b) => a + b));
await attempt('reduce with', () => numbers().reduce((a, b) => a + b, 10));
await attempt('reduce none', () => Readable.from([]).reduce((a, b) => a + b));
await attempt('reduce wrong', () => numbers().reduce(3));
await attempt('forEach', async () => { const seen = []; await numbers().forEach((x) => { seen.push(x); }); return seen; });
await attempt('aborted', () => numbers().toArray({ signal: AbortSignal.abort() }));
await attempt('aborted map', () => numbers().map((x) => x, { signal: AbortSignal.abort() }).toArray());

await attempt('from string', () => Readable.from('text').toArray());
await attempt('from buffer', async () => (await Readable.from(Buffer.from('ab')).toArray()).map(String));
await attempt('from promises', () => Readable.from([Promise.resolve(1), 2]).toArray());
await attempt('from null', () => Readable.from([1, null]).toArray());
await attempt('from number', () => Readable.from(1));
await attempt('from failing', () => Readable.from((function* f() { yield 1; throw new Error('gen'); })()).toArray());
await attempt('from closed', async () => {
  const log = [];
  const r = Readable.from((async function* f() { try { yield 1; yield 2; } finally { log.push('closed'); } })());
  for await (const x of r) { log.push(x); break; }
  await turn();
  return log;
});
await attempt('from object', () => { const r = Readable.from(['a']); return [r.readableObjectMode, r.readableHighWaterMark]; });

await attempt('compose', async () => (await compose(upper(), async function* f(source) { for await (const x of source) yield `<${x}>`; }).end('abc').toArray()).map(String));
await attempt('compose method', async () => (await Readable.from(['a', 'b']).compose(upper()).toArray()).map(String));
await attempt('compose not writable', () => { try { compose(new PassThrough(), new Readable({ read() {} })); } catch (error) { return error.code; } });
await attempt('compose none', () => compose());
await attempt('compose fails', () => compose(upper(), new Transform({ transform(c, e, callback) { callback(new Error('bad')); } })).end('abc').toArray());
await attempt('duplex from pair', async () => {
  const out = [];
  const d = Duplex.from({ readable: Readable.from(['r']), writable: new Writable({ objectMode: true, write(c, e, callback) { out.push(c); callback(); } }) });
  d.end('w');
  return [await d.toArray(), await promises.finished(d).catch(reported), out];
});
await attempt('duplex from generator', async () => Duplex.from(async function* f(source) { for await (const x of source) yield x + 1; }).end(1).toArray());
await attempt('duplex from async', async () => { const out = []; const d = Duplex.from(async (source) => { for await (const x of source) out.push(x); }); d.end('z'); await promises.finished(d); return out; });
await attempt('duplex from promise', () => Duplex.from(Promise.resolve('p')).toArray());
await attempt('duplex from wrong', () => Duplex.from(1));
await attempt('duplex from function', () => Duplex.from(() => 1));
await attempt('pair', async () => {
  const [a, b] = duplexPair();
  a.end('to b');
  b.end('to a');
  return [await consumers.text(a), await consumers.text(b)];
});

await attempt('pipeline generators', () => promises.pipeline(function* f() { yield 'a'; yield 'b'; }, async function* f(source) { for await (const x of source) yield x + x; }, async (source) => { let text = ''; for await (const x of source) text += x; return text; }));
await attempt('pipeline one', () => promises.pipeline(new PassThrough()));
await attempt('pipeline no callback', () => pipeline(new PassThrough(), new PassThrough()));
await attempt('pipeline source', () => promises.pipeline(() => 1, new PassThrough()));
await attempt('pipeline middle', () => promises.pipeline(['a'], () => 1, new PassThrough()));
await attempt('pipeline last', () => promises.pipeline(['a'], () => 1));
await attempt('pipeline abort', async () => {
  const controller = new AbortController();
  const done = promises.pipeline(new Readable({ read() {} }), new PassThrough(), { signal: controller.signal });
  setImmediate(() => controller.abort(new Error('why')));
  return done;
});
await attempt('pipeline end false', async () => {
  const last = new PassThrough();
  await promises.pipeline(Readable.from(['x']), last, { end: false });
  const is = last.writableEnded;
  last.end('y');
  return [is, await consumers.text(last)];
});
await attempt('pipeline array', async () => { const out = []; await promisify(pipeline)([Readable.from(['q']), new Writable({ objectMode: true, write(c, e, f) { out.push(c); f(); } })]); return out; });
await attempt('pipeline source fails', () => promises.pipeline(new Readable({ read() { this.destroy(new Error('source')); } }), new PassThrough(), new PassThrough().resume()));
await attempt('finished twice', async () => { const p = new PassThrough().resume(); p.end(); await promises.finished(p); await promises.finished(p); return 'ok'; });
await attempt('finished premature', () => { const p = new PassThrough(); p.destroy(); return promises.finished(p); });
await attempt('finished no stream', () => finished({}, () => {}));
await attempt('finished aborted', () => promises.finished(new PassThrough(), { signal: AbortSignal.abort() }));
await attempt('finished cleanup', async () => { const p = new PassThrough().resume(); const before = p.listenerCount('error'); const done = promises.finished(p, { cleanup: true }); p.end(); await done; return p.listenerCount('error') - before; });
await attempt('signal', () => { const c = new AbortController(); const r = new Readable({ read() {}, signal: c.signal }); c.abort(); return promises.finished(r); });
await attempt('addAbortSignal wrong', () => addAbortSignal(1, new PassThrough()));
await attempt('addAbortSignal no stream', () => addAbortSignal(new AbortController().signal, {}));

await attempt('consumers', async () => [await consumers.text(Readable.from(['a', Buffer.from('é')])), await consumers.json(Readable.from(['[1', ']'])), String(await consumers.buffer(Readable.from(['b']))), (await consumers.arrayBuffer(Readable.from([Buffer.from('xyz')]))).byteLength, await consumers.bytes(Readable.from([Buffer.from('xyz')]))]);
await attempt('wrap', async () => {
  const old = new EventEmitter();
  Object.assign(old, { pause() { console.log('paused'); }, resume() { console.log('resumed'); }, extra() { return this === old; } });
  const r = new Readable({ highWaterMark: 2 }).wrap(old);
  old.emit('data', Buffer.from('one'));
  old.emit('end');
  return [r.extra(), await consumers.text(r)];
});
await attempt('legacy', async () => {
  const s = new Stream();
  s.readable = true;
  const out = [];
  s.pipe(new Writable({ write(c, e, f) { out.push(String(c)); f(); } }).on('finish', () => out.push('finish')));
  s.emit('data', 'x');
  s.emit('end');
  await turn();
  return out;
});
await attempt('dispose', async () => { const r = new Readable({ read() {} }); r.on('error', (e) => console.log(reported(e))); await r[Symbol.asyncDispose](); return r.destroyed; });
await attempt('unable', () => promises.pipeline(Readable.from([1]), new PassThrough().destroy()));
await attempt('split characters', async () => { const r = new Readable({ read() {} }); r.setEncoding('utf8'); const bytes = Buffer.from('é€😀'); for (const b of bytes) r.push(Buffer.from([b])); r.push(null); return r.toArray(); });
await attempt('states', () => { const p = new PassThrough(); return [all.isReadable(p), all.isErrored(p), all.isDisturbed(p), Stream.isReadable === all.isReadable, all.isDestroyed(p), all.isWritable(p), Stream === Stream.Stream, new Duplex() instanceof Writable, {} instanceof Writable]; });
for (const Class of [Readable, Writable, Duplex, Transform]) {
  for (const options of [{ highWaterMark: -1 }, { highWaterMark: 'x' }, { defaultEncoding: 'none' }, { encoding: 'none' }, { readableHighWaterMark: -1 }, { signal: 1 }]) {
    await attempt(`${Class.name} ${JSON.stringify(options)}`, () => { const s = new Class(options); return [s.readableHighWaterMark, s.writableHighWaterMark]; });
  }
}
for (const value of [null, undefined, 1, {}, new Uint8Array(2), new DataView(new ArrayBuffer(1)), Symbol.iterator, 'é']) {
  await attempt(`write ${String(value)}`, () => { const out = []; const w = new Writable({ write(c, e, f) { out.push(c, e); f(); } }); w.on('error', (e) => console.log(reported(e))); w.write(value); return out; });
  await attempt(`push ${String(value)}`, () => { const r = new Readable({ read() {} }); r.on('error', (e) => console.log(reported(e))); return [r.push(value), r.read()]; });
}
for (const call of [(s) => s.write('x', 'none'), (s) => s.setDefaultEncoding('none'), (s) => s._write('a', 'b', () => {}), (s) => s._read(), (s) => s._transform(), (s) => s.read(2 ** 31), (s) => s.setEncoding('none')]) {
  await attempt(String(call), () => call(new Duplex()));
}
await attempt('exports', () => Object.keys(all).filter((name) => name !== 'default' && name !== 'module.exports').sort().join());
