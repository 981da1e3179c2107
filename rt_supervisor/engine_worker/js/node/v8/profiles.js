'use strict';
// Owns: profiles of the program's own thread (`v8.startCpuProfile`, `v8.startHeapProfile`) or of a worker's: their options,
// and running profiles by number. The inspector takes the samples; each profile has its own session.

const { ArrayMap, ArraySlice, JSONStringify, MapDelete, MapGet, MapSet, MathFloor } = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { validateBoolean, validateInteger, validateInt32, validateNumber, validateObject } = require('internal/validators');

const LONGEST_MS = 2 ** 31 / 1000 - 0.001;
const US_PER_MS = 1000;
const MOST_SAMPLES = 2 ** 32 - 1;

const running = new Map(); // number -> { session, stop, finish }
let nextNumber = 1;
let heapNumber; // of the heap profile, of which only one can run at a time

function post(session, method, params = undefined) {
  let answer;
  session.post(method, params, (error, result) => {
    if (error) throw error;
    answer = result;
  });
  return answer;
}

/** Connects a session, starts a profile with `begin(session)`, and returns its number. */
function startProfile(begin, stop, finish) {
  const session = new (require('node/inspector/session').Session)();
  session.connect();
  begin(session);
  MapSet(running, nextNumber, { session, stop, finish });
  return nextNumber++;
}

/** Validates the options of a CPU profile. */
function checkCpuOptions(options = {}) {
  validateObject(options, 'options');
  const { sampleInterval, maxBufferSize } = options;
  if (sampleInterval !== undefined) validateNumber(sampleInterval, 'options.sampleInterval', 0, LONGEST_MS);
  if (maxBufferSize !== undefined) validateNumber(maxBufferSize, 'options.maxBufferSize', 1, MOST_SAMPLES);
}

/** Validates the options of a heap profile. */
function checkHeapOptions(options = {}) {
  validateObject(options, 'options');
  const { sampleInterval, stackDepth, forceGC, includeObjectsCollectedByMajorGC, includeObjectsCollectedByMinorGC } = options;
  if (sampleInterval !== undefined) validateInteger(sampleInterval, 'options.sampleInterval', 1);
  if (stackDepth !== undefined) validateInt32(stackDepth, 'options.stackDepth', 0);
  if (forceGC !== undefined) validateBoolean(forceGC, 'options.forceGC');
  if (includeObjectsCollectedByMajorGC !== undefined)
    validateBoolean(includeObjectsCollectedByMajorGC, 'options.includeObjectsCollectedByMajorGC');
  if (includeObjectsCollectedByMinorGC !== undefined)
    validateBoolean(includeObjectsCollectedByMinorGC, 'options.includeObjectsCollectedByMinorGC');
}

// A profile's JSON has script IDs as numbers, where the inspector reports strings, and Node's property order.

function cpuNode({ id, hitCount, callFrame, ...rest }) {
  const { functionName, lineNumber, columnNumber, scriptId, url } = callFrame;
  return { id, hitCount, callFrame: { functionName, lineNumber, columnNumber, scriptId: Number(scriptId), url }, ...rest };
}

function heapNode({ selfSize, id, callFrame, children }) {
  const { scriptId, lineNumber, columnNumber, functionName, url } = callFrame;
  return {
    selfSize,
    id,
    callFrame: { scriptId: Number(scriptId), lineNumber, columnNumber, functionName, url },
    children: ArrayMap(children, heapNode),
  };
}

/** Starts a CPU profile with validated options; returns its number. */
function startCpu({ sampleInterval, maxBufferSize } = {}) {
  const begin = (session) => {
    post(session, 'Profiler.enable');
    // V8 takes whole microseconds, at least one.
    const interval = MathFloor((sampleInterval ?? 0) * US_PER_MS);
    if (interval > 0) post(session, 'Profiler.setSamplingInterval', { interval });
    post(session, 'Profiler.start');
  };
  const cut = (list) => (maxBufferSize === undefined ? list : ArraySlice(list, 0, maxBufferSize));
  const finish = ({ nodes, startTime, endTime, samples, timeDeltas }) => ({
    nodes: ArrayMap(nodes, cpuNode),
    startTime,
    endTime,
    samples: cut(samples),
    timeDeltas: cut(timeDeltas),
  });
  return startProfile(begin, 'Profiler.stop', finish);
}

/** Starts a heap profile with validated options; returns its number. Throws `problem` if another is running. */
function startHeap(options = {}, problem = undefined) {
  if (heapNumber !== undefined) throw new codes.ERR_HEAP_PROFILE_HAVE_BEEN_STARTED(problem);
  const { sampleInterval, stackDepth, forceGC } = options;
  const begin = (session) => {
    post(session, 'HeapProfiler.enable');
    if (forceGC) host.native.process_collectGarbage(true);
    post(session, 'HeapProfiler.startSampling', {
      ...(sampleInterval !== undefined && { samplingInterval: sampleInterval }),
      ...(stackDepth > 0 && { stackDepth }),
      includeObjectsCollectedByMajorGC: options.includeObjectsCollectedByMajorGC ?? false,
      includeObjectsCollectedByMinorGC: options.includeObjectsCollectedByMinorGC ?? false,
    });
  };
  heapNumber = startProfile(begin, 'HeapProfiler.stopSampling', ({ samples, head }) => ({ samples, head: heapNode(head) }));
  return heapNumber;
}

/** Stops a profile; returns its JSON. */
function stop(number) {
  const { session, stop: method, finish } = MapGet(running, number);
  MapDelete(running, number);
  if (number === heapNumber) heapNumber = undefined;
  const { profile } = post(session, method);
  session.disconnect();
  return JSONStringify(finish(profile));
}

/** Makes a class of that name whose instances are running profiles of this thread. */
const handleClass = (name) =>
  ({
    [name]: class {
      #number;

      constructor(number) {
        this.#number = number;
      }

      /** Returns the profile's JSON on the first call. */
      stop() {
        const number = this.#number;
        if (number === undefined) return undefined;
        this.#number = undefined;
        return stop(number);
      }

      [Symbol.dispose]() {
        this.stop();
      }
    },
  })[name];
const SyncCPUProfileHandle = handleClass('SyncCPUProfileHandle');
const SyncHeapProfileHandle = handleClass('SyncHeapProfileHandle');

function startCpuProfile(options) {
  checkCpuOptions(options);
  return new SyncCPUProfileHandle(startCpu(options));
}

function startHeapProfile(options) {
  checkHeapOptions(options);
  return new SyncHeapProfileHandle(startHeap(options));
}

module.exports = { checkCpuOptions, checkHeapOptions, startCpu, startHeap, stop, startCpuProfile, startHeapProfile };
