'use strict';
// Owns: the entries of the performance timeline: marks, measures, and measurements of the library itself.

const { setOf } = require('internal/collections');
const { MapSet, ObjectDefineProperty, SetHas, SymbolFor, intact } = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { validateNumber, validateObject, validateThisInternalField } = require('internal/validators');
const { inspectNamed } = require('internal/inspect/named');

const kOwn = Symbol('kSkipThrow');
const kName = Symbol('PerformanceEntry.Name');
const kEntryType = Symbol('PerformanceEntry.EntryType');
const kStartTime = Symbol('PerformanceEntry.StartTime');
const kDuration = Symbol('PerformanceEntry.Duration');
const kDetail = Symbol('PerformanceEntry.Detail');

const clone = (value) => require('web/messaging/structured_clone').structuredClone(value);
const markTimes = new Map();
const MILESTONES = setOf(['nodeStart', 'v8Start', 'environment', 'loopStart', 'loopExit', 'bootstrapComplete']);
const enumerable = (Class, ...names) => {
  for (const name of intact(names)) ObjectDefineProperty(Class.prototype, name, { __proto__: null, enumerable: true });
};
const tag = (Class) =>
  ObjectDefineProperty(Class.prototype, Symbol.toStringTag, { __proto__: null, configurable: true, value: Class.name });

class PerformanceEntry {
  constructor(token = undefined, name = undefined, type = undefined, start = undefined, duration = undefined) {
    if (token !== kOwn) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
    this[kName] = name;
    this[kEntryType] = type;
    this[kStartTime] = start;
    this[kDuration] = duration;
  }

  get name() {
    validateThisInternalField(this, kName, 'PerformanceEntry');
    return this[kName];
  }

  get entryType() {
    validateThisInternalField(this, kEntryType, 'PerformanceEntry');
    return this[kEntryType];
  }

  get startTime() {
    validateThisInternalField(this, kStartTime, 'PerformanceEntry');
    return this[kStartTime];
  }

  get duration() {
    validateThisInternalField(this, kDuration, 'PerformanceEntry');
    return this[kDuration];
  }

  [SymbolFor('nodejs.util.inspect.custom')](depth, options, inspect) {
    if (depth < 0) return this;
    return inspectNamed(this.constructor.name, this.toJSON(), options, inspect);
  }

  toJSON() {
    validateThisInternalField(this, kName, 'PerformanceEntry');
    return { name: this[kName], entryType: this[kEntryType], startTime: this[kStartTime], duration: this[kDuration] };
  }
}
enumerable(PerformanceEntry, 'name', 'entryType', 'startTime', 'duration', 'toJSON');

/** toJSON of an entry with details. */
const withDetail = (entry) => ({
  name: entry.name,
  entryType: entry.entryType,
  startTime: entry.startTime,
  duration: entry.duration,
  detail: entry[kDetail],
});

class PerformanceMark extends PerformanceEntry {
  constructor(name, options = undefined) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('name');
    name = `${name}`;
    if (SetHas(MILESTONES, name)) throw new codes.ERR_INVALID_ARG_VALUE('name', name);
    if (options != null) validateObject(options, 'options');
    const startTime = options?.startTime ?? require('node/perf_hooks/performance').performance.now();
    validateNumber(startTime, 'startTime');
    if (startTime < 0) throw new codes.ERR_PERFORMANCE_INVALID_TIMESTAMP(startTime);
    MapSet(markTimes, name, startTime);
    const detail = options?.detail;
    super(kOwn, name, 'mark', startTime, 0);
    this[kDetail] = detail != null ? clone(detail) : null;
  }

  get detail() {
    validateThisInternalField(this, kDetail, 'PerformanceMark');
    return this[kDetail];
  }

  toJSON() {
    return withDetail(this);
  }
}
enumerable(PerformanceMark, 'detail');
tag(PerformanceMark);

class PerformanceMeasure extends PerformanceEntry {
  constructor(token = undefined, name = undefined, start = undefined, duration = undefined, detail = undefined) {
    if (token !== kOwn) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
    super(token, name, 'measure', start, duration);
    this[kDetail] = detail;
  }

  get detail() {
    validateThisInternalField(this, kDetail, 'PerformanceMeasure');
    return this[kDetail];
  }

  toJSON() {
    return withDetail(this);
  }
}
enumerable(PerformanceMeasure, 'detail');
tag(PerformanceMeasure);

/** Measurements of the library: calls of `timerify`, and the types of node/perf_hooks/timing. */
class PerformanceNodeEntry extends PerformanceEntry {
  constructor(name, type, start, duration, detail) {
    super(kOwn, name, type, start, duration);
    this[kDetail] = detail;
  }

  get detail() {
    return this[kDetail];
  }

  toJSON() {
    return withDetail(this);
  }
}

module.exports = { kOwn, tag, clone, markTimes, PerformanceEntry, PerformanceMark, PerformanceMeasure, PerformanceNodeEntry };
