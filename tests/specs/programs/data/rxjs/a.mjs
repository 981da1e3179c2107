import * as rx from 'rxjs';
import { fromFetch } from 'rxjs/fetch';
import { webSocket } from 'rxjs/webSocket';
import { createServer } from 'node:http';
import { format } from 'node:util';

const log = (...values) => process.stdout.write(`${format(...values)}
`);
const tried = async (name, work) => { try { log(name, await work()); } catch (error) { log(name, 'failed:', error.name, error.code ?? '', error.message); } };

const all = (stream) => rx.lastValueFrom(stream.pipe(rx.toArray()), { defaultValue: [] });
await tried('sources', async () => [await all(rx.range(1, 3)), await all(rx.from(Promise.resolve('p'))), await all(rx.from((async function* () { yield 1; yield 2; })())), await all(rx.from(new ReadableStream({ start(c) { c.enqueue('r'); c.close(); } }))), await all(rx.generate(1, (n) => n < 20, (n) => n * 3)), await all(rx.fromEvent(Object.assign(new EventTarget()), 'x').pipe(rx.takeUntil(rx.timer(1))))]);
await tried('operators', () => all(rx.interval(1).pipe(rx.take(6), rx.filter((n) => n % 2 === 0), rx.scan((a, b) => a + b), rx.mergeMap((n) => rx.of(n, -n).pipe(rx.delay(1)), 1))));
await tried('combine', async () => [await all(rx.forkJoin({ a: rx.of(1), b: [2] })), await all(rx.zip([1, 2], ['a', 'b', 'c'])), await all(rx.combineLatest([rx.of(1, 2), rx.of('x')])), await all(rx.concat([1], rx.of(2))), await all(rx.race(rx.timer(500), rx.of('first')))]);
await tried('retry', () => { let n = 0; return all(rx.defer(() => (++n < 3 ? rx.throwError(() => new Error(`try ${n}`)) : rx.of(n))).pipe(rx.retry({ count: 3, delay: 1 }))); });
await tried('empty', () => rx.firstValueFrom(rx.EMPTY)); await tried('timeout', () => rx.lastValueFrom(rx.NEVER.pipe(rx.timeout(5)))); await tried('many', () => rx.lastValueFrom(rx.of(1, 2).pipe(rx.single()))); await tried('finalize', () => all(rx.of(1).pipe(rx.finalize(() => log('finally')), rx.catchError(() => []))));
const subject = new rx.BehaviorSubject('start'), replay = new rx.ReplaySubject(2), seen = []; subject.pipe(rx.distinctUntilChanged(), rx.pairwise()).subscribe(replay); subject.next('a'); subject.next('a'); subject.next('b'); subject.complete(); replay.subscribe({ next: (pair) => seen.push(pair), complete: () => seen.push('done') }); log(seen, subject.closed, subject.value);
const order = []; rx.asapScheduler.schedule(() => order.push('asap')); rx.asyncScheduler.schedule(() => order.push('async'), 0); rx.queueScheduler.schedule(() => order.push('queue')); rx.scheduled([1], rx.asapScheduler).subscribe((n) => order.push(n)); await new Promise((done) => setTimeout(done, 20)); log(order);
const server = createServer((request, response) => response.end(`{"u":"${request.url}"}`)).listen(0); await new Promise((done) => server.once('listening', done)); await tried('fetch', () => all(fromFetch(`http://localhost:${server.address().port}/f`, { selector: (answer) => answer.json() }))); await tried('socket', () => rx.lastValueFrom(webSocket('ws://127.0.0.1:1')).catch((event) => event.type)); server.close(); server.closeAllConnections();
await tried('unhandled', () => new Promise((done) => { rx.config.onUnhandledError = (error) => done(error.message); rx.throwError(() => new Error('nobody')).subscribe(); }));
