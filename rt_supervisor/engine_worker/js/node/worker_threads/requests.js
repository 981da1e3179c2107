'use strict';
// Owns: what a worker's parent asks its thread for: figures, snapshots, profiles. Parent and worker send each other packets through
// the mailbox that the worker began with; a worker that never comes to an end of its turn answers never.

const { PromiseThen } = require('internal/primordials');
const handedDown = require('internal/parts');

const answers = {
  __proto__: null,
  heapStatistics() {
    const found = require('node/v8').getHeapStatistics();
    return { ...found, does_zap_garbage: Boolean(found.does_zap_garbage) };
  },
  cpuUsage: () => handedDown.process.process.threadCpuUsage(),
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

/** In the worker: answer a packet `{ ask: { id, what, argument } }`; `report(kind, rest)` sends. */
function answer({ id, what, argument }, report) {
  const told = (value) => report('answer', { id, value });
  const failed = (error) => report('answer', { id, failure: `${error?.message}`, code: error?.code });
  try {
    const value = answers[what](argument);
    if (value instanceof Promise) PromiseThen(value, told, failed);
    else told(value);
  } catch (error) {
    failed(error);
  }
}

module.exports = { answer };
