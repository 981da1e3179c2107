'use strict';
// Owns: entries of the library's own operations ('dns', 'http', 'http2', 'net') while their type has an observer. The first
// such observer installs it as `timing` in `internal/parts`.

const native = host.native;
const runtimeParts = require('internal/parts');
const startValues = require('internal/start_values');
const { PerformanceNodeEntry } = require('node/perf_hooks/entries');
const { enqueue, isObserved } = require('node/perf_hooks/observer');

const now = () => native.now() - startValues.startedAt;

runtimeParts.timing = {
  __proto__: null,
  /**
   * Starts a measurement; returns a function that ends it and takes the rest of the detail; undefined without an observer.
   */
  begin(type, name, detail) {
    if (!isObserved(type)) return undefined;
    const start = now();
    return (more) => enqueue(new PerformanceNodeEntry(name, type, start, now() - start, { ...detail, ...more }));
  },
  /** The statistics of an HTTP/2 session; undefined without an observer. */
  http2: (type) => (isObserved('http2') ? new (require('node/perf_hooks/http2_statistics').SessionStatistics)(type) : undefined),
};
