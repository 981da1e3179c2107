// @ts-check
'use strict';
// Owns: node:util/types: checks of values by their internal slots.

const { ArrayBufferIsView, ArrayForEach, TypedArrayTag } = require('internal/primordials');
const { native } = host;

const tagOf = (value) => (value !== null && typeof value === 'object' ? TypedArrayTag(value) : undefined);

/** @type {Record<string, any>} */
const types = {
  isArgumentsObject: native.isArgumentsObject,
  isArrayBuffer: native.isArrayBuffer,
  isAsyncFunction: native.isAsyncFunction,
  isBigIntObject: native.isBigIntObject,
  isBooleanObject: native.isBooleanObject,
  isDate: native.isDate,
  isExternal: native.isExternal,
  isGeneratorFunction: native.isGeneratorFunction,
  isGeneratorObject: native.isGeneratorObject,
  isMap: native.isMap,
  isMapIterator: native.isMapIterator,
  isModuleNamespaceObject: native.isModuleNamespaceObject,
  isNativeError: native.isNativeError,
  isNumberObject: native.isNumberObject,
  isPromise: native.isPromise,
  isProxy: native.isProxy,
  isRegExp: native.isRegExp,
  isSet: native.isSet,
  isSetIterator: native.isSetIterator,
  isSharedArrayBuffer: native.isSharedArrayBuffer,
  isStringObject: native.isStringObject,
  isSymbolObject: native.isSymbolObject,
  isWeakMap: native.isWeakMap,
  isWeakSet: native.isWeakSet,
  isAnyArrayBuffer: native.isAnyArrayBuffer,
  isBoxedPrimitive: native.isBoxedPrimitive,
  isArrayBufferView: ArrayBufferIsView,
  isDataView: (value) => native.isDataView(value),
  isTypedArray: (value) => tagOf(value) !== undefined,
};
// prettier-ignore
const ARRAYS = [
  'Uint8Array', 'Uint8ClampedArray', 'Uint16Array', 'Uint32Array', 'Int8Array', 'Int16Array', 'Int32Array', 'Float16Array',
  'Float32Array', 'Float64Array', 'BigInt64Array', 'BigUint64Array',
];
ArrayForEach(ARRAYS, (name) => {
  const method = `is${name}`;
  types[method] = { [method]: (value) => tagOf(value) === name }[method];
});
types.isKeyObject = (value) => host.types.isKeyObject(value);
types.isCryptoKey = (value) => host.types.isCryptoKey(value);

module.exports = types;
