// @ts-check
'use strict';
// Owns: what `rt:jsc` (the peer's name for its engine's inner doors) means with V8: collecting, sizes of heap and process, values as
// bytes, the time zone, microtasks. Advice to the peer's compiler is taken and changes nothing. The rest is refused.

const handedDown = require('internal/parts');
const { bytesOf } = require('internal/bytes');
const { members } = require('node/missing/missing');
const { MathMax, TypedArraySet } = require('internal/primordials');
const native = host.native;

const heapSize = () => require('node/v8').getHeapStatistics().used_heap_size;

/** Collect garbage, and say how large the heap is then. */
function collect() {
  native.process_collectGarbage(true);
  return heapSize();
}

function memoryUsage() {
  const { process } = handedDown.process;
  const { rss: current } = process.memoryUsage();
  const { maxRSS, majorPageFault } = process.resourceUsage();
  const peak = MathMax(maxRSS * 1024, current);
  return { current, peak, currentCommit: current, peakCommit: peak, pageFaults: majorPageFault };
}

/**
 * A copy of `value` as bytes: a SharedArrayBuffer, or a Buffer for the binary type "nodebuffer".
 * @param {unknown} value
 * @param {{ binaryType?: string }} [options]
 */
function serialize(value, options = undefined) {
  const { Buffer } = require('node/buffer/buffer');
  const bytes = require('node/v8').serialize(value);
  if (options?.binaryType === 'nodebuffer') return Buffer.from(bytes);
  const shared = new SharedArrayBuffer(bytes.length);
  TypedArraySet(new Uint8Array(shared), bytes);
  return shared;
}

function deserialize(input) {
  const bytes = bytesOf(input);
  if (bytes === undefined) throw new TypeError('First argument must be an ArrayBuffer');
  try {
    return require('node/v8').deserialize(bytes);
  } catch {
    throw new TypeError('Unable to deserialize data.');
  }
}

/** The zone of all dates from now on; returns its name. An empty one is the system's. */
function setTimeZone(zone) {
  if (typeof zone !== 'string') throw new TypeError('setTimeZone requires a timezone string');
  const { env } = handedDown.process.process;
  if (zone === '') {
    delete env.TZ;
    return '';
  }
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
  } catch {
    throw new TypeError(`Invalid timezone: "${zone}"`);
  }
  env.TZ = zone;
  return zone;
}

const advice = (name) => ({ [name]() {} })[name];

const REFUSED =
  'callerSourceOrigin/0 describe/1 describeArray/1 estimateShallowMemoryUsageOf/1 generateHeapSnapshotForDebugging/0 ' +
  'getProtectedObjects/0 getRandomSeed/0 heapStats/0 isRope/1 jscDescribe/1 numberOfDFGCompiles/1 percentAvailableMemoryInUse/0 ' +
  'profile/2 reoptimizationRetryCount/1 setRandomSeed/1 setTimeout/0 startRemoteDebugger/2 startSamplingProfiler/0 ' +
  'samplingProfilerStackTraces/0 totalCompileTime/0';

module.exports = {
  ...members('rt:jsc', REFUSED),
  heapSize,
  fullGC: () => collect(),
  edenGC: () => collect(),
  gcAndSweep: () => collect(),
  memoryUsage,
  serialize,
  deserialize,
  setTimeZone,
  drainMicrotasks() {
    require('internal/timers').drain();
  },
  releaseWeakRefs: advice('releaseWeakRefs'),
  noInline: advice('noInline'),
  noFTL: advice('noFTL'),
  noOSRExitFuzzing: advice('noOSRExitFuzzing'),
  optimizeNextInvocation: advice('optimizeNextInvocation'),
};
