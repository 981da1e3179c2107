'use strict';
// Owns: the module node:util, put together from its parts; what few programs use loads when it is first asked for.

const { inspect } = require('./inspect');
const { format, formatWithOptions } = require('./inspect_format');
const { promisify, callbackify, deprecate, inherits, debuglog, aborted } = require('./util_promisify');
const { stripControls } = require('./string_width');
const errno = require('./errno');

const SIGNAL_EXIT_CODE = 128;

function stripVTControlCharacters(text) {
  require('./validators').validateString(text, 'str');
  return stripControls(text);
}

function diff(actual, expected) {
  const { validateString, validateStringArray } = require('./validators');
  for (const [value, name] of [
    [actual, 'actual'],
    [expected, 'expected'],
  ]) {
    if (Array.isArray(value)) validateStringArray(value, name);
    else validateString(value, name);
  }
  if (actual === expected) return [];
  const items = (value) => (Array.isArray(value) ? value : value.split(''));
  return require('./assertion_diff').diff(items(actual), items(expected));
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
  _errnoException: (...args) => require('./errors').errnoException(...args),
  _exceptionWithHostPort: (...args) => require('./errors').exceptionWithHostPort(...args),
  _extend: extend,
  callbackify,
  convertProcessSignalToExitCode(signal) {
    const { codes } = require('./errors');
    const number = host.signals?.[signal];
    if (number === undefined) throw new codes.ERR_UNKNOWN_SIGNAL(signal);
    return SIGNAL_EXIT_CODE + number;
  },
  debug: debuglog,
  debuglog,
  deprecate,
  format,
  styleText: (...args) => require('./util_style').styleText(...args),
  formatWithOptions,
  getCallSites,
  getSystemErrorMap: errno.getSystemErrorMap,
  getSystemErrorName: systemErrorName,
  getSystemErrorMessage: systemErrorMessage,
  inherits,
  inspect,
  isArray: Array.isArray,
  isDeepStrictEqual(one, other, skipPrototype) {
    return require('./deep_equal').isDeepStrictEqual(one, other, skipPrototype);
  },
  promisify,
  stripVTControlCharacters,
  toUSVString: (text) => `${text}`.toWellFormed(),
  aborted,
  types: require('./util_types'),
  parseEnv: (content) => require('./parse_env').parseEnv(content),
  parseArgs: (config) => require('./parse_args').parseArgs(config),
  diff,
};

for (const [name, file] of [
  ['TextDecoder', 'text_encoding'],
  ['TextEncoder', 'text_encoding'],
  ['MIMEType', 'mime'],
  ['MIMEParams', 'mime'],
]) {
  let value;
  Object.defineProperty(module.exports, name, {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get: () => (value ??= require(`./${file}`)[name]),
    set(replacement) {
      value = replacement;
    },
  });
}
