// @ts-check
'use strict';
// Owns: the numbers that host.inspect.kindOf(value) returns, one for each kind of object that only the engine can identify:
// Symbol.toStringTag and prototypes can be forged, internal slots cannot. boot/host_inspect has the native names.

const { ObjectFreeze } = require('internal/primordials');
const KIND = ObjectFreeze({
  __proto__: null,
  OBJECT: 0,
  ARRAY: 1,
  FUNCTION: 2,
  ASYNC_FUNCTION: 3,
  GENERATOR_FUNCTION: 4,
  ASYNC_GENERATOR_FUNCTION: 5,
  DATE: 6,
  REGEXP: 7,
  ERROR: 8,
  PROMISE: 9,
  PROXY: 10,
  MAP: 11,
  SET: 12,
  WEAK_MAP: 13,
  WEAK_SET: 14,
  MAP_ITERATOR: 15,
  SET_ITERATOR: 16,
  ARRAY_BUFFER: 17,
  SHARED_ARRAY_BUFFER: 18,
  TYPED_ARRAY: 19,
  DATA_VIEW: 20,
  NUMBER_OBJECT: 21,
  STRING_OBJECT: 22,
  BOOLEAN_OBJECT: 23,
  SYMBOL_OBJECT: 24,
  BIGINT_OBJECT: 25,
  ARGUMENTS: 26,
  GENERATOR: 27,
  MODULE_NAMESPACE: 28,
  EXTERNAL: 29,
  WEAK_REF: 30,
});

module.exports = { KIND };
