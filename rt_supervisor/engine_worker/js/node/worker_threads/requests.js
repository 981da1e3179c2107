'use strict';
// Owns: what a worker's parent asks its thread for: figures, snapshots, profiles. Parent and worker send each other packets through
// the mailbox that the worker began with; a worker that never comes to an end of its turn answers never.

const { JSONStringify, MapDelete, MapGet, MapSet, PromiseThen } = require('internal/primordials');
const handedDown = require('internal/parts');

const profiles = new Map(); // id -> { session, stop }
let nextProfile = 1;

function post(session, method, params) {
  let answer;
  session.post(method, params, (error, result) => {
    if (error) throw error;
    answer = result;
  });
  return answer;
}

/** Start a profile, which takes samples until `stopProfile`. Returns its number. */
function startProfile(domain, start, stop, settings) {
  const session = new (require('node/inspector/session').Session)();
  session.connect();
  post(session, `${domain}.enable`);
  post(session, start, settings);
  MapSet(profiles, nextProfile, { session, stop });
  return nextProfile++;
}

const answers = {
  __proto__: null,
  heapStatistics: () => require('node/v8').getHeapStatistics(),
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
  startCpuProfile: () => startProfile('Profiler', 'Profiler.start', 'Profiler.stop'),
  startHeapProfile: (settings) =>
    startProfile('HeapProfiler', 'HeapProfiler.startSampling', 'HeapProfiler.stopSampling', settings),
  stopProfile(number) {
    const { session, stop } = MapGet(profiles, number);
    MapDelete(profiles, number);
    const { profile } = post(session, stop);
    session.disconnect();
    return JSONStringify(profile);
  },
};

/** In the worker: answer a packet `{ ask: { id, what, argument } }`; `report(kind, rest)` sends. */
function answer({ id, what, argument }, report) {
  const told = (value) => report('answer', { id, value });
  const failed = (error) => report('answer', { id, failure: `${error?.message}` });
  try {
    const value = answers[what](argument);
    if (value instanceof Promise) PromiseThen(value, told, failed);
    else told(value);
  } catch (error) {
    failed(error);
  }
}

module.exports = { answer };
