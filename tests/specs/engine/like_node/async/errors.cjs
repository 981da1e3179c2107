// Uncaught errors are reported in the async context in which they were thrown.
const { AsyncLocalStorage } = require('async_hooks'); const als = new AsyncLocalStorage(); const seen = [];
process.on('uncaughtException', (e) => seen.push(`uncaught ${e.message} ${als.getStore()}`));
process.on('unhandledRejection', (e) => seen.push(`rejection ${e.message} ${als.getStore()}`));
als.run(1, () => { setTimeout(() => { throw new Error('t'); }, 1); process.nextTick(() => { throw new Error('n'); }); queueMicrotask(() => { throw new Error('m'); }); setImmediate(() => { throw new Error('i'); }); Promise.reject(new Error('p')); (async () => { await 1; throw new Error('q'); })();
 require('fs').stat('/', () => { throw new Error('f'); }); });
process.on('exit', () => console.log(seen.sort().join('\n')));
