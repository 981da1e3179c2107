// Ticks that keep throwing do not starve timers and immediates, with and without an async context.
const { AsyncLocalStorage } = require('node:async_hooks');
const domain = require('node:domain');
const circle = (first, done) => {
  let isOver = false;
  const again = (e) => isOver || process.nextTick(() => { throw e; });
  process.on('uncaughtException', again);
  setImmediate(() => setTimeout(() => {
    isOver = true;
    console.log(first, 'over');
    setImmediate(() => {
      process.off('uncaughtException', again);
      done();
    });
  }, 1));
  process.nextTick(() => { throw new Error(first); });
};
circle('plain', () => new AsyncLocalStorage().run(1, () => circle('in a context', () => {
  const d = domain.create();
  d.on('error', () => process.nextTick(() => { throw new Error('out of the domain'); }));
  d.run(() => circle('in a domain', () => console.log('end')));
})));
