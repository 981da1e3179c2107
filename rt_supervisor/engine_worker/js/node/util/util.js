// @ts-check
'use strict';
// Owns: the module node:util; less common parts are loaded on first access.

const { defineLazily } = require('internal/lazy');
const {
  ArrayIsArray,
  ArrayMap,
  ErrorCaptureStackTrace,
  ObjectAssign,
  ObjectKeys,
  PromiseThen,
  StringSplit,
  StringToWellFormed,
  intact,
} = require('internal/primordials');
const runtimeParts = require('internal/parts');
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
  for (const { 0: value, 1: name } of intact([
    [actual, 'actual'],
    [expected, 'expected'],
  ])) {
    if (ArrayIsArray(value)) validateStringArray(value, name);
    else validateString(value, name);
  }
  if (actual === expected) return [];
  const items = (value) => (ArrayIsArray(value) ? value : StringSplit(value, ''));
  return require('node/assert/diff').diff(items(actual), items(expected));
}

function extend(target, source) {
  return source === null || typeof source !== 'object' ? target : ObjectAssign(target, source);
}

/** The caller's stack frames: { functionName, scriptId, scriptName, lineNumber, columnNumber, column }. */
function getCallSites(count = 10) {
  const { prepareStackTrace, stackTraceLimit } = Error;
  try {
    Error.stackTraceLimit = typeof count === 'number' ? count : 10;
    Error.prepareStackTrace = (_, sites) => sites;
    const holder = {};
    ErrorCaptureStackTrace(holder, getCallSites);
    return ArrayMap(holder.stack, (site) => ({
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
  _errnoException: (...args) => require('internal/errors/errors').errnoException(...intact(args)),
  _exceptionWithHostPort: (...args) => require('internal/errors/errors').exceptionWithHostPort(...intact(args)),
  _extend: deprecate(extend, 'The `util._extend` API is deprecated. Please use Object.assign() instead.', 'DEP0060'),
  callbackify,
  convertProcessSignalToExitCode(signal) {
    const { NUMBERS } = require('internal/signals');
    require('internal/validators').validateOneOf(signal, 'signalCode', ObjectKeys(NUMBERS));
    return SIGNAL_EXIT_CODE + NUMBERS[signal];
  },
  debug: debuglog,
  debuglog,
  deprecate,
  format,
  styleText: (...args) => require('node/util/style').styleText(...intact(args)),
  formatWithOptions,
  getCallSites,
  getSystemErrorMap: errno.getSystemErrorMap,
  getSystemErrorName: systemErrorName,
  getSystemErrorMessage: systemErrorMessage,
  inherits,
  inspect,
  isArray: ArrayIsArray,
  isDeepStrictEqual(one, other, skipPrototype) {
    return require('node/assert/deep_equal').isDeepStrictEqual(one, other, skipPrototype);
  },
  promisify,
  stripVTControlCharacters,
  toUSVString: (text) => StringToWellFormed(`${text}`),
  aborted,
  types: require('node/util/types'),
  parseEnv: (content) => require('node/util/parse_env').parseEnv(content),
  parseArgs: (config) => require('node/util/parse_args').parseArgs(config),
  diff,
  ...members('util', 'debounce/2 throttle/3'),
  setTraceSigInt(enable) {
    require('internal/validators').validateBoolean(enable, 'enable');
    if (runtimeParts.worker !== undefined) {
      throw new (require('internal/errors/errors').codes.ERR_WORKER_UNSUPPORTED_OPERATION)('Calling util.setTraceSigInt');
    }
  },
  markPromiseAsHandled(promise) {
    if (!require('node/util/types').isPromise(promise)) {
      throw new (require('internal/errors/errors').codes.ERR_INVALID_ARG_TYPE)('promise', 'Promise', promise);
    }
    PromiseThen(promise, undefined, () => {});
  },
  transferableAbortController() {
    const controller = new (require('web/abort').AbortController)();
    require('web/abort_transfer').mark(controller.signal);
    return controller;
  },
  transferableAbortSignal(signal) {
    if (!(signal instanceof require('web/abort').AbortSignal)) {
      throw new (require('internal/errors/errors').codes.ERR_INVALID_ARG_TYPE)('signal', 'AbortSignal', signal);
    }
    return require('web/abort_transfer').mark(signal);
  },
};

for (const { 0: name, 1: file } of intact([
  ['TextDecoder', 'web/encoding/text'],
  ['TextEncoder', 'web/encoding/text'],
  ['MIMEType', 'internal/mime'],
  ['MIMEParams', 'internal/mime'],
])) {
  defineLazily(module.exports, name, () => require(file)[name]);
}
for (const name of intact([
  'isBoolean',
  'isBuffer',
  'isDate',
  'isError',
  'isFunction',
  'isNull',
  'isNullOrUndefined',
  'isNumber',
  'isObject',
  'isPrimitive',
  'isRegExp',
  'isString',
  'isSymbol',
  'isUndefined',
])) {
  defineLazily(module.exports, name, () => require('node/util/type_checks')[name]);
}
