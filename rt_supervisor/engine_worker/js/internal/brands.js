// @ts-check
'use strict';
// Owns: brand checks that work across realms: a Date of a vm context is not an instance of this realm's Date, but is recognised
// as a Date.

const { TypedArrayTag } = require('internal/primordials');
const { KIND } = require('internal/kinds');

const isObject = (value) => typeof value === 'object' && value !== null;
const isOfKind = (value, kind) => isObject(value) && host.inspect.kindOf(value) === kind;

const isDate = (value) => isOfKind(value, KIND.DATE);
const isRegExp = (value) => isOfKind(value, KIND.REGEXP);
const isMap = (value) => isOfKind(value, KIND.MAP);
const isSet = (value) => isOfKind(value, KIND.SET);
const isPromise = (value) => isOfKind(value, KIND.PROMISE);
const isArrayBuffer = (value) => isOfKind(value, KIND.ARRAY_BUFFER);
const isSharedArrayBuffer = (value) => isOfKind(value, KIND.SHARED_ARRAY_BUFFER);
const isAnyArrayBuffer = (value) => isArrayBuffer(value) || isSharedArrayBuffer(value);
const isDataView = (value) => isOfKind(value, KIND.DATA_VIEW);
const isStringObject = (value) => isOfKind(value, KIND.STRING_OBJECT);
const isUint8Array = (value) => TypedArrayTag(value) === 'Uint8Array';
/** Errors of any realm, and objects that inherit from this realm's Error. */
const isError = (value) => isObject(value) && (value instanceof Error || host.inspect.kindOf(value) === KIND.ERROR);

module.exports = {
  isDate,
  isRegExp,
  isMap,
  isSet,
  isPromise,
  isArrayBuffer,
  isSharedArrayBuffer,
  isAnyArrayBuffer,
  isDataView,
  isStringObject,
  isUint8Array,
  isError,
};
