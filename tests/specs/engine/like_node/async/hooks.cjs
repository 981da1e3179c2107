// Events that createHook reports for timers, ticks, microtasks, promises and AsyncResource instances.
const ah = require('node:async_hooks'); const fs = require('fs');
const log = []; const ended = []; const ids = new Map(); const n = (id) => { if (!ids.has(id)) ids.set(id, ids.size); return ids.get(id); };
const hook = ah.createHook({
  init(id, type, t, r) { log.push(`init ${n(id)} ${type} trigger ${n(t)} exec ${n(ah.executionAsyncId())} ${typeof r}`); },
  before(id) { log.push(`before ${n(id)} ${ah.executionAsyncId() === id}`); }, after(id) { log.push(`after ${n(id)}`); },
  destroy(id) { ended.push(`destroy ${n(id)}`); }, promiseResolve(id) { log.push(`resolve ${n(id)}`); } });
hook.enable().enable();
n(ah.executionAsyncId());
setTimeout(() => { log.push('timeout runs'); Promise.resolve(1).then(() => log.push('reaction')); setImmediate(() => { log.push('immediate runs'); process.nextTick(() => log.push('tick runs')); }); }, 1);
process.nextTick((a) => log.push('tick ' + a), 5);
queueMicrotask(() => log.push('micro'));
const r = new ah.AsyncResource('MINE'); r.runInAsyncScope(() => { log.push('in mine ' + (ah.executionAsyncId() === r.asyncId()) + (ah.executionAsyncResource() === r)); }); r.emitDestroy();
(async () => { await null; log.push('awaited'); })();
const c = setTimeout(() => {}, 100); clearTimeout(c);
setTimeout(() => { hook.disable(); Promise.resolve().then(() => {}); setTimeout(() => console.log(log.concat(ended.sort()).join('\n')), 5); }, 30);
