// @ts-check
'use strict';
// Owns: node:util/types: what a value is by its internal slots, from host.inspect.kindOf.

const { setOf } = require('internal/collections');
const { KIND } = require('internal/kinds');
const {
  ArrayBufferIsView,
  ObjectDefineProperty,
  ObjectEntries,
  ObjectKeys,
  SetHas,
  TypedArrayConstructors,
  TypedArrayTag,
  intact,
} = require('internal/primordials');

const isKind = (...kinds) => {
  const wanted = setOf(kinds);
  return (value) =>
    value !== null && (typeof value === 'object' || typeof value === 'function') && SetHas(wanted, host.inspect.kindOf(value));
};

const types = {
  isExternal: isKind(KIND.EXTERNAL),
  isDate: isKind(KIND.DATE),
  isArgumentsObject: isKind(KIND.ARGUMENTS),
  isBigIntObject: isKind(KIND.BIGINT_OBJECT),
  isBooleanObject: isKind(KIND.BOOLEAN_OBJECT),
  isNumberObject: isKind(KIND.NUMBER_OBJECT),
  isStringObject: isKind(KIND.STRING_OBJECT),
  isSymbolObject: isKind(KIND.SYMBOL_OBJECT),
  isBoxedPrimitive: isKind(KIND.NUMBER_OBJECT, KIND.STRING_OBJECT, KIND.BOOLEAN_OBJECT, KIND.SYMBOL_OBJECT, KIND.BIGINT_OBJECT),
  isNativeError: isKind(KIND.ERROR),
  isRegExp: isKind(KIND.REGEXP),
  isAsyncFunction: isKind(KIND.ASYNC_FUNCTION, KIND.ASYNC_GENERATOR_FUNCTION),
  isGeneratorFunction: isKind(KIND.GENERATOR_FUNCTION, KIND.ASYNC_GENERATOR_FUNCTION),
  isGeneratorObject: isKind(KIND.GENERATOR),
  isPromise: isKind(KIND.PROMISE),
  isMap: isKind(KIND.MAP),
  isSet: isKind(KIND.SET),
  isMapIterator: isKind(KIND.MAP_ITERATOR),
  isSetIterator: isKind(KIND.SET_ITERATOR),
  isWeakMap: isKind(KIND.WEAK_MAP),
  isWeakSet: isKind(KIND.WEAK_SET),
  isArrayBuffer: isKind(KIND.ARRAY_BUFFER),
  isSharedArrayBuffer: isKind(KIND.SHARED_ARRAY_BUFFER),
  isAnyArrayBuffer: isKind(KIND.ARRAY_BUFFER, KIND.SHARED_ARRAY_BUFFER),
  isDataView: isKind(KIND.DATA_VIEW),
  isProxy: isKind(KIND.PROXY),
  isModuleNamespaceObject: isKind(KIND.MODULE_NAMESPACE),
  isArrayBufferView: (value) => ArrayBufferIsView(value),
  isTypedArray: (value) => tagOf(value) !== undefined,
  isKeyObject: (value) => host.types.isKeyObject(value),
  isCryptoKey: (value) => host.types.isCryptoKey(value),
};

const tagOf = (value) => (value !== null && typeof value === 'object' ? TypedArrayTag(value) : undefined);

for (const name of intact(ObjectKeys(TypedArrayConstructors))) types[`is${name}`] = (value) => tagOf(value) === name;
types.isFloat16Array ??= (value) => tagOf(value) === 'Float16Array'; // which the engine may not have
for (const { 0: name, 1: check } of intact(ObjectEntries(types)))
  ObjectDefineProperty(check, 'name', { __proto__: null, value: name, configurable: true });

module.exports = types;
