// @ts-check
'use strict';
// Owns: `inspect` of the host interface: the engine queries that printing needs, made of the binding's native functions.

const { ObjectFreeze } = require('internal/primordials');
const { KIND } = require('internal/kinds');
const native = host.native;

const KINDS = {
  __proto__: null,
  'array': KIND.ARRAY,
  'date': KIND.DATE,
  'regexp': KIND.REGEXP,
  'error': KIND.ERROR,
  'promise': KIND.PROMISE,
  'proxy': KIND.PROXY,
  'map': KIND.MAP,
  'set': KIND.SET,
  'weak-map': KIND.WEAK_MAP,
  'weak-set': KIND.WEAK_SET,
  'map-iterator': KIND.MAP_ITERATOR,
  'set-iterator': KIND.SET_ITERATOR,
  'array-buffer': KIND.ARRAY_BUFFER,
  'shared-array-buffer': KIND.SHARED_ARRAY_BUFFER,
  'typed-array': KIND.TYPED_ARRAY,
  'data-view': KIND.DATA_VIEW,
  'boxed-number': KIND.NUMBER_OBJECT,
  'boxed-string': KIND.STRING_OBJECT,
  'boxed-boolean': KIND.BOOLEAN_OBJECT,
  'boxed-symbol': KIND.SYMBOL_OBJECT,
  'boxed-bigint': KIND.BIGINT_OBJECT,
  'arguments': KIND.ARGUMENTS,
  'generator': KIND.GENERATOR,
  'namespace': KIND.MODULE_NAMESPACE,
  'external': KIND.EXTERNAL,
  'weak-ref': KIND.WEAK_REF,
  'function': KIND.FUNCTION,
  'async-function': KIND.ASYNC_FUNCTION,
  'generator-function': KIND.GENERATOR_FUNCTION,
  'async-generator-function': KIND.ASYNC_GENERATOR_FUNCTION,
};
const NO_FILTER = 0;
const ONLY_ENUMERABLE = 2;

const inspect = {
  __proto__: null,
  kindOf: (value) => KINDS[native.kindOf(value)] ?? KIND.OBJECT,
  proxyDetails: (proxy) => native.proxyDetails(proxy),
  promiseState: (promise) => native.promiseDetails(promise),
  previewEntries: (collection) => native.previewEntries(collection),
  constructorName: (object) => native.constructorName(object),
  ownNonIndexProperties: (object, onlyEnumerable) => native.ownKeys(object, onlyEnumerable ? ONLY_ENUMERABLE : NO_FILTER),
  externalAddress: () => '0',
  isBuiltin: (specifier) => require('node/module/builtins').isBuiltin(specifier),
  errorText: (error, colors, indent) => require('internal/errors/report').errorText(error, { colors, indent }),
};
module.exports = ObjectFreeze(inspect);
