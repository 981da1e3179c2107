'use strict';
// Owns: chains of module loader hooks. Hooks of `registerHooks` are synchronous and run first; those of `register` return
// promises, which are awaited together when a loader needs the result.

const { isAnyArrayBuffer } = require('internal/brands');
const { AnyCatch } = require('internal/any_kind');
const {
  ArrayBufferIsView,
  ArrayFilter,
  FunctionCall,
  ObjectAssign,
  ObjectDefineProperty,
  PromiseThen,
  intact,
} = require('internal/primordials');
const { native } = host;
const { codes } = require('internal/errors/errors');
const { PromiseResolve } = require('internal/promises');
const { describeReceived } = require('internal/errors/text');
const { validateObject, validateString } = require('internal/validators');

const FULFILLED = 1; // of promiseDetails
const DEFAULTS = {
  __proto__: null,
  resolve: "node:internal/modules/esm/resolve 'resolve'",
  load: "node:internal/modules/esm/load 'load'",
};

const wrongReturn = (expected, kind, property, value) => {
  const message = `Expected ${expected} to be returned for the "${property}" from the "${kind}" hook but got ${describeReceived(value)}.`;
  return ObjectAssign(new TypeError(message), { code: 'ERR_INVALID_RETURN_PROPERTY_VALUE' });
};

const isUrl = (text) => require('web/url/class').URL.canParse(text);
const isSource = (source) => typeof source === 'string' || ArrayBufferIsView(source) || isAnyArrayBuffer(source);

/** Validation of the results of `registerHooks` hooks. */
const CHECKS = {
  __proto__: null,
  resolve(result) {
    if (typeof result.url !== 'string') throw wrongReturn('a URL string', 'resolve', 'url', result.url);
  },
  load({ source, format }, isRequire) {
    if (format === 'builtin' || isSource(source) || (!isRequire && (source === null || source === undefined))) return;
    throw wrongReturn('a string, an ArrayBuffer, or a TypedArray', 'load', 'source', source);
  },
};

/** Validation of the final result of the first `register` hook; `by` names the hook called last. */
const LAST_CHECKS = {
  __proto__: null,
  resolve({ url, format, importAttributes }, by) {
    if (typeof url !== 'string' || !isUrl(url)) throw wrongReturn('a URL string', by, 'url', url);
    if (importAttributes !== undefined && (typeof importAttributes !== 'object' || importAttributes === null))
      throw wrongReturn('an object', by, 'importAttributes', importAttributes);
    if (format !== undefined && format !== null && typeof format !== 'string')
      throw wrongReturn('a string', by, 'format', format);
  },
  load({ source, format, responseURL }, by) {
    if (responseURL !== undefined && (typeof responseURL !== 'string' || !isUrl(responseURL)))
      throw wrongReturn('undefined or a fully resolved URL string', by, 'responseURL', responseURL);
    if (format !== undefined && format !== null && typeof format !== 'string')
      throw wrongReturn('a string', by, 'format', format);
    if (source !== undefined && source !== null && !isSource(source))
      throw wrongReturn('a string, an ArrayBuffer, or a TypedArray', by, 'source', source);
  },
};

const ARGUMENT_CHECKS = {
  __proto__: null,
  resolve(specifier, called) {
    validateString(specifier, `${called} specifier`);
  },
  load(url, called) {
    if (typeof url !== 'string') throw new codes.ERR_INVALID_ARG_TYPE(`${called} url`, 'a URL string', url);
    if (!isUrl(url)) throw new codes.ERR_INVALID_ARG_VALUE(`${called} url`, url, 'should be a URL string');
  },
};

const neverSettled = () =>
  ObjectAssign(new Error('Async loader request never settled'), { code: 'ERR_ASYNC_LOADER_REQUEST_NEVER_SETTLED' });

/** Waits for an asynchronous hook's promise while the event loop runs; returns `otherwise()` if no turn can settle it. */
function waitFor(promise, otherwise) {
  AnyCatch(promise, () => {}); // rejections are reported to the caller
  const [state, value] = intact(native.modules_settle(promise));
  if (state === 'fulfilled') return value;
  if (state === 'pending' && otherwise !== undefined) return otherwise();
  if (state === 'pending') throw neverSettled();
  throw value;
}

/** Applies `work` to `value` or to the value of a promise: synchronously if it is available, otherwise returns a promise. */
function after(value, work) {
  if (typeof value !== 'object' || value === null) return work(value);
  const { 0: state, 1: result } = native.promiseDetails(value) ?? [];
  if (state === FULFILLED) return work(result);
  if (state !== undefined) return PromiseThen(PromiseResolve(value), work);
  const { then } = value; // read once: it may be a getter
  if (typeof then !== 'function') return work(value);
  return PromiseThen(new Promise((resolve, reject) => FunctionCall(then, value, resolve, reject)), work);
}

/** The context for `register` hooks, with the former name of import attributes. */
function contextOf(kind, { conditions, format, importAttributes, parentURL }) {
  const context = kind === 'load' ? { format, importAttributes } : { conditions, importAttributes, parentURL };
  context.importAttributes ??= {};
  return ObjectDefineProperty(context, 'importAssertions', {
    __proto__: null,
    configurable: true,
    get() {
      warnOfAssertions();
      return this.importAttributes;
    },
    set(value) {
      warnOfAssertions();
      this.importAttributes = value;
    },
  });
}

let hasWarned = false;

function warnOfAssertions() {
  if (!hasWarned) host.emitWarning('Use `importAttributes` instead of `importAssertions`', 'ExperimentalWarning');
  hasWarned = true;
}

/**
 * Calls `register` hooks, the last of `hookList` first; returns a promise if one of them waits. Available results are returned
 * synchronously: inside a promise reaction no other reaction runs that could be awaited.
 */
function asynchronous(kind, hookList, subject, context, last) {
  const name = kind === 'resolve' ? 'nextResolve' : 'nextLoad';
  const shared = contextOf(kind, context);
  let [by, isOver] = intact(['', false]);
  const ask = (place, value, given) => {
    const hooks = hookList[place];
    by = hooks === undefined ? DEFAULTS[kind] : `${hooks.name} '${kind}'`;
    const called = `${by} hook's ${name}()`;
    ARGUMENT_CHECKS[kind](value, called);
    if (given) validateObject(given, `${called} context`);
    ObjectAssign(shared, given);
    if (hooks === undefined) isOver = true;
    const asks = hooks?.[kind]; // called without its object as `this`
    const result = asks === undefined ? last(value, shared) : asks(value, shared, nextOf(place - 1));
    return after(result, (answer) => {
      if (typeof answer !== 'object' || answer === null) throw new codes.ERR_INVALID_RETURN_VALUE('an object', called, answer);
      if (answer.shortCircuit === true) isOver = true;
      return answer;
    });
  };
  const nextOf = (place) => {
    const next = async (value = undefined, given = undefined) => ask(place, value, given);
    return ObjectDefineProperty(next, 'name', { __proto__: null, value: name, configurable: true });
  };
  return after(ask(hookList.length - 1, subject, undefined), (result) => {
    if (!isOver) {
      const message = `"${by}" did not call the next hook in its chain and did not explicitly signal a short circuit. If this is intentional, include \`shortCircuit: true\` in the hook's return.`;
      throw ObjectAssign(new Error(message), { code: 'ERR_LOADER_CHAIN_INCOMPLETE' });
    }
    LAST_CHECKS[kind](result, by);
    const { importAttributes, importAssertions } = result;
    if (kind !== 'resolve' || importAttributes !== undefined || importAssertions === undefined) return result;
    warnOfAssertions();
    return { ...result, importAttributes: importAssertions };
  });
}

/** Calls the hooks of a kind among `entries` for `subject`; `last(subject, context)` ends the chain. */
function chain(entries, kind, subject, context, last, { isSync = false, isRequire = false } = {}) {
  const ofKind = ArrayFilter(entries, (each) => typeof each[kind] === 'function');
  const later = isSync ? [] : ArrayFilter(ofKind, (each) => each.isAsync);
  const syncHooks = ArrayFilter(ofKind, (each) => !each.isAsync);
  const end = (value, given) => {
    if (later.length === 0) return last(value, given);
    // require() in a promise reaction: other reactions, including those of the hooks, wait for the end of this one
    const otherwise = isRequire ? () => last(value, given) : undefined;
    const answer = asynchronous(kind, later, value, given, last);
    return native.promiseDetails(answer) === undefined ? answer : waitFor(answer, otherwise);
  };
  const step = (place, value, given) => {
    if (place < 0) return end(value, given);
    let hasRequested = false;
    const next = (nextValue = value, nextContext = undefined) => {
      hasRequested = true;
      return step(place - 1, nextValue, nextContext === undefined ? given : { ...given, ...nextContext });
    };
    const { [kind]: asks } = syncHooks[place];
    const result = asks(value, given, next);
    if (!hasRequested && result?.shortCircuit !== true) throw wrongReturn('true', kind, 'shortCircuit', result?.shortCircuit);
    CHECKS[kind](result ?? {}, isRequire);
    return result;
  };
  return step(syncHooks.length - 1, subject, context);
}

const wrongSource = (source) => wrongReturn('string, array buffer, or typed array', 'load', 'source', source);

module.exports = { chain, waitFor, wrongSource };
