'use strict';
// Owns: --heap-prof-md: the heap of the program at its end as a Markdown page: which types and objects retain most memory, and
// what keeps them alive. The whole graph is in a snapshot (v8.writeHeapSnapshot), whose ids the page uses.

const {
  ArrayForEach,
  ArrayJoin,
  ArrayMap,
  ArrayPush,
  ArrayReverse,
  ArraySlice,
  ArraySort,
  JSONParse,
  MapGet,
  MapSet,
  NumberToFixed,
  StringReplaceAll,
  StringSlice,
  StringStartsWith,
} = require('internal/primordials');
const { readHeap } = require('node/process/heap_graph');

const MOST_LISTED = 50;
const MOST_EXPLAINED = 20;
const LONGEST_TEXT = 100;
const HEADS = {
  __proto__: null,
  summary: '| Metric | Value |\n|--------|------:|',
  types:
    '| Rank | Type | Count | Self Size | Retained Size | Largest Instance |\n|-----:|------|------:|----------:|--------------:|-----------------:|',
  objects:
    '| Rank | ID | Type | Self Size | Retained Size | Out-Edges | In-Edges |\n|-----:|---:|------|----------:|--------------:|----------:|---------:|',
  strings: '| ID | Size | Value |\n|---:|-----:|-------|',
  all: '| Type | Count | Self Size | Retained Size |\n|------|------:|----------:|--------------:|',
};

function size(bytes) {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${NumberToFixed(bytes / 1024, 1)} KB`;
  return `${NumberToFixed(bytes / 1024 / 1024, 1)} MB`;
}

/** Text in a cell: a line break or a bar would end it. */
function code(text) {
  const shown = text.length > LONGEST_TEXT ? `${StringSlice(text, 0, LONGEST_TEXT)}…` : text;
  const line = StringReplaceAll(StringReplaceAll(shown, '\r', '\\r'), '\n', '\\n');
  return `\`${StringReplaceAll(StringReplaceAll(line, '`', "'"), '|', '\\|')}\``;
}

/** Whether objects of a type are the engine's own, such as code and the shapes of objects. */
const isOfEngine = (type) => StringStartsWith(type, '(') || StringStartsWith(type, 'system / ');

/** Returns what each type has: { name, count, self, retained, largest }, the one that retains most first. */
function readTypes(heap) {
  const types = new Map();
  const found = (name) => {
    if (MapGet(types, name) === undefined)
      MapSet(types, name, { __proto__: null, name, count: 0, self: 0, retained: 0, largest: 0, open: 0 });
    return MapGet(types, name);
  };
  // What a type retains includes an object within another of the type once.
  heap.walkDominated(
    (node) => {
      const type = found(heap.typeOf(node));
      const retained = heap.retained[node];
      type.count++;
      type.self += heap.selfOf(node);
      if (type.open++ === 0) type.retained += retained;
      if (retained > type.largest) type.largest = retained;
    },
    (node) => MapGet(types, heap.typeOf(node)).open--,
  );
  const list = [];
  types.forEach((type) => ArrayPush(list, type));
  return ArraySort(list, (a, b) => b.retained - a.retained);
}

/** The path from a root to `node`, a line for each object. */
function chain(heap, node) {
  const path = [];
  for (let at = node; at > 0; at = heap.parents[at]) ArrayPush(path, at);
  if (path.length === 0) return '(this object is a root)';
  return ArrayJoin(
    ArrayMap(ArrayReverse(path), (at, depth) => {
      const indent = StringSlice('                                        ', 0, depth * 2 > 40 ? 40 : depth * 2);
      const edge = heap.parents[at] === 0 ? '' : `${heap.edgeName(heap.parentEdges[at])} -> `;
      return `${indent}${edge}${heap.labelOf(at)} @${heap.idOf(at)} (${size(heap.selfOf(at))})`;
    }),
    '\n',
  );
}

/** Returns the page for a heap snapshot in V8's format. */
function heapReport(text) {
  const heap = readHeap(JSONParse(text));
  const types = readTypes(heap);
  const objects = [];
  const strings = [];
  let total = 0;
  heap.forEach((node) => {
    total += heap.selfOf(node);
    if (heap.typeOf(node) === 'string') ArrayPush(strings, node);
    if (!isOfEngine(heap.typeOf(node))) ArrayPush(objects, node);
  });
  ArraySort(objects, (a, b) => heap.retained[b] - heap.retained[a]);
  ArraySort(strings, (a, b) => heap.selfOf(b) - heap.selfOf(a));
  const most = (list, count) => ArraySlice(list, 0, count);
  const rows = (list, row) => ArrayJoin(ArrayMap(list, row), '\n');
  const shown = [];
  ArrayForEach(types, (type) => !isOfEngine(type.name) && ArrayPush(shown, type));
  const objectRow = (node, index) =>
    `| ${index + 1} | ${heap.idOf(node)} | ${code(heap.typeOf(node))} | ${size(heap.selfOf(node))} | ` +
    `${size(heap.retained[node])} | ${heap.outgoing(node)} | ${heap.incoming(node)} |`;
  const sections = [
    '# Heap Profile',
    'IDs are those of a heap snapshot (`v8.writeHeapSnapshot()`). The retained size of an object is what would be freed with it.',
    '## Summary',
    `${HEADS.summary}\n| Total Heap Size | ${size(total)} (${total} bytes) |\n| Total Objects | ${heap.count} |\n` +
      `| Total Edges | ${heap.edgeCount} |\n| Unique Types | ${types.length} |`,
    `## Top ${MOST_LISTED} Types by Retained Size`,
    `${HEADS.types}\n${rows(
      most(shown, MOST_LISTED),
      (type, index) =>
        `| ${index + 1} | ${code(type.name)} | ${type.count} | ${size(type.self)} | ${size(type.retained)} | ${size(type.largest)} |`,
    )}`,
    `## Top ${MOST_LISTED} Largest Objects`,
    `${HEADS.objects}\n${rows(most(objects, MOST_LISTED), objectRow)}`,
    '## Retainer Chains',
    rows(
      most(objects, MOST_EXPLAINED),
      (node, index) =>
        `### ${index + 1}. ${code(heap.typeOf(node))} @${heap.idOf(node)} (${size(heap.retained[node])} retained)\n\n` +
        `\`\`\`\n${chain(heap, node)}\n\`\`\`\n`,
    ),
    '## Largest Strings',
    `${HEADS.strings}\n${rows(
      most(strings, MOST_LISTED),
      (node) => `| ${heap.idOf(node)} | ${size(heap.selfOf(node))} | ${code(heap.nameOf(node))} |`,
    )}`,
    '## Complete Type Statistics',
    `${HEADS.all}\n${rows(
      types,
      (type) => `| ${code(type.name)} | ${type.count} | ${size(type.self)} | ${size(type.retained)} |`,
    )}`,
  ];
  return `${ArrayJoin(sections, '\n\n')}\n`;
}

module.exports = { heapReport };
