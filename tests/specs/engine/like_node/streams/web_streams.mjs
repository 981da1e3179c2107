// Web streams: event order, errors, byte streams, tee, pipes and the adapters to node streams.
import { Readable, Writable, Duplex, PassThrough, finished, pipeline as pipelineWithCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as consumers from 'node:stream/consumers';
import * as web from 'node:stream/web';
import { inspect } from 'node:util';
import { setImmediate as turn } from 'node:timers/promises';

const reported = (error) => (error instanceof Error ? `${error.name} ${error.code} ${error.message}` : inspect(error));
async function attempt(label, work) {
  const log = [];
  try {
    const value = await work((...parts) => log.push(parts.join(' ')));
    console.log(label, inspect(value), log.join(' | '));
  } catch (error) {
    console.log(label, 'failed:', reported(error), log.join(' | '));
  }
}
const source = (log, count = 3, more = {}) => {
  let n = 0;
  return new ReadableStream({
    start(c) { log('start', c.desiredSize); },
    pull(c) { log('pull', c.desiredSize); if (n === count) c.close(); else c.enqueue(n++); },
    cancel(reason) { log('cancel', reported(reason)); },
    ...more,
  }, more.strategy);
};
const sink = (log, more = {}) => new WritableStream({
  start() { log('start'); },
  write(chunk) { log('write', chunk); },
  close() { log('close'); },
  abort(reason) { log('abort', reported(reason)); },
  ...more,
}, more.strategy);

await attempt('iterate', async (log) => { for await (const x of source(log)) log('got', x); });
await attempt('break', async (log) => { for await (const x of source(log)) { log('got', x); break; } await turn(); });
await attempt('break kept', async (log) => { const s = source(log); for await (const x of s.values({ preventCancel: true })) { log('got', x); break; } return s.locked; });
await attempt('throw in loop', async (log) => { for await (const x of source(log)) throw new Error(`at ${x}`); });
await attempt('reader', async (log) => { const s = source(log); const r = s.getReader(); const all = await Promise.all([r.read(), r.read(), r.read(), r.read()]); await r.closed; return [all, s.locked]; });
await attempt('high water', async (log) => { source(log, 5, { strategy: { highWaterMark: 3 } }); await turn(); });
await attempt('zero', async (log) => { const s = source(log, 5, { strategy: { highWaterMark: 0 } }); await turn(); log('read'); return s.getReader().read(); });
await attempt('size', async (log) => { source(log, 5, { strategy: new ByteLengthQueuingStrategy({ highWaterMark: 10 }), pull(c) { log(c.desiredSize); c.enqueue(new Uint8Array(4)); } }); await turn(); });
await attempt('bad size', async () => { const s = new ReadableStream({ start(c) { try { c.enqueue(1); } catch (e) { return e.name; } } }, { size: () => -1 }); return s.getReader().read(); });
await attempt('start throws', () => new ReadableStream({ start() { throw new Error('start'); } }));
await attempt('start rejects', () => new ReadableStream({ async start() { throw new Error('start'); } }).getReader().read());
await attempt('pull throws', async () => { const r = new ReadableStream({ pull() { throw new Error('pull'); } }).getReader(); await r.closed.catch(() => {}); return r.read(); });
await attempt('locked', () => { const s = new ReadableStream(); s.getReader(); return s.getReader(); });
await attempt('cancel locked', () => { const s = new ReadableStream(); s.getReader(); return s.cancel(); });
await attempt('release', async () => { const r = new ReadableStream().getReader(); const p = r.read(); r.releaseLock(); const q = r.read(); return [reported(await p.catch((e) => e)), reported(await q.catch((e) => e)), reported(await r.closed.catch((e) => e))]; });
await attempt('enqueue closed', () => new ReadableStream({ start(c) { c.close(); c.enqueue(1); } }));
await attempt('close twice', () => new ReadableStream({ start(c) { c.close(); c.close(); } }));
await attempt('cancel twice', async (log) => { const s = source(log); await s.cancel('a'); await s.cancel('b'); return s.getReader().read(); });
await attempt('cancel throws', () => new ReadableStream({ cancel() { throw new Error('no'); } }).cancel());
await attempt('errored', async () => { const s = new ReadableStream({ start(c) { c.error(new Error('bad')); } }); return s.cancel(); });
await attempt('wrong type', () => new ReadableStream({ type: 'other' }));
await attempt('null source', () => new ReadableStream(null));
await attempt('wrong pull', () => new ReadableStream({ pull: 1 }));
await attempt('wrong mark', () => new ReadableStream({}, { highWaterMark: -1 }));
await attempt('wrong mode', () => new ReadableStream().getReader({ mode: 'x' }));
await attempt('byob of default', () => new ReadableStream().getReader({ mode: 'byob' }));
await attempt('wrong this', () => Reflect.get(ReadableStream.prototype, 'locked', {}));
await attempt('illegal', () => new ReadableStreamDefaultController());
await attempt('from', async () => { const out = []; for await (const x of ReadableStream.from(['a', Promise.resolve('b')])) out.push(x); return out; });
await attempt('from async', async (log) => { async function* f() { try { yield 1; yield 2; } finally { log('closed'); } } for await (const x of ReadableStream.from(f())) { log(x); break; } });
await attempt('from wrong', () => ReadableStream.from(1));

await attempt('tee', async (log) => {
  const [a, b] = source(log).tee();
  const ra = a.getReader();
  log(inspect(await ra.read()));
  ra.cancel('a');
  const out = [];
  const done = (async () => { for await (const x of b) out.push(x); })();
  await done;
  return out;
});
await attempt('tee cancel both', async (log) => { const [a, b] = source(log, 3, { cancel(r) { log(inspect(r)); } }).tee(); await Promise.all([a.cancel(1), b.cancel(2)]); });
await attempt('tee error', async () => { const [a, b] = new ReadableStream({ pull(c) { c.error(new Error('t')); } }).tee(); return [reported(await a.getReader().read().catch((e) => e)), reported(await b.getReader().read().catch((e) => e))]; });

const bytes = (log, more = {}) => {
  let n = 0;
  return new ReadableStream({
    type: 'bytes',
    pull(c) {
      log('pull', c.desiredSize, c.byobRequest ? c.byobRequest.view.byteLength : 'none');
      if (n === 3) {
        c.close();
        c.byobRequest?.respond(0);
      } else if (c.byobRequest) {
        c.byobRequest.view[0] = ++n;
        c.byobRequest.respond(1);
      } else {
        c.enqueue(new Uint8Array([++n, 10 + n]));
      }
    },
    cancel(reason) { log('cancel', reason); },
    ...more,
  }, more.strategy);
};
await attempt('bytes', async (log) => { const out = []; for await (const x of bytes(log)) out.push(x); return out; });
await attempt('bytes auto', async (log) => { const out = []; for await (const x of bytes(log, { autoAllocateChunkSize: 4 })) out.push(x); return out; });
await attempt('byob', async (log) => { const r = bytes(log).getReader({ mode: 'byob' }); const out = []; for (let view = new Uint8Array(2); ;) { const { value, done } = await r.read(view); out.push([value, done, view.byteLength]); if (done) return out; view = new Uint8Array(value.buffer); } });
await attempt('byob min', async (log) => { const r = bytes(log).getReader({ mode: 'byob' }); return r.read(new Uint8Array(5), { min: 2 }); });
await attempt('byob 16', async (log) => { const r = bytes(log, { pull(c) { log('pull'); c.enqueue(new Uint8Array([1, 2, 3])); } }).getReader({ mode: 'byob' }); return [await r.read(new Uint16Array(4)), await r.read(new Uint16Array(2))]; });
await attempt('byob empty', (log) => bytes(log).getReader({ mode: 'byob' }).read(new Uint8Array(0)));
await attempt('byob wrong', (log) => bytes(log).getReader({ mode: 'byob' }).read(1));
await attempt('byob new view', async () => { const s = new ReadableStream({ type: 'bytes', pull(c) { const v = c.byobRequest.view; c.byobRequest.respondWithNewView(new Uint8Array(v.buffer, v.byteOffset, 2)); } }); return s.getReader({ mode: 'byob' }).read(new Uint8Array(3)); });
await attempt('enqueue empty', () => new ReadableStream({ type: 'bytes', start(c) { c.enqueue(new Uint8Array(0)); } }));
await attempt('enqueue text', () => new ReadableStream({ type: 'bytes', start(c) { c.enqueue('x'); } }));
await attempt('bytes with size', () => new ReadableStream({ type: 'bytes' }, { size() {} }));
await attempt('bytes tee', async (log) => { const [a, b] = bytes(log).tee(); const out = await Promise.all([a, b].map(async (s) => { const all = []; for await (const x of s) all.push(...x); return all; })); return out; });
await attempt('bytes tee byob', async (log) => { const [a, b] = bytes(log).tee(); const x = await a.getReader({ mode: 'byob' }).read(new Uint8Array(8)); const y = await b.getReader().read(); return [x, y]; });
await attempt('transferred', () => { const chunk = new Uint8Array(3); new ReadableStream({ type: 'bytes', start(c) { c.enqueue(chunk); } }); return chunk.byteLength; });
await attempt('byob release', async (log) => { const s = bytes(log, { pull() {} }); const r = s.getReader({ mode: 'byob' }); const p = r.read(new Uint8Array(2)); r.releaseLock(); return [reported(await p.catch((e) => e)), s.locked]; });

await attempt('write', async (log) => { const w = sink(log).getWriter(); log(w.desiredSize); const p = w.write('a'); log(w.desiredSize); await w.ready; log('ready'); await p; w.write('b'); await w.close(); await w.closed; return w.desiredSize; });
await attempt('write fails', async (log) => { const w = sink(log, { write() { throw new Error('w'); } }).getWriter(); w.closed.catch((e) => log('closed', e.message)); w.ready.catch((e) => log('ready', e.message)); await w.write(1).catch((e) => log('write', e.message)); return reported(await w.write(2).catch((e) => e)); });
await attempt('abort', async (log) => { const w = sink(log, { write() { return new Promise((r) => { setImmediate(r); }); } }).getWriter(); const p = w.write(1); const q = w.write(2); p.then(() => log('p'), (e) => log('p failed', reported(e))); q.catch((e) => log('q failed', reported(e))); await w.abort('why'); return reported(await w.closed.catch((e) => e)); });
await attempt('signal', async (log) => { const s = new WritableStream({ write(x, c) { return new Promise((_, fail) => { c.signal.onabort = () => { log('aborted'); fail(c.signal.reason); }; }); } }); const w = s.getWriter(); w.write(1).catch((e) => log('write', e)); await turn(); await w.abort('r').catch((e) => log('abort', e)); });
await attempt('close twice w', async (log) => { const w = sink(log).getWriter(); w.close(); return w.close(); });
await attempt('close locked', (log) => { const s = sink(log); s.getWriter(); return s.close(); });
await attempt('released writer', async (log) => { const w = sink(log).getWriter(); w.releaseLock(); return [reported(await w.write(1).catch((e) => e)), reported(await w.closed.catch((e) => e)), reported(await w.ready.catch((e) => e))]; });
await attempt('desired released', (log) => { const w = sink(log).getWriter(); w.releaseLock(); return w.desiredSize; });
await attempt('sink type', () => new WritableStream({ type: 'x' }));
await attempt('controller error', async (log) => { let c; const s = new WritableStream({ start(k) { c = k; } }); const w = s.getWriter(); c.error(new Error('ce')); return reported(await w.write(1).catch((e) => e)); });
await attempt('order', async (log) => { const w = sink(log, { async write(x) { log('begin', x); await turn(); log('end', x); } }).getWriter(); w.write(1); w.write(2); await w.close(); });

// When exactly a pipe reads ahead is not part of the standard.
const quiet = (log, ...rest) => source((...parts) => { if (parts[0] === 'cancel') log(...parts); }, ...rest);
await attempt('pipe', async (log) => { await quiet(log).pipeTo(sink(log)); });
await attempt('pipe prevent close', async (log) => { const s = sink(log); await quiet(log).pipeTo(s, { preventClose: true }); return s.locked; });
await attempt('pipe source fails', (log) => quiet(log, 1, { pull(c) { c.error(new Error('src')); } }).pipeTo(sink(log)));
await attempt('pipe target fails', (log) => quiet(log).pipeTo(sink(log, { write() { throw new Error('dst'); } })));
await attempt('pipe prevent abort', async (log) => { const s = sink(log); await quiet(log, 1, { pull(c) { c.error(new Error('src')); } }).pipeTo(s, { preventAbort: true }).catch((e) => log(e.message)); await s.getWriter().write('after'); });
await attempt('pipe signal', async (log) => { const c = new AbortController(); const p = quiet(log, 1, { async pull(c) { await turn(); c.enqueue(1); } }).pipeTo(sink(log, { write() {} }), { signal: c.signal }); await turn(); c.abort('stop'); return p; });
await attempt('pipe aborted', (log) => quiet(log).pipeTo(sink(log), { signal: AbortSignal.abort('now') }));
await attempt('pipe closed', async (log) => { const s = sink(log); await s.close(); return quiet(log).pipeTo(s); });
await attempt('pipe wrong', (log) => quiet(log).pipeTo(1));
await attempt('through wrong', (log) => quiet(log).pipeThrough({}));
await attempt('backpressure', async (log) => { await quiet(log, 4).pipeTo(sink(log, { async write(x) { log('slow', x); await turn(); }, strategy: { highWaterMark: 2 } })); });

await attempt('transform', async (log) => { const source = quiet; const t = new TransformStream({ start() { log('start'); }, transform(x, c) { log('t', x); c.enqueue(x * 2); }, flush(c) { log('flush'); c.enqueue('end'); } }); const out = []; for await (const x of source(log).pipeThrough(t)) out.push(x); return out; });
await attempt('identity', async (log) => { const out = []; for await (const x of source(log).pipeThrough(new TransformStream())) out.push(x); return out; });
await attempt('transform fails', async (log) => { const out = []; for await (const x of source(log).pipeThrough(new TransformStream({ transform() { throw new Error('t'); } }))) out.push(x); return out; });
await attempt('terminate', async (log) => { const t = new TransformStream({ transform(x, c) { c.enqueue(x); c.terminate(); } }); const out = []; for await (const x of source(log).pipeThrough(t)) out.push(x); await turn(); return out; });
await attempt('transform cancel', async (log) => { const t = new TransformStream({ cancel(r) { log('cancel', r); } }); await t.readable.cancel('x'); return reported(await t.writable.getWriter().write(1).catch((e) => e)); });
await attempt('transform abort', async (log) => { const t = new TransformStream({ cancel(r) { log('cancel', r); } }); await t.writable.abort('y'); return reported(await t.readable.getReader().read().catch((e) => e)); });
await attempt('transform type', () => new TransformStream({ readableType: 'bytes' }));
await attempt('encoder', async () => { const out = []; const t = new TextEncoderStream(); const w = t.writable.getWriter(); for (const x of ['a\ud83d', '\ude00b', '', '\ud800', 'c', 5]) w.write(x); w.close(); for await (const x of t.readable) out.push([...x]); return [out, t.encoding]; });
await attempt('decoder', async () => { const out = []; const t = new TextDecoderStream(); const w = t.writable.getWriter(); for (const x of Buffer.from('\ufeffé€😀')) w.write(new Uint8Array([x])); w.close(); for await (const x of t.readable) out.push(x); return [out, t.encoding, t.fatal, t.ignoreBOM]; });
await attempt('decoder fatal', async () => { const t = new TextDecoderStream('utf-8', { fatal: true }); const w = t.writable.getWriter(); w.write(new Uint8Array([0xff])).catch(() => {}); w.closed.catch(() => {}); return t.readable.getReader().read().catch((e) => e.name); });
await attempt('strategies', () => { const c = new CountQueuingStrategy({ highWaterMark: 3 }); const b = new ByteLengthQueuingStrategy({ highWaterMark: '4' }); return [c.highWaterMark, c.size(), b.highWaterMark, b.size({ byteLength: 7 }), c.size.name, c.size === new CountQueuingStrategy({ highWaterMark: 1 }).size]; });
await attempt('strategy wrong', () => new CountQueuingStrategy());
await attempt('strategy empty', () => new CountQueuingStrategy({}));

await attempt('readable to web', async () => { const out = []; for await (const x of Readable.toWeb(Readable.from(['a', 'b']))) out.push(x); return out; });
await attempt('bytes to web', async () => { const out = []; for await (const x of Readable.toWeb(Readable.from([Buffer.from('ab')], { objectMode: false }))) out.push(x); return out; });
await attempt('failing to web', () => Readable.toWeb(new Readable({ read() { this.destroy(new Error('r')); } })).getReader().read());
await attempt('cancel to web', async () => { const r = new Readable({ read() {} }); r.on('error', () => {}); await Readable.toWeb(r).cancel(new Error('c')); return [r.destroyed, reported(r.errored)]; });
await attempt('from web', async (log) => Readable.fromWeb(source(log), { objectMode: true }).map((x) => x + 1).toArray());
await attempt('from web destroy', async (log) => { const r = Readable.fromWeb(source(log)); r.on('error', () => {}); r.destroy(new Error('d')); await turn(); });
await attempt('writable to web', async (log) => { const w = Writable.toWeb(new Writable({ objectMode: true, highWaterMark: 1, write(x, e, f) { log('write', x); setImmediate(f); } }).on('finish', () => log('finish'))); const k = w.getWriter(); k.write(1); k.write(2); k.write(3); await k.close(); });
await attempt('writable from web', async (log) => { const w = Writable.fromWeb(sink(log), { objectMode: true }); w.write('x'); w.end('y'); await new Promise((resolve) => { finished(w, (e) => { log('finished', e); resolve(); }); }); });
await attempt('duplex to web', async () => { const p = Duplex.toWeb(new PassThrough()); const w = p.writable.getWriter(); w.write(Buffer.from('through')); w.close(); return consumers.text(p.readable); });
await attempt('duplex from web', async () => { const d = Duplex.fromWeb(new TransformStream(), { encoding: 'utf8' }); d.end('there'); return consumers.text(d); });
await attempt('pipeline of webs', async (log) => { await pipeline(source(log), new TransformStream({ transform(x, c) { c.enqueue(x + 1); } }), sink(log)); });
await attempt('pipeline mixed', async (log) => pipeline(ReadableStream.from(['a', 'b']), new PassThrough({ objectMode: true }), async (all) => { let s = ''; for await (const x of all) s += x; return s; }));
await attempt('finished of web', async (log) => { const s = source(log); const done = new Promise((resolve) => { finished(s, (e) => resolve(reported(e))); }); for await (const _ of s); return done; });
await attempt('duplex from pair', async () => { const d = Duplex.from({ readable: ReadableStream.from(['r']), writable: new WritableStream() }); d.end('x'); return d.toArray(); });
await attempt('exports', () => Object.keys(web).filter((k) => !/default|Tee|module/i.test(k)).sort().join());
await attempt('shape', () => [Object.prototype.toString.call(new ReadableStream()), ReadableStream.length, ReadableStream.prototype.pipeTo.length, Object.keys(ReadableStream.prototype).join(), inspect(new WritableStream()), Object.keys(WritableStreamDefaultWriter.prototype).join(), Symbol.asyncIterator in ReadableStream.prototype]);
for (const type of [undefined, 'bytes']) await attempt(`tee of a locked stream ${type}`, async () => { const stream = new ReadableStream({ type }); stream.getReader(); stream.tee(); });
