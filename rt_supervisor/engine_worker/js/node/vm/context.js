// @ts-check
'use strict';
// Owns: contexts of node:vm: objects whose properties are the globals of a separate context. The native module owns the
// context (`vmMakeContext`); it is collected with its object.

const { ObjectGetPrototypeOf } = require('internal/primordials');
const startValues = require('internal/start_values');
const { codes } = require('internal/errors/errors');
const { validateBoolean, validateObject, validateOneOf, validateString } = require('internal/validators');
const { constants, register, symbolFor } = require('node/vm/imports');

const { native } = host;
let contexts = 1;

function isContext(object) {
  validateObject(object, 'object', { allowArray: true });
  return native.vmIsContext(object);
}

function validateContext(object) {
  if (!isContext(object)) {
    throw new codes.ERR_INVALID_ARG_TYPE('contextifiedObject', 'vm.Context', object);
  }
}

function createContext(contextObject = {}, options = { __proto__: null }) {
  const isPlain = contextObject === constants.DONT_CONTEXTIFY;
  if (!isPlain && isContext(contextObject)) return contextObject;
  validateObject(options, 'options');
  const { name = `VM Context ${contexts++}`, origin, codeGeneration, microtaskMode, importModuleDynamically } = options;
  validateString(name, 'options.name');
  if (origin !== undefined) validateString(origin, 'options.origin');
  if (codeGeneration !== undefined) validateObject(codeGeneration, 'options.codeGeneration');
  const { strings = true, wasm = true } = codeGeneration ?? {};
  validateBoolean(strings, 'options.codeGeneration.strings');
  validateBoolean(wasm, 'options.codeGeneration.wasm');
  validateOneOf(microtaskMode, 'options.microtaskMode', ['afterEvaluate', undefined]);
  const symbol = symbolFor(importModuleDynamically, name);
  const hasOwnQueue = microtaskMode === 'afterEvaluate';
  const result = native.vmMakeContext(isPlain ? undefined : contextObject, strings, wasm, hasOwnQueue, symbol);
  register(symbol, importModuleDynamically, result);
  if (startValues.disableProto !== '') {
    const { Script } = require('node/vm/script');
    require('internal/proto_access').limitProto(ObjectGetPrototypeOf(new Script('({})').runInContext(result)));
  }
  return result;
}

module.exports = { createContext, isContext, validateContext };
