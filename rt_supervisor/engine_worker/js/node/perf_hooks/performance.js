'use strict';
// Owns: the global `performance`: the clock, the timeline of marks, measures and resources, and the milestones of rt's
// start-up.

const native = host.native;
const startValues = require('internal/start_values');
const runtimeParts = require('internal/parts');
const {
  ArrayFilter,
  ArrayFlat,
  ArrayIncludes,
  ArrayPush,
  ArraySlice,
  ArraySort,
  MapClear,
  MapDelete,
  MapGet,
  MathMax,
  MathTrunc,
  ObjectDefineProperties,
  ObjectDefineProperty,
  ObjectValues,
  SymbolFor,
  WeakSetAdd,
  WeakSetHas,
  intact,
} = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { EventTarget, defineEventHandler } = require('web/event_target');
const entries = require('node/perf_hooks/entries');
const { enqueue, setBuffered } = require('node/perf_hooks/observer');
const { timerify } = require('node/perf_hooks/timerify');
const { eventLoopUtilization, loopStart, loopEnd, idleTime, loopCounts } = require('node/perf_hooks/utilization');
const { inspectNamed } = require('internal/inspect/named');

const { kOwn, clone, markTimes, PerformanceEntry, PerformanceMark, PerformanceMeasure } = entries;
const timeline = { __proto__: null, mark: [], measure: [], resource: [] };
const RESOURCES = 250;
let mostResources = RESOURCES;
let isFull = false;
let overflow = [];

function check(performance) {
  if (performance === null || typeof performance !== 'object' || !WeakSetHas(performances, performance)) {
    throw new codes.ERR_INVALID_THIS('Performance');
  }
}
const performances = new WeakSet();
const requireArguments = (args, name) => {
  if (args.length === 0) throw new codes.ERR_MISSING_ARGS(name);
};

const now = () => native.now() - startValues.startedAt;

function findEntries(name, type) {
  const lists = type === undefined ? ObjectValues(timeline) : [timeline[type] ?? []];
  const all = ArrayFlat(lists);
  const matches = name === undefined ? all : ArrayFilter(all, (entry) => entry.name === name);
  return ArraySort(matches, (first, second) => first.startTime - second.startTime);
}
setBuffered(findEntries);

function forget(type, name) {
  timeline[type] = name === undefined ? [] : ArrayFilter(timeline[type], (entry) => entry.name !== name);
}

// --- marks and measures

const milestones = () => performance.nodeTiming;

function timeOf(mark) {
  if (typeof mark === 'number') {
    if (mark < 0) throw new codes.ERR_PERFORMANCE_INVALID_TIMESTAMP(mark);
    return mark;
  }
  const name = `${mark}`;
  if (ArrayIncludes(['nodeStart', 'v8Start', 'environment', 'loopStart', 'loopExit', 'bootstrapComplete'], name))
    return milestones()[name];
  const time = MapGet(markTimes, name);
  if (time !== undefined) return time;
  const { DOMException } = require('internal/dom_exception');
  throw new DOMException(`The "${name}" performance mark has not been set`, 'SyntaxError');
}

function endOf(options, endMark) {
  if (endMark !== undefined) return timeOf(endMark);
  if (options?.end !== undefined) return timeOf(options.end);
  if (options?.start !== undefined && options?.duration !== undefined) return timeOf(options.start) + timeOf(options.duration);
  return now();
}

function startOf(startOrOptions, end) {
  if (typeof startOrOptions === 'string') return timeOf(startOrOptions);
  if (startOrOptions === null || typeof startOrOptions !== 'object') return 0;
  const { start, duration, end: wantedEnd } = startOrOptions;
  if (start !== undefined) return timeOf(start);
  if (duration !== undefined && wantedEnd !== undefined) return end - timeOf(duration);
  return 0;
}

function measure(name, startOrOptions, endMark) {
  const { validateString } = require('internal/validators');
  validateString(name, 'name');
  const options = startOrOptions !== null && typeof startOrOptions === 'object' ? startOrOptions : undefined;
  if (options?.start !== undefined || options?.end !== undefined) {
    if (endMark !== undefined) throw new codes.ERR_PERFORMANCE_MEASURE_INVALID_OPTIONS('endMark must not be specified');
    if (options.start !== undefined && options.end !== undefined && options.duration !== undefined) {
      throw new codes.ERR_PERFORMANCE_MEASURE_INVALID_OPTIONS(
        'Must not have options.start, options.end, and options.duration specified',
      );
    }
  }
  const end = endOf(options, endMark);
  const start = startOf(startOrOptions, end);
  const detail = options?.detail;
  return keep(new PerformanceMeasure(kOwn, name, start, end - start, detail != null ? clone(detail) : null));
}

function keep(entry) {
  enqueue(entry);
  ArrayPush(timeline[entry.entryType], entry);
  return entry;
}

// --- start-up milestones

/** The start-up milestones that can be measured: the clock starts when the engine exists. */
class PerformanceNodeTiming extends PerformanceEntry {
  constructor() {
    super(kOwn, 'node', 'node', 0, undefined);
    const value = (name, get) =>
      ObjectDefineProperty(this, name, { __proto__: null, enumerable: true, configurable: true, ...get });
    const since = (time) => time - startValues.startedAt;
    value('name', { value: 'node' });
    value('entryType', { value: 'node' });
    value('startTime', { value: 0 });
    value('duration', { get: now });
    value('nodeStart', { value: 0 });
    value('v8Start', { value: since(startValues.engineReadyAt) });
    value('environment', { value: since(startValues.environmentAt) });
    value('loopStart', { get: loopStart });
    // The loop has exited once 'exit' is emitted and the program cannot start anything more.
    value('loopExit', { get: () => (runtimeParts.process?.process._exiting ? loopEnd() : -1) });
    value('bootstrapComplete', { value: since(startValues.readyAt) });
    value('idleTime', { get: idleTime });
    value('uvMetricsInfo', { get: loopCounts });
  }

  [SymbolFor('nodejs.util.inspect.custom')](depth, options, inspect) {
    if (depth < 0) return this;
    return inspectNamed('PerformanceNodeTiming', this.toJSON(), options, inspect);
  }

  toJSON() {
    const {
      name,
      entryType,
      startTime,
      duration,
      nodeStart,
      v8Start,
      bootstrapComplete,
      environment,
      loopStart: loop,
      loopExit,
      idleTime: idle,
    } = this;
    return {
      name,
      entryType,
      startTime,
      duration,
      nodeStart,
      v8Start,
      bootstrapComplete,
      environment,
      loopStart: loop,
      loopExit,
      idleTime: idle,
    };
  }
}

// --- the object

class Performance extends EventTarget {
  constructor(token = undefined) {
    if (token !== kOwn) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
    super();
    WeakSetAdd(performances, this);
  }

  [SymbolFor('nodejs.util.inspect.custom')](depth, options, inspect) {
    if (depth < 0) return this;
    const fields = { nodeTiming: this.nodeTiming, timeOrigin: this.timeOrigin };
    return inspectNamed('Performance', fields, options, inspect);
  }

  clearMarks(name = undefined) {
    check(this);
    if (name !== undefined) name = `${name}`;
    if (name === undefined) MapClear(markTimes);
    else MapDelete(markTimes, name);
    forget('mark', name);
  }

  clearMeasures(name = undefined) {
    check(this);
    forget('measure', name === undefined ? undefined : `${name}`);
  }

  clearResourceTimings(name = undefined) {
    check(this);
    forget('resource', name === undefined ? undefined : `${name}`);
  }

  getEntries() {
    check(this);
    return findEntries();
  }

  getEntriesByName(name, type = undefined) {
    check(this);
    requireArguments(arguments, 'name');
    return findEntries(`${name}`, type === undefined ? undefined : `${type}`);
  }

  getEntriesByType(type) {
    check(this);
    requireArguments(arguments, 'type');
    return findEntries(undefined, `${type}`);
  }

  mark(name, options = {}) {
    check(this);
    requireArguments(arguments, 'name');
    return keep(new PerformanceMark(name, options));
  }

  measure(name, startOrMeasureOptions = {}, endMark = undefined) {
    check(this);
    requireArguments(arguments, 'name');
    return measure(name, startOrMeasureOptions, endMark);
  }

  now() {
    check(this);
    return now();
  }

  setResourceTimingBufferSize(maxSize) {
    check(this);
    requireArguments(arguments, 'maxSize');
    mostResources = MathMax(0, MathTrunc(Number(maxSize)) || 0);
  }

  get timeOrigin() {
    check(this);
    return startValues.timeOrigin;
  }

  toJSON() {
    check(this);
    return { nodeTiming: this.nodeTiming, timeOrigin: this.timeOrigin, eventLoopUtilization: this.eventLoopUtilization() };
  }
}

/** Adds the timing entry of a request, as Node's `fetch` does; emits an event when the buffer becomes full. */
function markResourceTiming(
  timingInfo,
  requestedUrl,
  initiatorType,
  global,
  cacheMode,
  bodyInfo,
  responseStatus,
  deliveryType = '',
) {
  const { PerformanceResourceTiming } = require('node/perf_hooks/resource_timing');
  const entry = new PerformanceResourceTiming(kOwn, {
    url: requestedUrl,
    initiatorType,
    times: timingInfo,
    body: bodyInfo,
    cacheMode,
    responseStatus,
    deliveryType,
  });
  enqueue(entry);
  if (timeline.resource.length < mostResources && !isFull) {
    ArrayPush(timeline.resource, entry);
    return entry;
  }
  ArrayPush(overflow, entry);
  if (isFull) return entry;
  isFull = true;
  require('internal/timers').setImmediate(() => {
    const { Event } = require('web/event_target');
    performance.dispatchEvent(new Event('resourcetimingbufferfull'));
    const waiting = overflow;
    overflow = [];
    isFull = false;
    ArrayPush(timeline.resource, ...intact(ArraySlice(waiting, 0, MathMax(0, mostResources - timeline.resource.length))));
  });
  return entry;
}

const visible = { __proto__: null, enumerable: true };
for (const name of intact([
  'clearMarks',
  'clearMeasures',
  'clearResourceTimings',
  'getEntries',
  'getEntriesByName',
  'getEntriesByType',
  'mark',
  'measure',
  'now',
  'setResourceTimingBufferSize',
  'timeOrigin',
  'toJSON',
]))
  ObjectDefineProperty(Performance.prototype, name, visible);
const hiddenProperty = (value) => ({ __proto__: null, configurable: true, writable: true, value });
let nodeTiming;
ObjectDefineProperties(Performance.prototype, {
  eventLoopUtilization: hiddenProperty(eventLoopUtilization),
  nodeTiming: { __proto__: null, configurable: true, get: () => (nodeTiming ??= new PerformanceNodeTiming()) },
  markResourceTiming: hiddenProperty(markResourceTiming),
  timerify: hiddenProperty(timerify),
  [Symbol.toStringTag]: { __proto__: null, configurable: true, value: 'Performance' },
});

defineEventHandler(Performance.prototype, 'resourcetimingbufferfull');

const performance = new Performance(kOwn);

module.exports = { Performance, performance, markResourceTiming };
