'use strict';
// Owns: process.emitWarning and how warnings are printed; warnings of unhandled rejections.

const native = host.native;
const { isError } = require('internal/brands');
const handedDown = require('internal/parts');
const {
  ArrayIncludes,
  ArrayIsArray,
  ErrorCaptureStackTrace,
  ErrorToString,
  ObjectHasOwn,
  SetAdd,
  SetHas,
} = require('internal/primordials');
const timers = require('internal/timers');
let hasSaidHow = false;
let isTracing = false;
let file; // to which --redirect-warnings has them written
let silenced = []; // codes and names that are not printed

const ORIGIN =
  'This error originated either by throwing inside of an async function without a catch block, or by rejecting a promise ' +
  'which was not handled with .catch().';
const HOW_REJECTIONS_ARISE =
  `Unhandled promise rejection. ${ORIGIN} To terminate the rt process on unhandled promise ` +
  'rejection, use the CLI flag `--unhandled-rejections=strict`.';

/** A warning as it wants to be told; where it cannot, as any error. */
function asText(warning) {
  try {
    if (typeof warning.toString === 'function') return `${warning.toString()}`;
  } catch {
    // as without
  }
  return ErrorToString(warning);
}

function print(warning) {
  const { process } = handedDown.process;
  const isDeprecation = warning.name === 'DeprecationWarning';
  const traces = isTracing || (isDeprecation && process.traceDeprecation);
  let text = `(rt:${process.pid}) `;
  if (warning.code) text += `[${warning.code}] `;
  const stack = traces ? warning.stack : undefined;
  text += typeof stack === 'string' ? stack : asText(warning);
  if (typeof warning.detail === 'string') text += `\n${warning.detail}`;
  text += '\n';
  if (!traces && !hasSaidHow) {
    hasSaidHow = true;
    text += `(Use \`rt --trace-${isDeprecation ? 'deprecation' : 'warnings'} ...\` to show where the warning was created)\n`;
  }
  if (file === undefined || !appended(text)) require('node/process/printing').print('stderr', 2, text);
}

/** Whether the text is in the file of --redirect-warnings now. */
function appended(text) {
  try {
    require('node/fs/sync').appendFileSync(file, text);
    return true;
  } catch {
    return false; // it is shown instead
  }
}

/** Append warnings to a file from now on; its path is resolved against the current working folder. */
function redirect(path) {
  file = require('node/path/path').resolve(path);
}

const deliver = (warning) => void handedDown.process.process.emit('warning', warning);

/** What prints warnings: a listener like any other, which a program may remove, or keep a warning from. */
function onWarning(warning) {
  if (!isError(warning) || ArrayIncludes(silenced, warning.code) || ArrayIncludes(silenced, warning.name)) return;
  if (warning.name !== 'DeprecationWarning' || !handedDown.process.process.noDeprecation) print(warning);
}

function created(message, name, code, constructor, detail) {
  const limit = Error.stackTraceLimit;
  const warning = new Error(message);
  Error.stackTraceLimit = limit;
  require('internal/primordials').setOwn(warning, 'name', String(name || 'Warning'));
  if (code !== undefined) warning.code = code;
  if (detail !== undefined) warning.detail = detail;
  ErrorCaptureStackTrace(warning, constructor);
  return warning;
}

function emitWarning(warning, type, code, constructor) {
  const { codes } = require('internal/errors/errors');
  const { process } = handedDown.process;
  let detail;
  if (type !== null && typeof type === 'object' && !ArrayIsArray(type)) {
    constructor = type.ctor;
    code = type.code;
    if (typeof type.detail === 'string') detail = type.detail;
    type = type.type || 'Warning';
  } else if (typeof type === 'function') {
    constructor = type;
    code = undefined;
    type = 'Warning';
  }
  if (type !== undefined && typeof type !== 'string') throw new codes.ERR_INVALID_ARG_TYPE('type', 'string', type);
  if (typeof code === 'function') {
    constructor = code;
    code = undefined;
  } else if (code !== undefined && typeof code !== 'string') throw new codes.ERR_INVALID_ARG_TYPE('code', 'string', code);
  if (typeof warning === 'string') warning = created(warning, type, code, constructor ?? process.emitWarning, detail);
  else if (!isError(warning)) throw new codes.ERR_INVALID_ARG_TYPE('warning', ['Error', 'string'], warning);
  if (warning.name === 'DeprecationWarning') {
    if (process.noDeprecation) return;
    if (process.throwDeprecation) {
      timers.nextTick(() => {
        throw warning;
      });
      return;
    }
  }
  timers.nextTick(deliver, warning);
}

const experiments = new Set();

/** Say once of a feature that it is an experiment. */
function warnOfExperiment(feature) {
  if (SetHas(experiments, feature)) return;
  SetAdd(experiments, feature);
  emitWarning(`${feature} is an experimental feature and might change at any time`, 'ExperimentalWarning');
}

/** Say nothing of a feature that a program uses without having asked for it. */
function keepQuietAbout(feature) {
  SetAdd(experiments, feature);
}

/** --unhandled-rejections=warn: what was rejected, and how that comes about. */
function warnOfRejection(reason) {
  const warning = created(HOW_REJECTIONS_ARISE, 'UnhandledPromiseRejectionWarning', undefined, warnOfRejection);
  let text;
  try {
    text = reason !== null && typeof reason === 'object' && typeof reason.stack === 'string' ? reason.stack : String(reason);
  } catch {
    text = '[object]';
  }
  deliver(created(text, 'UnhandledPromiseRejectionWarning', undefined, warnOfRejection));
  deliver(warning);
}

class UnhandledPromiseRejection extends Error {
  constructor(reason) {
    const text = reason !== null && typeof reason === 'object' ? `#<${native.constructorName(reason)}>` : String(reason);
    super(`${ORIGIN} The promise rejected with the reason "${text}".`);
    require('internal/primordials').setOwn(this, 'name', 'UnhandledPromiseRejection');
    this.code = 'ERR_UNHANDLED_REJECTION';
  }
}

/** --unhandled-rejections=throw and strict: what is thrown for a rejection. */
function rejectionError(reason) {
  return reason !== null && typeof reason === 'object' && ObjectHasOwn(reason, 'stack')
    ? reason
    : new UnhandledPromiseRejection(reason);
}

function start(config) {
  if (!config.noWarnings && config.env.NODE_NO_WARNINGS !== '1') handedDown.process.process.on('warning', onWarning);
  silenced = config.disableWarning ?? [];
  isTracing = Boolean(config.traceWarnings);
  if (config.env.NODE_REDIRECT_WARNINGS && file === undefined) redirect(config.env.NODE_REDIRECT_WARNINGS);
}

module.exports = { redirect, emitWarning, warnOfExperiment, keepQuietAbout, warnOfRejection, rejectionError, start };
