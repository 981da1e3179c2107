// @ts-check
'use strict';
// Owns: entries of collections of garbage ('gc'), while there is an observer of them: V8 tells of none before.

const { native } = host;
const startValues = require('internal/start_values');
const { PerformanceNodeEntry } = require('node/perf_hooks/entries');

const FIGURES = 4; // of each collection: kind, flags, start, ms

/** Begin or end to hear of collections; `enqueue` takes each of their entries. */
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
