// Dependent abort signals and timeout signals are garbage-collected unless something waits for them to abort.
require('v8').setFlagsFromString('--expose-gc');
const gc = require('vm').runInNewContext('gc');

const turn = () => new Promise((resolve) => setImmediate(resolve));
/** Returns how many of `made` remain after several collections; stops early once nothing is left. */
async function alive(made, expected) {
  for (let attempt = 0; attempt < 50 && made.filter((held) => held.deref()).length > expected; attempt++) {
    await turn();
    gc();
  }
  return made.filter((held) => held.deref()).length;
}
const controller = new AbortController();
const reported = [];
const kinds = {
  dependent: () => AbortSignal.any([controller.signal]),
  'of two': () => AbortSignal.any([controller.signal, AbortSignal.timeout(2 ** 30)]),
  nested: () => AbortSignal.any([AbortSignal.any([controller.signal])]),
  'no longer awaited': () => {
    const signal = AbortSignal.any([controller.signal]);
    const listener = () => reported.push('no longer awaited');
    signal.addEventListener('abort', listener);
    signal.removeEventListener('abort', listener);
    return signal;
  },
  timeout: () => AbortSignal.timeout(2 ** 30),
  awaited: (index) => {
    const signal = AbortSignal.any([controller.signal]);
    signal.addEventListener('abort', () => reported.push(`awaited ${index}`), { once: true });
    return signal;
  },
  handled: (index) => {
    const signal = AbortSignal.any([controller.signal, new AbortController().signal]);
    signal.onabort = () => reported.push(`handled ${index}`);
    return signal;
  },
};
const HELD = ['awaited', 'handled'];

(async () => {
  for (const [kind, make] of Object.entries(kinds)) {
    const made = [];
    (() => {
      for (let index = 0; index < 3; index++) made.push(new WeakRef(make(index)));
    })();
    await turn();
    console.log(kind, await alive(made, HELD.includes(kind) ? 3 : 0));
  }
  const kept = AbortSignal.any([controller.signal]);
  controller.abort('why');
  console.log(reported.join(), kept.aborted, kept.reason);

  let timedOut = 0;
  await new Promise((resolve) => {
    const wait = () => ++timedOut === 3 && resolve();
    (() => {
      AbortSignal.timeout(5).addEventListener('abort', wait);
      AbortSignal.any([AbortSignal.timeout(5), new AbortController().signal]).addEventListener('abort', wait);
      AbortSignal.any([AbortSignal.any([AbortSignal.timeout(5)])]).onabort = wait;
    })();
    gc();
    const alarm = setInterval(gc, 1);
    process.on('exit', () => clearInterval(alarm));
  }).then(() => process.exit());
})();
process.on('exit', () => console.log('end'));
