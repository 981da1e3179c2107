// @ts-check
'use strict';
// Owns: `node:perf_hooks`.

const { ObjectDefineProperty } = require('internal/primordials');
const { Performance, performance } = require('node/perf_hooks/performance');
const { PerformanceEntry, PerformanceMark, PerformanceMeasure } = require('node/perf_hooks/entries');
const { PerformanceResourceTiming } = require('node/perf_hooks/resource_timing');
const { PerformanceObserver, PerformanceObserverEntryList } = require('node/perf_hooks/observer');
const { createHistogram, monitorEventLoopDelay } = require('node/perf_hooks/histogram');
const { eventLoopUtilization } = require('node/perf_hooks/utilization');
const { timerify } = require('node/perf_hooks/timerify');
const { members } = require('node/missing/missing');

const constants = require('internal/read_only').readOnly({
  NODE_PERFORMANCE_GC_MAJOR: 4,
  NODE_PERFORMANCE_GC_MINOR: 1,
  NODE_PERFORMANCE_GC_MINOR_MARK_SWEEP: 2,
  NODE_PERFORMANCE_GC_INCREMENTAL: 8,
  NODE_PERFORMANCE_GC_WEAKCB: 16,
  NODE_PERFORMANCE_GC_FLAGS_NO: 0,
  NODE_PERFORMANCE_GC_FLAGS_CONSTRUCT_RETAINED: 2,
  NODE_PERFORMANCE_GC_FLAGS_FORCED: 4,
  NODE_PERFORMANCE_GC_FLAGS_SYNCHRONOUS_PHANTOM_PROCESSING: 8,
  NODE_PERFORMANCE_GC_FLAGS_ALL_AVAILABLE_GARBAGE: 16,
  NODE_PERFORMANCE_GC_FLAGS_ALL_EXTERNAL_MEMORY: 32,
  NODE_PERFORMANCE_GC_FLAGS_SCHEDULE_IDLE: 64,
});

module.exports = {
  Performance,
  PerformanceEntry,
  PerformanceMark,
  PerformanceMeasure,
  PerformanceObserver,
  PerformanceObserverEntryList,
  PerformanceResourceTiming,
  monitorEventLoopDelay,
  eventLoopUtilization,
  timerify,
  createHistogram,
  ...members('perf_hooks', 'createSlidingWindowHistogram/1 importHistogram/1'),
  performance,
};
ObjectDefineProperty(module.exports, 'constants', { __proto__: null, enumerable: true, value: constants });
