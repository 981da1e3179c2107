// @ts-check
'use strict';
// Owns: the binary heap of timers, ordered by due time and then by start order (`_due`, `_sequence`). `heap[0]` is due first;
// `internal/timers` skips stale entries.

const { ArrayPop } = require('internal/primordials');

const heap = [];

const isBefore = (a, b) => a._due < b._due || (a._due === b._due && a._sequence < b._sequence);

function push(timer) {
  let place = heap.length;
  heap[place] = timer;
  while (place > 0) {
    const above = (place - 1) >> 1;
    if (!isBefore(timer, heap[above])) break;
    heap[place] = heap[above];
    place = above;
  }
  heap[place] = timer;
}

function pop() {
  const top = heap[0];
  const last = ArrayPop(heap);
  const size = heap.length;
  if (size > 0) {
    let place = 0;
    for (;;) {
      let below = 2 * place + 1;
      if (below >= size) break;
      if (below + 1 < size && isBefore(heap[below + 1], heap[below])) below++;
      if (!isBefore(heap[below], last)) break;
      heap[place] = heap[below];
      place = below;
    }
    heap[place] = last;
  }
  return top;
}

module.exports = { __proto__: null, heap, push, pop };
