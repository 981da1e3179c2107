'use strict';
// Owns: entries of what the library itself does ('dns', 'http', 'http2', 'net'), while there is an observer of their type. From the
// first such observer on `internal/parts` has it as `timing`.

const native = host.native;
const handedDown = require('internal/parts');
const startValues = require('internal/start_values');
const { PerformanceNodeEntry } = require('node/perf_hooks/entries');
const { enqueue, isObserved } = require('node/perf_hooks/observer');

const now = () => native.now() - startValues.startedAt;

handedDown.timing = {
  __proto__: null,
  /** A function to be called with the rest of the detail when the work is done; undefined without an observer. */
  begin(type, name, detail) {
    if (!isObserved(type)) return undefined;
    const start = now();
    return (more) => enqueue(new PerformanceNodeEntry(name, type, start, now() - start, { ...detail, ...more }));
  },
  /** The statistics of a session of HTTP/2; undefined without an observer. */
  http2: (type) => (isObserved('http2') ? new (require('node/perf_hooks/http2_statistics').SessionStatistics)(type) : undefined),
};
