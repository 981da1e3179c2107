// @ts-check
'use strict';
// Owns: performance entries of garbage collections ('gc'); V8 reports collections only while there is an observer.

const { native } = host;
const startValues = require('internal/start_values');
const { PerformanceNodeEntry } = require('node/perf_hooks/entries');

const FIGURES = 4; // per collection: kind, flags, start, ms

/** Starts or stops reports of collections; `enqueue` receives each entry. */
function watch(isWanted, enqueue) {
  if (!isWanted) {
    native.collections_watch();
    return;
  }
  native.collections_watch((entry) => {
    for (let at = 0; at < entry.length; at += FIGURES) {
      const detail = { kind: entry[at], flags: entry[at + 1] };
      enqueue(new PerformanceNodeEntry('gc', 'gc', entry[at + 2] - startValues.startedAt, entry[at + 3], detail));
    }
  });
}

module.exports = { watch };
