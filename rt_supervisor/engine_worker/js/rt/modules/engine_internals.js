// @ts-check
'use strict';
// Owns: `rt:jsc` (`bun:jsc`), which exposes internals of Bun's engine, implemented for V8: garbage collection, heap and process
// sizes, serialization, the time zone, microtasks. Hints to Bun's compiler are accepted and ignored; other functions throw.

const runtimeParts = require('internal/parts');
const { bytesOf } = require('internal/bytes');
const { members } = require('node/missing/missing');
const { MathMax, TypedArraySet } = require('internal/primordials');
const native = host.native;

const heapSize = () => require('node/v8').getHeapStatistics().used_heap_size;

/** Collects garbage and returns the size of the heap afterwards. */
function collect() {
  native.process_collectGarbage(true);
  return heapSize();
}

function memoryUsage() {
  const { process } = runtimeParts.process;
  const { rss: current } = process.memoryUsage();
  const { maxRSS, majorPageFault } = process.resourceUsage();
  const peak = MathMax(maxRSS * 1024, current);
  return { current, peak, currentCommit: current, peakCommit: peak, pageFaults: majorPageFault };
}

/**
 * Serializes `value` to a SharedArrayBuffer, or to a Buffer for the binary type "nodebuffer".
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

/** Sets the time zone of all dates and returns its name. An empty name selects the system's zone. */
function setTimeZone(zone) {
  if (typeof zone !== 'string') throw new TypeError('setTimeZone requires a timezone string');
  const { env } = runtimeParts.process.process;
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
