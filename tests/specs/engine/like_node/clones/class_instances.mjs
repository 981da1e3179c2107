// Structured clones of class instances that contain platform objects, within a thread and across threads.
import { Worker, MessageChannel, receiveMessageOnPort, markAsUncloneable } from 'node:worker_threads';
import { once } from 'node:events';
const worker = new Worker(`
const { parentPort } = require('node:worker_threads');
const kind = (v, depth = 0) => v === null || typeof v !== 'object' ? String(v) :
  v.constructor.name + (v instanceof Map ? '(' + [...v].flat().map((each) => kind(each)) + ')' : v instanceof Set ? '(' + [...v].map((each) => kind(each)) + ')' : '{' + Object.keys(v).map((k) => k + ':' + kind(v[k])) + '}');
parentPort.on('message', (m) => { const said = kind(m); m.port?.close?.(); parentPort.postMessage(said); });`, { eval: true });
class Holder { constructor(v) { this.v = v; } get more() { return 1; } static x = 1; }
class Sub extends Holder { #hidden = 1; other = [this.v]; }
const post = async (name, v, list) => {
  try { worker.postMessage(v, list); console.log(name, (await once(worker, 'message'))[0]); } catch (e) { console.log(name, '!', e.name, e.message); }
};
for (const [name, v] of [['blob', new Blob(['a'])], ['url', new URL('a:b')], ['signal', AbortSignal.abort()], ['weak', new WeakRef({})], ['intl', new Intl.NumberFormat()], ['fn', () => 1], ['regexp', /a/], ['date', new Date(0)], ['null proto', Object.assign(Object.create(null), { a: new Blob([]) })], ['proxy', new Proxy({}, {})]]) {
  await post(`${name}`, v);
  await post(`${name} held`, new Holder(v));
  await post(`${name} in a subclass`, new Sub(v));
  await post(`${name} in a map`, new Map([[new Holder(v), new Set([new Sub(v)])]]));
  for (const f of [() => structuredClone({ a: [new Holder(v)], b: new Blob([]) })])
    try { const c = f(); console.log(name, 'cloned', c.a[0].v?.constructor?.name, c.a[0].constructor.name); } catch (e) { console.log(name, 'cloned !', e.name, e.message); }
}
const marked = { a: 1 }; markAsUncloneable(marked);
const markedBlob = new Blob([]); markAsUncloneable(markedBlob);
const markedBuffer = new ArrayBuffer(1); markAsUncloneable(markedBuffer);
for (const [name, v] of [['marked', marked], ['marked blob', markedBlob], ['marked buffer', markedBuffer]]) {
  await post(name, v); await post(`${name} held`, { v }); await post(`${name} in a class`, new Holder(v));
  for (const w of [v, [v], new Holder(v)]) try { structuredClone(w); console.log('cloned'); } catch (e) { console.log('!', e.name, e.message); }
}
const { port1, port2 } = new MessageChannel();
await post('port', new Holder(port1)); await post('port moved', { port: port1, again: new Holder(port1) }, [port1]);
port2.on('close', () => console.log('port2 closed'));
await once(port2, 'close');
const shared = new Holder(new Blob(['x']));
const twice = structuredClone({ a: shared, b: shared, c: shared.v });
console.log(twice.a === twice.b, twice.a.v === twice.c, Object.getPrototypeOf(twice.a) === Object.prototype);
const loop = new Holder(new Blob([])); loop.self = loop; const looped = structuredClone(loop); console.log(looped.self === looped);
await worker.terminate();
