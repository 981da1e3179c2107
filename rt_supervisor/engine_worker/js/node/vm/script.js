'use strict';
// Owns: Script, and running code in contexts.

const { AnyForEach } = require('internal/any_kind');
const { intact } = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const {
  validateArray,
  validateBoolean,
  validateBuffer,
  validateInt32,
  validateObject,
  validateString,
  validateStringArray,
  validateUint32,
} = require('internal/validators');
const { register, symbolFor } = require('node/vm/imports');
const { createContext, isContext, validateContext } = require('node/vm/context');
const { runLimited } = require('node/vm/limited');

const { native } = host;
const kContext = Symbol('script parsing context');
const asBuffer = (bytes) => require('node/buffer/views').asBuffer(bytes);

/** Validated options of a run: the time limit (-1: none) and whether errors show the source line. */
function runOptions(options = { __proto__: null }) {
  validateObject(options, 'options');
  let { timeout } = options;
  if (timeout === undefined) timeout = -1;
  else validateUint32(timeout, 'options.timeout', true);
  const { displayErrors = true, breakOnSigint = false } = options;
  validateBoolean(displayErrors, 'options.displayErrors');
  validateBoolean(breakOnSigint, 'options.breakOnSigint');
  return { timeout, displayErrors, breakOnSigint };
}

function contextOptions(options) {
  if (!options) return {};
  const { contextName: name, contextOrigin: origin, contextCodeGeneration: codeGeneration, microtaskMode } = options;
  if (name !== undefined) validateString(name, 'options.contextName');
  if (origin !== undefined) validateString(origin, 'options.contextOrigin');
  if (codeGeneration !== undefined) {
    validateObject(codeGeneration, 'options.contextCodeGeneration');
    const { strings, wasm } = codeGeneration;
    if (strings !== undefined) validateBoolean(strings, 'options.contextCodeGeneration.strings');
    if (wasm !== undefined) validateBoolean(wasm, 'options.contextCodeGeneration.wasm');
  }
  if (microtaskMode !== undefined) validateString(microtaskMode, 'options.microtaskMode');
  return { name, origin, codeGeneration, microtaskMode };
}

class Script {
  #number;

  constructor(code, options = { __proto__: null }) {
    code = `${code}`;
    if (typeof options === 'string') options = { filename: options };
    else validateObject(options, 'options');
    const {
      filename = 'evalmachine.<anonymous>',
      lineOffset = 0,
      columnOffset = 0,
      cachedData,
      produceCachedData = false,
      importModuleDynamically,
      [kContext]: context,
    } = options;
    validateString(filename, 'options.filename');
    validateInt32(lineOffset, 'options.lineOffset');
    validateInt32(columnOffset, 'options.columnOffset');
    if (cachedData !== undefined) validateBuffer(cachedData, 'options.cachedData');
    validateBoolean(produceCachedData, 'options.produceCachedData');
    const symbol = symbolFor(importModuleDynamically, filename);
    const result = native.vmCompile(this, code, filename, lineOffset, columnOffset, cachedData, symbol, context);
    [this.#number] = intact(result);
    if (result[1] !== undefined) this.cachedDataRejected = result[1];
    this.sourceURL = result[3];
    this.sourceMapURL = result[2];
    if (produceCachedData) {
      this.cachedDataProduced = true;
      this.cachedData = this.createCachedData();
    }
    register(symbol, importModuleDynamically, this);
  }

  createCachedData() {
    return asBuffer(native.vmCache(this.#number));
  }

  #run(context, options) {
    const { timeout, displayErrors, breakOnSigint } = runOptions(options);
    const run = () => native.vmRun(this.#number, context, timeout, displayErrors, breakOnSigint);
    if (breakOnSigint) return require('node/vm/interruptible').interruptible(() => runLimited(run));
    return timeout < 0 ? run() : runLimited(run);
  }

  runInThisContext(options) {
    return this.#run(null, options);
  }

  runInContext(contextifiedObject, options) {
    validateContext(contextifiedObject);
    return this.#run(contextifiedObject, options);
  }

  runInNewContext(contextObject, options) {
    const context = createContext(contextObject, contextOptions(options));
    return this.runInContext(context, options);
  }
}

function createScript(code, options) {
  return new Script(code, options);
}

function runInContext(code, contextifiedObject, options) {
  validateContext(contextifiedObject);
  options = typeof options === 'string' ? { filename: options } : { ...options };
  options[kContext] = contextifiedObject;
  return createScript(code, options).runInContext(contextifiedObject, options);
}

function runInNewContext(code, contextObject, options) {
  if (typeof options === 'string') options = { filename: options };
  contextObject = createContext(contextObject, contextOptions(options));
  options = { ...options, [kContext]: contextObject };
  return createScript(code, options).runInNewContext(contextObject, options);
}

function runInThisContext(code, options) {
  if (typeof options === 'string') options = { filename: options };
  return createScript(code, options).runInThisContext(options);
}

function compileFunction(code, params, options = { __proto__: null }) {
  validateString(code, 'code');
  validateObject(options, 'options');
  if (params !== undefined) validateStringArray(params, 'params');
  const {
    filename = '',
    columnOffset = 0,
    lineOffset = 0,
    cachedData,
    produceCachedData = false,
    parsingContext,
    contextExtensions = [],
    importModuleDynamically,
  } = options;
  validateString(filename, 'options.filename');
  validateInt32(columnOffset, 'options.columnOffset');
  validateInt32(lineOffset, 'options.lineOffset');
  if (cachedData !== undefined) validateBuffer(cachedData, 'options.cachedData');
  validateBoolean(produceCachedData, 'options.produceCachedData');
  if (
    parsingContext !== undefined &&
    (typeof parsingContext !== 'object' || parsingContext === null || !isContext(parsingContext))
  ) {
    throw new codes.ERR_INVALID_ARG_TYPE('options.parsingContext', 'Context', parsingContext);
  }
  validateArray(contextExtensions, 'options.contextExtensions');
  AnyForEach(contextExtensions, (extension, index) =>
    validateObject(extension, `options.contextExtensions[${index}]`, { nullable: true }),
  );
  const symbol = symbolFor(importModuleDynamically, filename);
  const [compiled, rejected, url, cache] = intact(
    native.vmCompileFunction(
      code,
      filename,
      lineOffset,
      columnOffset,
      cachedData,
      symbol,
      parsingContext,
      params ?? [],
      contextExtensions,
      produceCachedData,
    ),
  );
  if (produceCachedData) {
    compiled.cachedDataProduced = cache !== undefined;
    if (cache !== undefined) compiled.cachedData = asBuffer(cache);
  }
  if (cachedData !== undefined) compiled.cachedDataRejected = rejected;
  if (url !== undefined) compiled.sourceMapURL = url;
  register(symbol, importModuleDynamically, compiled);
  return compiled;
}

module.exports = { Script, createScript, runInContext, runInNewContext, runInThisContext, compileFunction };
