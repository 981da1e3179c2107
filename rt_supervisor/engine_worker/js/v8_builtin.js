'use strict';
// Owns: node:v8, as far as it is there: figures of the heap, values as bytes.

const native = host.native;

// Those that the engine tells.
const FIGURES = [
  'total_heap_size', 'total_heap_size_executable', 'total_physical_size', 'total_available_size', 'used_heap_size', 'heap_size_limit',
  'malloced_memory', 'peak_malloced_memory', 'does_zap_garbage', 'number_of_native_contexts', 'number_of_detached_contexts',
  'total_global_handles_size', 'used_global_handles_size', 'external_memory', 'total_allocated_bytes',
];
const ONE_BYTE = /^[\0-\xff]*$/;

function getHeapStatistics() {
  const found = native.process_heapStatistics();
  return Object.fromEntries(FIGURES.filter((name) => name in found).map((name) => [name, found[name]]));
}

/** A value as bytes, by the structured clone algorithm. */
function serialize(value) {
  const bytes = native.v8_serialize(value);
  return require('./fs_values').bytesAs(bytes);
}

function deserialize(buffer) {
  if (!ArrayBuffer.isView(buffer)) throw new TypeError('buffer must be a TypedArray or a DataView');
  return native.v8_deserialize(buffer);
}

function isStringOneByteRepresentation(content) {
  require('./validators').validateString(content, 'content');
  return ONE_BYTE.test(content);
}

module.exports = {
  cachedDataVersionTag: () => native.v8_versionTag(),
  getHeapStatistics,
  getHeapSpaceStatistics: () => [],
  serialize,
  deserialize,
  isStringOneByteRepresentation,
};
