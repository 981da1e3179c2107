// deepEquals, deepMatch, escapeHTML, peek, paths, inspect.table, sleep, isMainThread.
import { RT, later, outcome, show } from './table.mjs';

const rows = [];
class A { constructor(x) { this.x = x; } }
class B { constructor(x) { this.x = x; } }
const VALUES = [
  1, '1', NaN, 0, -0, null, undefined, true, {}, [], { a: 1 }, { a: 1, b: undefined }, { a: { b: [1, 2] } }, [1, [2]], [1, undefined], [undefined], [,], new A(1), new B(1), { x: 1 }, new Map([[1, 2]]), new Map([[1, { a: 1 }]]), new Set([1]), new Set([{ a: 1 }]),
  new Date(0), new Date(1), /a/g, /a/, new Error('x'), new Error('y'), new TypeError('x'), new Uint8Array([1]), new Uint8Array([2]), new Int8Array([1]), new ArrayBuffer(1), Object(1), Object('a'), Symbol.iterator, 1n, 2n,
];
for (const [place, left] of VALUES.entries()) {
  rows.push([`equals ${place}`, VALUES.map((right) => Number(outcome(() => RT.deepEquals(left, right))))]);
  rows.push([`equals itself anew ${place}`, [outcome(() => RT.deepEquals({ v: left }, { v: left })), outcome(() => RT.deepEquals({ v: left }, { v: left }, true))]]);
}
for (const [subset, whole] of [[{ a: 1 }, { a: 1, b: 2 }], [{ a: [1] }, { a: [1, 2] }], [1, 1], [{ a: 1 }, {}], [{ a: undefined }, {}], [[1], [1]], [{ a: NaN }, { a: NaN }], [{ a: { b: 1 } }, { a: { b: 1, c: 2 } }], [{}, { a: 1 }], [{ a: [{ b: 1 }] }, { a: [{ b: 1, c: 2 }] }], [null, {}]]) {
  rows.push([`match ${JSON.stringify([subset, whole])}`, outcome(() => RT.deepMatch(subset, whole))]);
}
for (const value of [`<a href="x">'&`, undefined, 5, null, Symbol('x'), '', 'plain', { toString: () => '<' }]) rows.push([`html ${typeof value}`, outcome(() => RT.escapeHTML(value))]);
const failed = Promise.reject(new Error('x'));
failed.catch(() => {});
for (const value of [5, Promise.resolve(3), new Promise(() => {}), undefined, failed]) rows.push(['peek', [outcome(() => RT.peek.status(value)), value === failed ? RT.peek(value).message : outcome(() => RT.peek(value))]]);
for (const path of ['/a b#c?.ts', '/x/', '/é%']) rows.push([`url ${path}`, outcome(() => RT.pathToFileURL(path))]);
for (const url of ['file:///a%20b', new URL('file:///a%20b'), 'http://x', 5, 'file://host/x', 'file:///a%2fb', 'nope']) rows.push([`path ${url}`, outcome(() => RT.fileURLToPath(url))]);
const which = (...args) => outcome(() => RT.which(...args)?.replace(/^.*\/(?=sh$)/, ''));
rows.push(['which', [which('sh'), which('no-such-program'), which('sh', { PATH: '/nope' }), which(''), which('./sh', { cwd: '/bin' }), which('/bin/sh')]]);
for (const args of [[[{ a: 1, b: 2 }]], [[{ a: 1, b: 2 }], ['a']], [[{ a: 1 }], { colors: true }], [[{ a: 1 }], ['a'], { colors: true }], [{ x: { y: 1 } }], [[1, 2]], [], [5], [[]]]) rows.push(['table', outcome(() => RT.inspect.table(...args))]);
rows.push(['resolve', [
  outcome(() => RT.resolveSync('./table.mjs', import.meta.dir).endsWith('/table.mjs')), outcome(() => RT.resolveSync('node:fs', '/')), outcome(() => RT.resolveSync('fs', '/')), await later(() => RT.resolve('./nope', import.meta.dir)), outcome(() => RT.resolveSync('')),
]]);
rows.push(['sleep', [outcome(() => RT.sleep('x')), outcome(() => RT.sleep(1)), outcome(() => RT.sleepSync('a')), outcome(() => RT.sleepSync(-1)), outcome(() => RT.sleepSync(1)), await later(() => RT.sleep(new Date(0)))]]);
const slept = (ms) => Promise.race([RT.sleep(ms).then(() => 'over'), new Promise((resolve) => setImmediate(() => setTimeout(resolve, 2, 'sleeps')))]);
rows.push(['odd sleeps', [await slept(NaN), await slept(-Infinity), outcome(() => RT.sleepSync(NaN))]]);
const text = "postMessage((globalThis.RT ?? globalThis.Bun).isMainThread)";
const worker = new Worker(URL.createObjectURL(new Blob([text], { type: 'text/javascript' })));
rows.push(['isMainThread', [RT.isMainThread, await new Promise((resolve) => (worker.onmessage = (event) => resolve(event.data)))]]);
worker.terminate();
rows.push(['kinds', [typeof RT.version, typeof RT.revision, typeof RT.cwd, typeof RT.main, RT.main === import.meta.path, Array.isArray(RT.argv), RT.env === process.env, RT.isMainThread, RT.origin, typeof RT.nanoseconds(), typeof RT.gc(true)]]);
rows.push(['which of long names', [4095, 4096, 100000].map((size) => which('a'.repeat(size)))], ['which of wide names', which('é'.repeat(2050))]);
const marked = (object, extra) => Object.assign(object, extra);
const failure = (extra, options) => marked(new Error('a', options), extra);
for (const [a, b] of [['x'.match(/x/), ['x']], ['xx'.match(/x/), 'yx'.match(/x/)], [marked([1], { a: 1 }), marked([1], { a: 2 })], [{ a: marked([1], { x: 1 }) }, { a: [1] }], [[, 1], [undefined, 1]], [[1, undefined], [1]], [failure({ code: 1 }), failure({ code: 1 })], [failure({ code: 1 }), failure({ code: 2 })], [failure({}, { cause: 1 }), failure({}, { cause: 2 })], [failure({}, { cause: { x: [1] } }), failure({}, { cause: { x: [1] } })], [failure(), new TypeError('a')]]) rows.push(['equal', [RT.deepEquals(a, b), RT.deepEquals(b, a)]]);
const engine = await import('bun:jsc');
const fields = (object) => Object.keys(object).sort();
rows.push(['engine', [
  typeof engine.heapSize(), typeof engine.fullGC(), typeof engine.edenGC(), typeof engine.gcAndSweep(), fields(engine.memoryUsage()), engine.noInline(), engine.noFTL(fields), engine.releaseWeakRefs(),
]]);
rows.push(['copies', [
  ...[new Map([[1, [2]]]), { a: new Date(5) }, 'é', 5n].map((value) => { const bytes = engine.serialize(value); const copy = engine.deserialize(bytes); return [bytes.constructor.name, copy instanceof Map ? [...copy] : outcome(() => copy)]; }),
  engine.serialize(1, { binaryType: 'nodebuffer' }).constructor.name, outcome(() => engine.deserialize(new Uint8Array(engine.serialize([1])))), outcome(() => engine.deserialize(new Uint8Array(3))), outcome(() => engine.deserialize(5)),
]]);
for (const zone of ['Asia/Tokyo', 'America/New_York', 'No/Where', undefined, 5]) rows.push([`zone ${zone}`, [outcome(() => engine.setTimeZone(zone)), new Date(0).getHours(), new Intl.DateTimeFormat().resolvedOptions().timeZone]]);
rows.push(['events', [new MessageEvent('message', { data: { a: [1] } }), { deep: { deeper: { event: new MessageEvent('message', { data: 't' }) } } }, new ErrorEvent('error', { message: 'm', error: 5 })].map((value) => RT.inspect(value))]);
rows.push(['names of builtins', ['bun', 'bun:sqlite', 'fs', 'node:fs', 'fs/promises'].map((name) => [import.meta.resolve(name), RT.resolveSync(name, '/')])]);
const aborted = (signal, options) => outcome(() => { const done = RT.spawnSync({ cmd: ['sleep', '30'], signal, ...options }); return [done.exitCode, done.signalCode, done.success, done.exitedDueToTimeout]; });
rows.push(['signals of spawnSync', [aborted(AbortSignal.timeout(5)), aborted(AbortSignal.timeout(5), { killSignal: 'SIGINT' }), aborted(AbortSignal.timeout(60000), { timeout: 5 }), aborted(AbortSignal.abort())]]);
show(rows);
