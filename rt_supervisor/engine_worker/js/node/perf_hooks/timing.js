'use strict';
// Owns: entries of what the library itself does ('http', 'http2', 'net'), for as long as somebody observes their type. `internal/parts` has
// it as `timing` from the first such observer on.

const native = host.native;
const handedDown = require('internal/parts');
const startValues = require('internal/start_values');
const { PerformanceNodeEntry } = require('node/perf_hooks/entries');
const { enqueue, isObserved } = require('node/perf_hooks/observer');

const now = () => native.now() - startValues.startedAt;

handedDown.timing = {
  __proto__: null,
  /** A function that is called with the rest of the detail when it is done; undefined where nobody would hear of it. */
  begin(type, name, detail) {
    if (!isObserved(type)) return undefined;
    const start = now();
    return (more) => enqueue(new PerformanceNodeEntry(name, type, start, now() - start, { ...detail, ...more }));
  },
  /** What counts for a session of HTTP/2; undefined where nobody would hear of it. */
  http2: (type) => (isObserved('http2') ? new (require('node/perf_hooks/http2_statistics').SessionStatistics)(type) : undefined),
};
