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
  native.collections_watch((told) => {
    for (let at = 0; at < told.length; at += FIGURES) {
      const detail = { kind: told[at], flags: told[at + 1] };
      enqueue(new PerformanceNodeEntry('gc', 'gc', told[at + 2] - startValues.startedAt, told[at + 3], detail));
    }
  });
}

module.exports = { watch };
