'use strict';
// Owns: modules of node:vm: Module, SourceTextModule and SyntheticModule. The native module links and evaluates; the program
// decides which module a request resolves to.

const {
  ArrayForEach,
  ArrayIncludes,
  ArrayIndexOf,
  ArrayIsArray,
  ArrayMap,
  ArraySome,
  FinalizationRegistryRegister,
  FunctionCall,
  MapDelete,
  MapSet,
  ObjectAssign,
  ObjectCreate,
  ObjectDefineProperty,
  ObjectFreeze,
  ObjectGetPrototypeOf,
  SetAdd,
  SetHas,
  SymbolFor,
  WeakMapGet,
  WeakMapHas,
  WeakMapSet,
  intact,
} = require('internal/primordials');
const { PromiseAll, PromiseReject, PromiseResolve } = require('internal/promises');
const { codes } = require('internal/errors/errors');
const { givenFlags } = require('internal/given_flags');
const runtimeParts = require('internal/parts');
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
const { runLimited } = require('node/vm/limited');
const { register, modules, steps, symbolFor } = require('node/vm/imports');
const { requestsOf, checkModules } = require('node/vm/requests');

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
const states = new WeakMap(); // of source modules: { error, override, requests, specifiers, linked }
const callbacks = new WeakMap();

function numberOf(module, name) {
  const number = typeof module === 'object' && module !== null ? WeakMapGet(numbers, module) : undefined;
  if (number === undefined) throw new codes.ERR_INVALID_THIS(name);
  return number;
}

/** The default name of a module; each context has its own counter. */
function nameFor(context) {
  if (context === undefined) return `vm:module(${anonymous++})`;
  const next = context[kModuleId] ?? 0;
  ObjectDefineProperty(context, kModuleId, {
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
    // Without Node's flag, programs merely test whether the classes exist and expect no warning.
    if (ArrayIncludes(givenFlags(runtimeParts.process.process), '--experimental-vm-modules')) warnOfExperiment('VM Modules');
    if (new.target === Module) throw new TypeError('Module is not a constructor');
    const { context } = options;
    let { identifier } = options;
    if (context !== undefined) {
      validateObject(context, 'context');
      if (!isContext(context)) throw new codes.ERR_INVALID_ARG_TYPE('options.context', 'vm.Context', context);
    }
    if (identifier !== undefined) validateString(identifier, 'options.identifier');
    else identifier = nameFor(context);
    WeakMapSet(numbers, this, options[kNumber](this, identifier));
    MapSet(modules, WeakMapGet(numbers, this), new WeakRef(this));
    FinalizationRegistryRegister(registry, this, WeakMapGet(numbers, this));
    this[kContext] = context;
    WeakMapSet(identifiers, this, identifier);
  }

  get identifier() {
    numberOf(this, 'Module');
    return WeakMapGet(identifiers, this);
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
      const run = () => runLimited(() => native.vmModuleEvaluate(number, this[kContext], timeout, breakOnSigint));
      return breakOnSigint ? require('node/vm/interruptible').interruptible(run) : run();
    } catch (error) {
      return PromiseReject(error);
    }
  }

  [SymbolFor('nodejs.util.inspect.custom')](depth, options) {
    numberOf(this, 'Module');
    if (typeof depth === 'number' && depth < 0) return this;
    const constructor = this.constructor ?? Module;
    const shown = ObjectCreate(ObjectGetPrototypeOf(this));
    ObjectDefineProperty(shown, Symbol.toStringTag, { __proto__: null, value: constructor.name, configurable: true });
    for (const name of intact(['status', 'identifier', 'context'])) {
      ObjectDefineProperty(shown, name, {
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
const registry = new FinalizationRegistry((number) => MapDelete(modules, number));

const namespaceOf = (module) => native.vmModuleNamespace(WeakMapGet(numbers, module));
const isModule = (value) => typeof value === 'object' && value !== null && WeakMapHas(numbers, value);

function checkLinkable(module, importer) {
  if (!isModule(module)) throw new codes.ERR_VM_MODULE_NOT_MODULE();
  if (module.context !== importer.context) throw new codes.ERR_VM_MODULE_DIFFERENT_CONTEXT();
}

function link(module, modules) {
  WeakMapGet(states, module).linked = [...intact(modules)];
  native.vmModuleLink(
    WeakMapGet(numbers, module),
    ArrayMap(modules, (each) => WeakMapGet(numbers, each)),
  );
}

/** Throws if a source module in the graph has unlinked requests. */
function checkLinked(module, seen) {
  const state = WeakMapGet(states, module);
  if (state === undefined || SetHas(seen, module)) return;
  SetAdd(seen, module);
  if (state.linked === undefined && state.requests.length > 0) {
    const { specifier } = state.requests[0];
    throw new codes.ERR_VM_MODULE_LINK_FAILURE(
      `request for '${specifier}' can not be resolved on module '${module.identifier}' that is not linked`,
    );
  }
  for (const each of intact(state.linked ?? [])) checkLinked(each, seen);
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
        const handle = native.vmModule(module, sourceText, name, lineOffset, columnOffset, cachedData, symbol, context);
        if (handle[1] === true) {
          throw ObjectAssign(new Error('cachedData buffer was rejected'), { code: 'ERR_VM_MODULE_CACHED_DATA_REJECTED' });
        }
        module.sourceMapURL = handle[2];
        return handle[0];
      },
    });
    register(symbol, importModuleDynamically, this);
    WeakMapSet(callbacks, this, initializeImportMeta);
    WeakMapSet(states, this, {
      error: NONE,
      override: undefined,
      requests: requestsOf(WeakMapGet(numbers, this)),
      specifiers: undefined,
      linked: undefined, // the modules that the requests resolve to, once linked
    });
  }

  async [kLink](linker) {
    const state = WeakMapGet(states, this);
    state.override = 'linking';
    const linked = ArrayMap(state.requests, async ({ specifier, attributes }) => {
      const module = await linker(specifier, this, { attributes, assert: attributes });
      checkLinkable(module, this);
      if (module.status === 'errored') {
        throw new codes.ERR_VM_MODULE_LINK_FAILURE(`request for '${specifier}' resolved to an errored module`, module.error);
      }
      if (module.status === 'unlinked') await module[kLink](linker);
      return module;
    });
    try {
      link(this, await PromiseAll(linked));
    } catch (error) {
      state.error = error;
      throw error;
    } finally {
      state.override = undefined;
    }
  }

  linkRequests(modules) {
    numberOf(this, 'SourceTextModule');
    if (this.status !== 'unlinked') throw new codes.ERR_VM_MODULE_STATUS('must be unlinked');
    validateArray(modules, 'modules');
    const { requests } = WeakMapGet(states, this);
    checkModules(requests, modules);
    for (const module of intact(modules)) checkLinkable(module, this);
    link(this, modules);
  }

  instantiate() {
    const number = numberOf(this, 'SourceTextModule');
    if (this.status !== 'unlinked') throw new codes.ERR_VM_MODULE_STATUS('must be unlinked');
    if (WeakMapGet(states, this).linked === undefined) throw new codes.ERR_VM_MODULE_LINK_FAILURE('module is not linked');
    checkLinked(this, new Set());
    native.vmModuleInstantiate(number, this[kContext]);
  }

  get dependencySpecifiers() {
    const state = WeakMapGet(states, this);
    state.specifiers ??= ObjectFreeze(ArrayMap(state.requests, (request) => request.specifier));
    return state.specifiers;
  }

  get moduleRequests() {
    return WeakMapGet(states, this).requests;
  }

  get status() {
    const state = WeakMapGet(states, this);
    if (state !== undefined && state.error !== NONE) return 'errored';
    return state?.override ?? super.status;
  }

  get error() {
    const state = WeakMapGet(states, this);
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
    if (ArrayIncludes(['evaluating', 'evaluated', 'errored'], this.status))
      throw new codes.ERR_VM_MODULE_CANNOT_CREATE_CACHED_DATA();
    const bytes = native.vmModuleCache(numberOf(this, 'SourceTextModule'));
    return require('node/buffer/views').asBuffer(bytes);
  }
}

class SyntheticModule extends Module {
  constructor(exportNames, evaluateCallback, options = { __proto__: null }) {
    if (!ArrayIsArray(exportNames) || ArraySome(exportNames, (name) => typeof name !== 'string')) {
      throw new codes.ERR_INVALID_ARG_TYPE('exportNames', 'Array of unique strings', exportNames);
    }
    ArrayForEach(exportNames, (name, index) => {
      if (ArrayIndexOf(exportNames, name, index + 1) !== -1)
        throw new codes.ERR_INVALID_ARG_VALUE(`exportNames.${name}`, name, 'is duplicated');
    });
    validateFunction(evaluateCallback, 'evaluateCallback');
    validateObject(options, 'options');
    const { context, identifier } = options;
    symbolFor(undefined);
    super({
      context,
      identifier,
      [kNumber]: (module, name) => native.vmSyntheticModule(module, name, context, [...intact(exportNames)]),
    });
    WeakMapSet(callbacks, this, evaluateCallback);
    MapSet(steps, WeakMapGet(numbers, this), this);
    native.vmModuleInstantiate(WeakMapGet(numbers, this), context);
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
  WeakMapGet(callbacks, module)?.(meta, module);
}

/** Runs a synthetic module's evaluation steps; their result is not awaited. */
function evaluateSteps(module) {
  FunctionCall(WeakMapGet(callbacks, module), module);
  return PromiseResolve();
}

module.exports = { Module, SourceTextModule, SyntheticModule, initializeMeta, evaluateSteps };
