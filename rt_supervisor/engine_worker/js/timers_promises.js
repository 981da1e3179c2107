'use strict';
// Owns: `node:timers/promises`.
const timers = require('./timers');

function whenAborted(signal, stop, reject) {
  if (signal === undefined) return () => {};
  const onAbort = () => {
    stop();
    const error = new Error('The operation was aborted', { cause: signal.reason });
    error.name = 'AbortError';
    error.code = 'ABORT_ERR';
    reject(error);
  };
  if (signal.aborted) {
    onAbort();
    return () => {};
  }
  signal.addEventListener('abort', onAbort, { once: true });
  return () => signal.removeEventListener('abort', onAbort);
}

function later(start, stop) {
  return ({ signal, ref = true } = {}, value) => new Promise((resolve, reject) => {
    let forget = () => {};
    const handle = start(() => {
      forget();
      resolve(value);
    });
    if (!ref) handle.unref();
    forget = whenAborted(signal, () => stop(handle), reject);
  });
}

const setTimeout = (delay, value, options) => later((done) => timers.setTimeout(done, delay), timers.clearTimeout)(options, value);
const setImmediate = (value, options) => later((done) => timers.setImmediate(done), timers.clearImmediate)(options, value);

async function* setInterval(delay, value, { signal, ref = true } = {}) {
  while (!signal?.aborted) {
    await setTimeout(delay, undefined, { signal, ref });
    yield value;
  }
}

module.exports = {
  setTimeout, setImmediate, setInterval,
  scheduler: { wait: (delay, options) => setTimeout(delay, undefined, options), yield: () => setImmediate() },
};
