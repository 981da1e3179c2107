// Web Locks: modes, queues, queries, signals, and invalid arguments.
import { locks } from 'node:worker_threads';
const log = (...values) => process.stdout.write(`${values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(' ')}\n`);
log(locks === navigator.locks, locks.request.length, locks.query.length, locks.constructor.name, Object.prototype.toString.call(locks));
const names = ({ held, pending }) => [held.map(({ name, mode }) => `${name} ${mode}`), pending.map(({ name, mode }) => `${name} ${mode}`)];
let waitingOutside;
const result = await locks.request('a', async (lock) => {
  log(lock.name, lock.mode, Object.prototype.toString.call(lock), names(await locks.query()));
  const waiting = locks.request('a', () => 5);
  log(names(await locks.query()), await locks.request('a', { ifAvailable: true }, (value) => value));
  const controller = new AbortController();
  const aborted = locks.request('a', { signal: controller.signal }, () => 1).catch((error) => log('aborted', error.name));
  controller.abort();
  await aborted;
  waitingOutside = waiting;
  return 7;
});
log(result, await waitingOutside);
for (const args of [[], ['x'], ['x', 5], ['-x', () => 1], ['x', { mode: 'bad' }, () => 1], ['x', { steal: true, ifAvailable: true }, () => 1],
  ['x', { steal: true, mode: 'shared' }, () => 1], ['x', { signal: 1 }, () => 1], ['x', { ifAvailable: true, signal: new AbortController().signal }, () => 1],
  ['x', { signal: AbortSignal.abort(new Error('r')) }, () => 1], ['x', null, () => 1], [5, () => 2]]) {
  await locks.request(...args).then((value) => log('got', value), (error) => log(error.name, error.code ?? '', error.message));
}
const { promise, resolve } = Promise.withResolvers();
const kept = locks.request('s', () => promise).catch((error) => log('stolen', error.name, error.message));
log(await locks.request('s', { steal: true }, (lock) => lock.mode));
await kept;
resolve();
const order = [];
await Promise.all([
  locks.request('z', { mode: 'shared' }, async () => { order.push(1); await new Promise(setImmediate); order.push('1 ends'); }),
  locks.request('z', { mode: 'shared' }, async () => { order.push(2); }),
  locks.request('z', async () => { order.push(3); }),
  locks.request('z', { mode: 'shared' }, async () => { order.push(4); }),
]);
log(order);
await locks.request('t', () => { throw new Error('inside'); }).catch((error) => log(error.message));
