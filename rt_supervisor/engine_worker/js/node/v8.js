// @ts-check
'use strict';
// Owns: node:v8: heap statistics, serialization, and the less common parts, which are loaded on demand.

const { defineLazily } = require('internal/lazy');
const { ArrayMap, ObjectFromEntries, RegExpTest, intact } = require('internal/primordials');
const native = host.native;

// In Node's order.
const FIGURES = [
  'total_heap_size',
  'total_heap_size_executable',
  'total_physical_size',
  'total_available_size',
  'used_heap_size',
  'heap_size_limit',
  'malloced_memory',
  'peak_malloced_memory',
  'does_zap_garbage',
  'number_of_native_contexts',
  'number_of_detached_contexts',
  'total_global_handles_size',
  'used_global_handles_size',
  'external_memory',
  'total_allocated_bytes',
];
const ONE_BYTE = /^[\0-\xff]*$/;

function getHeapStatistics() {
  const statistics = native.process_heapStatistics();
  return ObjectFromEntries(intact(ArrayMap(FIGURES, (name) => [name, statistics[name]])));
}

function getHeapSpaceStatistics() {
  return ArrayMap(native.process_heapSpaces(), ({ 0: name, 1: size, 2: used, 3: available, 4: physical }) => ({
    space_name: name,
    space_size: size,
    space_used_size: used,
    space_available_size: available,
    physical_space_size: physical,
  }));
}

const serialize = {
  serialize(value) {
    return require('node/v8/defaults').serialize(value);
  },
}.serialize;
const deserialize = {
  deserialize(buffer) {
    return require('node/v8/defaults').deserialize(buffer);
  },
}.deserialize;

function isStringOneByteRepresentation(content) {
  require('internal/validators').validateString(content, 'content');
  return RegExpTest(ONE_BYTE, content);
}

module.exports = {
  cachedDataVersionTag: () => native.v8_versionTag(),
  getHeapStatistics,
  getHeapSpaceStatistics,
  serialize,
  deserialize,
  isStringOneByteRepresentation,
};

for (const name of intact([
  'getHeapSnapshot',
  'writeHeapSnapshot',
  'promiseHooks',
  'startupSnapshot',
  'GCProfiler',
  'setHeapSnapshotNearHeapLimit',
  'setFlagsFromString',
  'getHeapCodeStatistics',
  'getCppHeapStatistics',
  'queryObjects',
  'setHeapProfileNearHeapLimit',
  'startCpuProfile',
  'startHeapProfile',
  'takeCoverage',
  'stopCoverage',
])) {
  defineLazily(module.exports, name, () => require('node/v8/diagnostics')[name]);
}
for (const { 0: name, 1: file } of intact([
  ['Serializer', 'node/v8/serializer'],
  ['Deserializer', 'node/v8/deserializer'],
  ['DefaultSerializer', 'node/v8/defaults'],
  ['DefaultDeserializer', 'node/v8/defaults'],
])) {
  defineLazily(module.exports, name, () => require(file)[name]);
}
