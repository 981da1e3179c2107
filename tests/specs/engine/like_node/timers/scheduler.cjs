// timers/promises.scheduler and invalid arguments of node:timers/promises.
const { scheduler, setTimeout: later, setImmediate: soon } = require('node:timers/promises');
(async () => {
  console.log(scheduler.constructor.name, scheduler.wait.length, scheduler.yield.length, String(await scheduler.wait(1)), String(await scheduler.yield()));
  for (const wrong of [
    () => new scheduler.constructor(), () => scheduler.yield.call({}), () => scheduler.wait.call({}), () => scheduler.wait('x'),
    () => scheduler.wait(1, { signal: 5 }), () => later('x'), () => later(1, 2, 3), () => later(1, 2, { ref: 1 }), () => soon(1, 2),
    () => scheduler.wait(1000, { signal: AbortSignal.abort() }),
  ]) {
    try {
      console.log(await wrong());
    } catch (error) {
      console.log(error.name, error.code, error.message);
    }
  }
})();
