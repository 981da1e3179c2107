'use strict';
// Owns: the module node:util, put together from its parts; what few programs use loads when it is first asked for.

const { inspect } = require('internal/inspect/inspect');
const { format, formatWithOptions } = require('internal/inspect/format');
const { members } = require('node/missing/missing');
const { promisify, callbackify, deprecate, inherits, debuglog, aborted } = require('node/util/promisify');
const { stripControls } = require('internal/string_width');
const errno = require('internal/errors/errno');

const SIGNAL_EXIT_CODE = 128;

function stripVTControlCharacters(text) {
  require('internal/validators').validateString(text, 'str');
  return stripControls(text);
}

function diff(actual, expected) {
  const { validateString, validateStringArray } = require('internal/validators');
  for (const [value, name] of [
    [actual, 'actual'],
    [expected, 'expected'],
  ]) {
    if (Array.isArray(value)) validateStringArray(value, name);
    else validateString(value, name);
  }
  if (actual === expected) return [];
  const items = (value) => (Array.isArray(value) ? value : value.split(''));
  return require('node/assert/diff').diff(items(actual), items(expected));
}

function extend(target, source) {
  return source === null || typeof source !== 'object' ? target : Object.assign(target, source);
}

/** Frames of the caller: { functionName, scriptId, scriptName, lineNumber, columnNumber, column }. */
function getCallSites(count = 10) {
  const { prepareStackTrace, stackTraceLimit } = Error;
  try {
    Error.stackTraceLimit = typeof count === 'number' ? count : 10;
    Error.prepareStackTrace = (_, sites) => sites;
    const holder = {};
    Error.captureStackTrace(holder, getCallSites);
    return holder.stack.map((site) => ({
      __proto__: null,
      functionName: site.getFunctionName() ?? '',
      scriptId: `${site.getScriptNameOrSourceURL === undefined ? '' : (site.getScriptHash?.() ?? '')}`,
      scriptName: site.getFileName() ?? '',
      lineNumber: site.getLineNumber(),
      columnNumber: site.getColumnNumber(),
      column: site.getColumnNumber(),
    }));
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    Error.prepareStackTrace = prepareStackTrace;
  }
}

function systemErrorName(number) {
  errno.checkNumber(number);
  return errno.getSystemErrorName(number);
}

function systemErrorMessage(number) {
  errno.checkNumber(number);
  return errno.getSystemErrorMessage(number);
}

module.exports = {
  _errnoException: (...args) => require('internal/errors/errors').errnoException(...args),
  _exceptionWithHostPort: (...args) => require('internal/errors/errors').exceptionWithHostPort(...args),
  _extend: deprecate(extend, 'The `util._extend` API is deprecated. Please use Object.assign() instead.', 'DEP0060'),
  callbackify,
  convertProcessSignalToExitCode(signal) {
    const { NUMBERS } = require('internal/signals');
    require('internal/validators').validateOneOf(signal, 'signalCode', Object.keys(NUMBERS));
    return SIGNAL_EXIT_CODE + NUMBERS[signal];
  },
  debug: debuglog,
  debuglog,
  deprecate,
  format,
  styleText: (...args) => require('node/util/style').styleText(...args),
  formatWithOptions,
  getCallSites,
  getSystemErrorMap: errno.getSystemErrorMap,
  getSystemErrorName: systemErrorName,
  getSystemErrorMessage: systemErrorMessage,
  inherits,
  inspect,
  isArray: Array.isArray,
  isDeepStrictEqual(one, other, skipPrototype) {
    return require('node/assert/deep_equal').isDeepStrictEqual(one, other, skipPrototype);
  },
  promisify,
  stripVTControlCharacters,
  toUSVString: (text) => `${text}`.toWellFormed(),
  aborted,
  types: require('node/util/types'),
  parseEnv: (content) => require('node/util/parse_env').parseEnv(content),
  parseArgs: (config) => require('node/util/parse_args').parseArgs(config),
  diff,
  ...members('util', 'debounce/2 throttle/3'),
  setTraceSigInt(enable) {
    require('internal/validators').validateBoolean(enable, 'enable');
  },
  markPromiseAsHandled(promise) {
    if (!require('node/util/types').isPromise(promise)) {
      throw new (require('internal/errors/errors').codes.ERR_INVALID_ARG_TYPE)('promise', 'Promise', promise);
    }
    Promise.prototype.then.call(promise, undefined, () => {});
  },
  transferableAbortController() {
    const controller = new globalThis.AbortController();
    require('web/abort_moved').mark(controller.signal);
    return controller;
  },
  transferableAbortSignal(signal) {
    if (!(signal instanceof globalThis.AbortSignal)) {
      throw new (require('internal/errors/errors').codes.ERR_INVALID_ARG_TYPE)('signal', 'AbortSignal', signal);
    }
    return require('web/abort_moved').mark(signal);
  },
};

for (const [name, file] of [
  ['TextDecoder', 'web/encoding/text'],
  ['TextEncoder', 'web/encoding/text'],
  ['MIMEType', 'node/util/mime'],
  ['MIMEParams', 'node/util/mime'],
]) {
  let value;
  Object.defineProperty(module.exports, name, {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get: () => (value ??= require(file)[name]),
    set(replacement) {
      value = replacement;
    },
  });
}
