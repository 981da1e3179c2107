'use strict';
// Owns: process.emitWarning and the output of warnings; warnings of unhandled rejections.

const native = host.native;
const { isError } = require('internal/brands');
const runtimeParts = require('internal/parts');
const {
  ArrayIncludes,
  ArrayIsArray,
  ErrorCaptureStackTrace,
  ErrorToString,
  ObjectHasOwn,
  SetAdd,
  SetHas,
} = require('internal/primordials');
const startValues = require('internal/start_values');
const timers = require('internal/timers');
let hasSaidHow = false;
let isTracing = false;
let file; // target of --redirect-warnings
let silenced = []; // codes and names that are not printed

const ORIGIN =
  'This error originated either by throwing inside of an async function without a catch block, or by rejecting a promise ' +
  'which was not handled with .catch().';
const HOW_REJECTIONS_ARISE =
  `Unhandled promise rejection. ${ORIGIN} To terminate the rt process on unhandled promise ` +
  'rejection, use the CLI flag `--unhandled-rejections=strict`.';

/** The text of a warning from its toString; if that fails, as for any other error. */
function asText(warning) {
  try {
    if (typeof warning.toString === 'function') return `${warning.toString()}`;
  } catch {
    // as if it had none
  }
  return ErrorToString(warning);
}

function print(warning) {
  const { process } = runtimeParts.process;
  const isDeprecation = warning.name === 'DeprecationWarning';
  const traces = isTracing || (isDeprecation && process.traceDeprecation);
  let text = `(${startValues.programName}:${process.pid}) `;
  if (warning.code) text += `[${warning.code}] `;
  const stack = traces ? warning.stack : undefined;
  text += typeof stack === 'string' ? stack : asText(warning);
  if (typeof warning.detail === 'string') text += `\n${warning.detail}`;
  text += '\n';
  if (!traces && !hasSaidHow) {
    hasSaidHow = true;
    text += `(Use \`${startValues.programName} --trace-${isDeprecation ? 'deprecation' : 'warnings'} ...\` to show where the warning was created)\n`;
  }
  if (file === undefined || !tryAppend(text)) require('node/process/printing').print('stderr', 2, text);
}

/** Whether the text was appended to the file of --redirect-warnings. */
function tryAppend(text) {
  try {
    require('node/fs/sync').appendFileSync(file, text);
    return true;
  } catch {
    return false; // it is printed instead
  }
}

/** Appends further warnings to a file; its path is resolved against the current working directory. */
function redirect(path) {
  file = require('node/path/path').resolve(path);
}

const deliver = (warning) => void runtimeParts.process.process.emit('warning', warning);

/** Prints warnings: an ordinary listener, which a program may remove or prevent from receiving a warning. */
function onWarning(warning) {
  if (!isError(warning) || ArrayIncludes(silenced, warning.code) || ArrayIncludes(silenced, warning.name)) return;
  if (warning.name !== 'DeprecationWarning' || !runtimeParts.process.process.noDeprecation) print(warning);
}

function createWarning(message, name, code, constructor, detail) {
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
  const { process } = runtimeParts.process;
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
  if (typeof warning === 'string') warning = createWarning(warning, type, code, constructor ?? process.emitWarning, detail);
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

/** Emits a warning about an error that is about to end the program, immediately. */
function warnBeforeError(message) {
  deliver(createWarning(message, 'Warning', undefined, warnBeforeError, undefined));
}

const experiments = new Set();

/** Emits the ExperimentalWarning of a feature once. */
function warnOfExperiment(feature) {
  if (SetHas(experiments, feature)) return;
  SetAdd(experiments, feature);
  emitWarning(`${feature} is an experimental feature and might change at any time`, 'ExperimentalWarning');
}

/** Suppresses the warning of a feature that a program uses without having requested it. */
function suppressWarning(feature) {
  SetAdd(experiments, feature);
}

/** --unhandled-rejections=warn: reports the rejection reason and its cause. */
function warnOfRejection(reason) {
  const warning = createWarning(HOW_REJECTIONS_ARISE, 'UnhandledPromiseRejectionWarning', undefined, warnOfRejection);
  let text;
  try {
    text = reason !== null && typeof reason === 'object' && typeof reason.stack === 'string' ? reason.stack : String(reason);
  } catch {
    text = '[object]';
  }
  deliver(createWarning(text, 'UnhandledPromiseRejectionWarning', undefined, warnOfRejection));
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

/** --unhandled-rejections=throw and strict: the error to throw for a rejection. */
function rejectionError(reason) {
  return reason !== null && typeof reason === 'object' && ObjectHasOwn(reason, 'stack')
    ? reason
    : require('internal/errors/report').describe(new UnhandledPromiseRejection(reason), {});
}

function start(config) {
  const { process } = runtimeParts.process;
  process.removeListener('warning', onWarning); // a stored heap has it
  if (!config.noWarnings && config.env.NODE_NO_WARNINGS !== '1') process.on('warning', onWarning);
  hasSaidHow = false;
  silenced = config.disableWarning ?? [];
  isTracing = Boolean(config.traceWarnings);
  if (config.env.NODE_REDIRECT_WARNINGS && file === undefined) redirect(config.env.NODE_REDIRECT_WARNINGS);
}

module.exports = {
  redirect,
  emitWarning,
  warnBeforeError,
  warnOfExperiment,
  suppressWarning,
  warnOfRejection,
  rejectionError,
  start,
};
