// Channels, stores, every form of tracing, and invalid arguments.
import dc, { channel, tracingChannel, boundedChannel, Channel } from 'node:diagnostics_channel';
import { AsyncLocalStorage } from 'node:async_hooks';
import { inspect } from 'node:util';

const plain = (part) => (part?.error instanceof Error ? { ...part, error: part.error.message } : part);
const log = (...parts) => process.stdout.write(`${parts.map((part) => (typeof part === 'string' ? part : inspect(plain(part)))).join(' ')}\n`);
const attempt = (name, run) => {
  try {
    log(name, run());
  } catch (error) {
    log(name, error.name, error.code, error.message);
  }
};
const uncaught = []; // the timing of ticks inside a module's own awaits is out of scope here
process.on('uncaughtException', (error) => uncaught.push(error.message));
process.on('exit', () => log('uncaught', uncaught));

for (const name of Object.keys(dc)) log(name, dc[name].name, dc[name].length, Object.getOwnPropertyNames(dc[name].prototype ?? {}));
const one = channel('one');
log(one === channel('one'), one.hasSubscribers, one instanceof Channel, one);
const listener = (message, name) => log('heard', message, name);
one.subscribe(listener);
log(one.hasSubscribers, one instanceof Channel, dc.hasSubscribers('one'), dc.hasSubscribers('none'), inspect(one).split('\n')[0]);
one.subscribe(() => { throw new Error('from a listener'); });
one.publish({ a: 1 });
log(one.unsubscribe(listener), one.unsubscribe(listener), dc.unsubscribe('two', listener));
one.publish('alone');
dc.subscribe(Symbol.for('s'), listener);
channel(Symbol.for('s')).publish(1);
attempt('no name', () => channel(5));
attempt('no function', () => dc.subscribe('one', 'x'));
attempt('tracing', () => tracingChannel());
attempt('tracing', () => tracingChannel(null));
attempt('tracing', () => tracingChannel({ start: 1 }));
attempt('bounded', () => boundedChannel(5));

const storage = new AsyncLocalStorage();
const other = new AsyncLocalStorage();
one.bindStore(storage);
one.bindStore(other, (data) => `changed ${data}`);
log(one.runStores('data', function(...args) { return [this, args, storage.getStore(), other.getStore()]; }, 'this', 1, 2));
one.bindStore(other, () => { throw new Error('from a transform'); });
log(one.runStores('data', () => [storage.getStore(), other.getStore()]));
log(one.unbindStore(other), one.unbindStore(other), storage.getStore());

const trace = tracingChannel('work');
const handlers = {};
for (const event of ['start', 'end', 'asyncStart', 'asyncEnd', 'error']) handlers[event] = (context, name) => log(event, name, context);
log(trace.hasSubscribers, trace.start.name, trace.end.name, trace.asyncStart.name, trace.asyncEnd.name, trace.error.name);
log(trace.traceSync((a) => a, {}, null, 'untold'));
trace.subscribe(handlers);
trace.start.bindStore(storage);
log(trace.hasSubscribers, trace.traceSync(function(a) { return [this.x, a, storage.getStore()]; }, { c: 1 }, { x: 5 }, 6));
attempt('sync', () => trace.traceSync(() => { throw new Error('sync'); }));
log(await trace.tracePromise(async () => storage.getStore(), { p: 1 }));
await trace.tracePromise(async () => { throw new Error('async'); }, {}).catch((error) => log('caught', error.message));
log(trace.tracePromise(() => 5, {}));
log(await trace.tracePromise(() => ({ then(resolve) { resolve('thenable'); } }), {}));
attempt('promise', () => trace.tracePromise(() => { throw new Error('before'); }));
await new Promise((resolve) => {
  log(trace.traceCallback((a, callback) => { setImmediate(callback, null, a); return 'given'; }, -1, { k: 1 }, null, 7, (error, result) => {
    log('called', error, result);
    resolve();
  }));
});
await new Promise((resolve) => {
  trace.traceCallback((callback) => setImmediate(callback, new Error('called back')), 0, {}, null, (error) => {
    log('called', error.message);
    resolve();
  });
});
attempt('callback', () => trace.traceCallback((a) => a, 0, {}, null, 5));
attempt('callback', () => trace.traceCallback(() => { throw new Error('thrown'); }, 0, {}, null, () => {}));
log(trace.unsubscribe(handlers), trace.unsubscribe(handlers), trace.hasSubscribers, trace.start.unbindStore(storage), trace.hasSubscribers);

const bounded = boundedChannel('span');
log(bounded.hasSubscribers, bounded.run(undefined, (a) => a, null, 1));
bounded.subscribe({ start: (context) => log('start', context), end: (context) => log('end', context) });
log(bounded.run({ b: 1 }, (a) => a, null, 2));
attempt('bounded', () => bounded.run({}, () => { throw new Error('within'); }));
{
  using scope = bounded.withScope({ scoped: true });
  log('inside', typeof scope);
}
