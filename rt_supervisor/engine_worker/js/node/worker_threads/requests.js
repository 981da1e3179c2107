'use strict';
// Owns: requests from a worker's parent to its thread: statistics, snapshots, profiles. Both sides exchange packets through
// the worker's initial mailbox; a worker whose turn never ends does not respond.

const { PromiseThen } = require('internal/primordials');
const runtimeParts = require('internal/parts');

const answers = {
  __proto__: null,
  heapStatistics() {
    const statistics = require('node/v8').getHeapStatistics();
    return { ...statistics, does_zap_garbage: Boolean(statistics.does_zap_garbage) };
  },
  cpuUsage: () => runtimeParts.process.process.threadCpuUsage(),
  heapSnapshot: (options) =>
    new Promise((resolve, reject) => {
      let text = '';
      const stream = require('node/v8').getHeapSnapshot(options);
      stream.setEncoding('utf8');
      stream.on('data', (part) => {
        text += part;
      });
      stream.on('end', () => resolve(text));
      stream.on('error', reject);
    }),
  startCpuProfile: (options) => require('node/v8/profiles').startCpu(options),
  startHeapProfile: (options) => require('node/v8/profiles').startHeap(options, 'heap profiler have been started'),
  stopProfile: (number) => require('node/v8/profiles').stop(number),
};

/** In the worker: responds to a packet `{ ask: { id, what, argument } }`; `report(kind, rest)` sends. */
function answer({ id, what, argument }, report) {
  const succeed = (value) => report('answer', { id, value });
  const fail = (error) => report('answer', { id, failure: `${error?.message}`, code: error?.code });
  try {
    const value = answers[what](argument);
    if (value instanceof Promise) PromiseThen(value, succeed, fail);
    else succeed(value);
  } catch (error) {
    fail(error);
  }
}

module.exports = { answer };
