'use strict';
// Owns: modules of node:vm: Module, SourceTextModule and SyntheticModule. The native module links and evaluates; which module a
// request means is the program's to say.

const { codes } = require('internal/errors/errors');
const {
  validateArray,
  validateBoolean,
  validateBuffer,
  validateFunction,
  validateInt32,
  validateObject,
  validateString,
  validateUint32,
} = require('internal/validators');
const { warnOfExperiment } = require('node/process/warnings');
const { isContext } = require('node/vm/context');
const { register, modules, steps, symbolFor } = require('node/vm/imports');

const { native } = host;
const STATUSES = ['unlinked', 'linking', 'linked', 'evaluating', 'evaluated', 'errored'];
const LINKED = 2;
const EVALUATED = 4;
const ERRORED = 5;

const kLink = Symbol('kLink');
const kNumber = Symbol('kNumber');
const kContext = Symbol('kContext');
const kModuleId = Symbol('kPerContextModuleId');
const NONE = Symbol('no error');
let anonymous = 0;

const numbers = new WeakMap();
const states = new WeakMap(); // of source modules: { error, override, requests }
const callbacks = new WeakMap();

function numberOf(module, name) {
  const number = typeof module === 'object' && module !== null ? numbers.get(module) : undefined;
  if (number === undefined) throw new codes.ERR_INVALID_THIS(name);
  return number;
}

/** A name for a module without one: each context counts its own. */
function nameFor(context) {
  if (context === undefined) return `vm:module(${anonymous++})`;
  const next = context[kModuleId] ?? 0;
  Object.defineProperty(context, kModuleId, {
    __proto__: null,
    value: next + 1,
    writable: true,
    enumerable: false,
    configurable: true,
  });
  return `vm:module(${next})`;
}

class Module {
  constructor(options) {
    warnOfExperiment('VM Modules');
    if (new.target === Module) throw new TypeError('Module is not a constructor');
    const { context } = options;
    let { identifier } = options;
    if (context !== undefined) {
      validateObject(context, 'context');
      if (!isContext(context)) throw new codes.ERR_INVALID_ARG_TYPE('options.context', 'vm.Context', context);
    }
    if (identifier !== undefined) validateString(identifier, 'options.identifier');
    else identifier = nameFor(context);
    numbers.set(this, options[kNumber](this, identifier));
    modules.set(numbers.get(this), new WeakRef(this));
    registry.register(this, numbers.get(this));
    this[kContext] = context;
    identifiers.set(this, identifier);
  }

  get identifier() {
    numberOf(this, 'Module');
    return identifiers.get(this);
  }

  get context() {
    numberOf(this, 'Module');
    return this[kContext];
  }

  get namespace() {
    if (native.vmModuleStatus(numberOf(this, 'Module')) < LINKED)
      throw new codes.ERR_VM_MODULE_STATUS('must not be unlinked or linking');
    return namespaceOf(this);
  }

  get status() {
    return STATUSES[native.vmModuleStatus(numberOf(this, 'Module'))];
  }

  get error() {
    const number = numberOf(this, 'Module');
    if (native.vmModuleStatus(number) !== ERRORED) throw new codes.ERR_VM_MODULE_STATUS('must be errored');
    return native.vmModuleError(number);
  }

  async link(linker) {
    const number = numberOf(this, 'Module');
    validateFunction(linker, 'linker');
    if (this.status === 'linked') throw new codes.ERR_VM_MODULE_ALREADY_LINKED();
    if (this.status !== 'unlinked') throw new codes.ERR_VM_MODULE_STATUS('must be unlinked');
    await this[kLink](linker);
    native.vmModuleInstantiate(number, this[kContext]);
  }

  evaluate(options = { __proto__: null }) {
    try {
      const number = numberOf(this, 'Module');
      validateObject(options, 'options');
      let { timeout } = options;
      if (timeout === undefined) timeout = -1;
      else validateUint32(timeout, 'options.timeout', true);
      const { breakOnSigint = false } = options;
      validateBoolean(breakOnSigint, 'options.breakOnSigint');
      const status = native.vmModuleStatus(number);
      if (status !== LINKED && status !== EVALUATED && status !== ERRORED) {
        throw new codes.ERR_VM_MODULE_STATUS('must be one of linked, evaluated, or errored');
      }
      return native.vmModuleEvaluate(number, this[kContext], timeout);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  [Symbol.for('nodejs.util.inspect.custom')](depth, options) {
    numberOf(this, 'Module');
    if (typeof depth === 'number' && depth < 0) return this;
    const constructor = this.constructor ?? Module;
    const shown = Object.create(Object.getPrototypeOf(this));
    Object.defineProperty(shown, Symbol.toStringTag, { __proto__: null, value: constructor.name, configurable: true });
    for (const name of ['status', 'identifier', 'context']) {
      Object.defineProperty(shown, name, {
        __proto__: null,
        value: this[name],
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
    return require('internal/inspect/inspect').inspect(shown, { ...options, customInspect: false });
  }
}

const identifiers = new WeakMap();
const registry = new FinalizationRegistry((number) => modules.delete(number));

const namespaceOf = (module) => native.vmModuleNamespace(numbers.get(module));
const isModule = (value) => typeof value === 'object' && value !== null && numbers.has(value);

function checkLinkable(module, importer) {
  if (!isModule(module)) throw new codes.ERR_VM_MODULE_NOT_MODULE();
  if (module.context !== importer.context) throw new codes.ERR_VM_MODULE_DIFFERENT_CONTEXT();
}

function requestsOf(number) {
  const flat = native.vmModuleRequests(number);
  const requests = [];
  for (let index = 0; index < flat.length; index += 2) {
    const attributes = { __proto__: null };
    for (let at = 0; at < flat[index + 1].length; at += 2) attributes[flat[index + 1][at]] = flat[index + 1][at + 1];
    requests.push(Object.freeze({ __proto__: null, specifier: flat[index], attributes, phase: 'evaluation' }));
  }
  return Object.freeze(requests);
}

class SourceTextModule extends Module {
  constructor(sourceText, options = { __proto__: null }) {
    validateString(sourceText, 'sourceText');
    validateObject(options, 'options');
    const {
      lineOffset = 0,
      columnOffset = 0,
      initializeImportMeta,
      importModuleDynamically,
      context,
      identifier,
      cachedData,
    } = options;
    validateInt32(lineOffset, 'options.lineOffset');
    validateInt32(columnOffset, 'options.columnOffset');
    if (initializeImportMeta !== undefined) validateFunction(initializeImportMeta, 'options.initializeImportMeta');
    if (importModuleDynamically !== undefined) validateFunction(importModuleDynamically, 'options.importModuleDynamically');
    if (cachedData !== undefined) validateBuffer(cachedData, 'options.cachedData');
    const symbol = symbolFor(importModuleDynamically, identifier ?? 'vm:module');
    super({
      context,
      identifier,
      [kNumber](module, name) {
        const made = native.vmModule(module, sourceText, name, lineOffset, columnOffset, cachedData, symbol, context);
        if (made[1] === true) {
          throw Object.assign(new Error('cachedData buffer was rejected'), { code: 'ERR_VM_MODULE_CACHED_DATA_REJECTED' });
        }
        module.sourceMapURL = made[2];
        return made[0];
      },
    });
    register(symbol, importModuleDynamically, this);
    callbacks.set(this, initializeImportMeta);
    states.set(this, { error: NONE, override: undefined, requests: requestsOf(numbers.get(this)), specifiers: undefined });
  }

  async [kLink](linker) {
    const state = states.get(this);
    state.override = 'linking';
    const linked = state.requests.map(async ({ specifier, attributes }) => {
      const module = await linker(specifier, this, { attributes, assert: attributes });
      checkLinkable(module, this);
      if (module.status === 'errored') {
        throw new codes.ERR_VM_MODULE_LINK_FAILURE(`request for '${specifier}' resolved to an errored module`, module.error);
      }
      if (module.status === 'unlinked') await module[kLink](linker);
      return module;
    });
    try {
      const found = await Promise.all(linked);
      native.vmModuleLink(
        numbers.get(this),
        found.map((module) => numbers.get(module)),
      );
    } catch (error) {
      state.error = error;
      throw error;
    } finally {
      state.override = undefined;
    }
  }

  linkRequests(found) {
    const number = numberOf(this, 'SourceTextModule');
    if (this.status !== 'unlinked') throw new codes.ERR_VM_MODULE_STATUS('must be unlinked');
    validateArray(found, 'modules');
    const { requests } = states.get(this);
    if (found.length !== requests.length) {
      throw new codes.ERR_MODULE_LINK_MISMATCH(`Expected ${requests.length} modules, got ${found.length}`);
    }
    for (const module of found) checkLinkable(module, this);
    native.vmModuleLink(
      number,
      found.map((module) => numbers.get(module)),
    );
  }

  instantiate() {
    const number = numberOf(this, 'SourceTextModule');
    if (this.status !== 'unlinked') throw new codes.ERR_VM_MODULE_STATUS('must be unlinked');
    native.vmModuleInstantiate(number, this[kContext]);
  }

  get dependencySpecifiers() {
    const state = states.get(this);
    state.specifiers ??= Object.freeze(state.requests.map((request) => request.specifier));
    return state.specifiers;
  }

  get moduleRequests() {
    return states.get(this).requests;
  }

  get status() {
    const state = states.get(this);
    if (state !== undefined && state.error !== NONE) return 'errored';
    return state?.override ?? super.status;
  }

  get error() {
    const state = states.get(this);
    return state !== undefined && state.error !== NONE ? state.error : super.error;
  }

  hasAsyncGraph() {
    const number = numberOf(this, 'SourceTextModule');
    if (native.vmModuleStatus(number) < LINKED) throw new codes.ERR_VM_MODULE_STATUS('must be instantiated');
    return native.vmModuleAwaits(number, true);
  }

  hasTopLevelAwait() {
    return native.vmModuleAwaits(numberOf(this, 'SourceTextModule'), false);
  }

  createCachedData() {
    if (['evaluating', 'evaluated', 'errored'].includes(this.status)) throw new codes.ERR_VM_MODULE_CANNOT_CREATE_CACHED_DATA();
    const bytes = native.vmModuleCache(numberOf(this, 'SourceTextModule'));
    return globalThis.Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
}

class SyntheticModule extends Module {
  constructor(exportNames, evaluateCallback, options = { __proto__: null }) {
    if (!Array.isArray(exportNames) || exportNames.some((name) => typeof name !== 'string')) {
      throw new codes.ERR_INVALID_ARG_TYPE('exportNames', 'Array of unique strings', exportNames);
    }
    exportNames.forEach((name, index) => {
      if (exportNames.indexOf(name, index + 1) !== -1)
        throw new codes.ERR_INVALID_ARG_VALUE(`exportNames.${name}`, name, 'is duplicated');
    });
    validateFunction(evaluateCallback, 'evaluateCallback');
    validateObject(options, 'options');
    const { context, identifier } = options;
    symbolFor(undefined);
    super({
      context,
      identifier,
      [kNumber]: (module, name) => native.vmSyntheticModule(module, name, context, [...exportNames]),
    });
    callbacks.set(this, evaluateCallback);
    steps.set(numbers.get(this), this);
    native.vmModuleInstantiate(numbers.get(this), context);
  }

  async [kLink]() {
    // it imports nothing
  }

  link() {
    numberOf(this, 'SyntheticModule');
  }

  setExport(name, value) {
    const number = numberOf(this, 'SyntheticModule');
    validateString(name, 'name');
    if (native.vmModuleStatus(number) < LINKED) throw new codes.ERR_VM_MODULE_STATUS('must be linked');
    native.vmModuleSetExport(number, name, value);
  }
}

function initializeMeta(module, meta) {
  callbacks.get(module)?.(meta, module);
}

/** A synthetic module's steps; what they return is not waited for. */
function evaluateSteps(module) {
  callbacks.get(module).call(module);
  return Promise.resolve();
}

module.exports = { Module, SourceTextModule, SyntheticModule, namespaceOf, initializeMeta, evaluateSteps };
