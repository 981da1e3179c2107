// @ts-check
'use strict';
// Owns: `v8.GCProfiler`: the garbage collections between `start` and `stop`, with heap statistics before and after each.

const { ArrayMap, DateNow, ObjectFromEntries, intact } = require('internal/primordials');

const { native } = host;
const US_PER_MS = 1000;
const KINDS = {
  __proto__: null,
  1: 'Scavenge',
  2: 'MinorMarkSweep',
  4: 'MarkSweepCompact',
  8: 'IncrementalMarking',
  16: 'ProcessWeakCallbacks',
};
// In the host's order, which is Node's.
const FIGURES = [
  'totalHeapSize',
  'totalHeapSizeExecutable',
  'totalPhysicalSize',
  'totalAvailableSize',
  'totalGlobalHandlesSize',
  'usedGlobalHandlesSize',
  'usedHeapSize',
  'heapSizeLimit',
  'mallocedMemory',
  'externalMemory',
  'peakMallocedMemory',
];

function figures(heap, spaces) {
  return {
    heapStatistics: ObjectFromEntries(intact(ArrayMap(FIGURES, (name, index) => [name, heap[index]]))),
    heapSpaceStatistics: ArrayMap(spaces, ({ 0: spaceName, 1: size, 2: used, 3: available, 4: physical }) => ({
      spaceName,
      spaceSize: size,
      spaceUsedSize: used,
      spaceAvailableSize: available,
      physicalSpaceSize: physical,
    })),
  };
}

class GCProfiler {
  #started;
  #number;

  start() {
    if (this.#number !== undefined) return;
    this.#started = DateNow();
    this.#number = native.collections_profile();
  }

  stop() {
    if (this.#number === undefined) return undefined;
    const collections = native.collections_profiled(this.#number);
    this.#number = undefined;
    return {
      version: 1,
      startTime: this.#started,
      statistics: ArrayMap(collections, ({ 0: kind, 1: ms, 2: heap, 3: spaces, 4: heapAfter, 5: spacesAfter }) => ({
        gcType: KINDS[kind],
        beforeGC: figures(heap, spaces),
        cost: ms * US_PER_MS,
        afterGC: figures(heapAfter, spacesAfter),
      })),
      endTime: DateNow(),
    };
  }

  [Symbol.dispose]() {
    this.stop();
  }
}

module.exports = { GCProfiler };
