'use strict';
// Owns: the order in which the runtime comes to life: globals while the snapshot is built, then `start` in the process,
// then turns of the loop. What Python calls is in `entry`.

const native = host.native;
host.hasModule = globalThis.__rt.has;
require('./host_inspect');
const timers = require('./timers');
const commonjs = require('./commonjs');
const { prepare } = require('./stack');
const report = require('./error_report');
require('./process');
require('./warnings');
const { process, start: startProcess, runExit, capture, setStatus } = host.process;
const rtGlobal = require('./rt_global');
const { createConsole } = require('./console');
const { pathToFileText } = require('./file_url_host');

const define = (name, value) => Object.defineProperty(globalThis, name, { value, writable: true, enumerable: false, configurable: true });
const defineLazily = (name, load) => Object.defineProperty(globalThis, name, {
  get() {
    const value = load();
    define(name, value);
    return value;
  },
  set(value) { define(name, value); },
  enumerable: false, configurable: true,
});

host.now = native.now;
host.nextTick = timers.nextTick;
host.emitWarning = (...args) => process.emitWarning(...args);
host.reportException = (error) => timers.nextTick(() => { throw error; });
host.setUnrefTimeout = (callback, ms) => timers.setTimeout(callback, ms).unref();
host.signals = require('./signals').NUMBERS;
host.programArguments = () => process.argv.slice(2);
host.env = (name) => process.env[name];
host.pid = () => process.pid;
host.writeErr = (text) => native.core_write(2, text);
host.stderrHasColors = () => settings.colorsErr;
host.stdoutHasColors = () => settings.colorsOut;
host.utf8 = {
  encode: native.encodeUtf8,
  decode: (bytes, start, end) => native.decodeUtf8(start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end)),
};

const settings = {
  depth: 2, colorsOut: false, colorsErr: false,
  writeOut: (text) => native.core_write(1, text),
  writeErr: (text) => native.core_write(2, text),
  now: () => native.now(),
};
define('console', createConsole(settings));
define('process', process);
define('RT', rtGlobal.RT);
define('Bun', rtGlobal.RT);
define('global', globalThis);
for (const name of ['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'clearImmediate']) {
  define(name, timers[name]);
}
define('queueMicrotask', function queueMicrotask(callback) {
  if (typeof callback !== 'function') {
    const { ERR_INVALID_ARG_TYPE } = require('./errors').codes;
    throw new ERR_INVALID_ARG_TYPE('callback', 'function', callback);
  }
  native.enqueueMicrotask(() => {
    try {
      callback();
    } catch (error) {
      uncaught(error);
    }
  });
});
define('performance', { now: () => native.now() - startedAt, timeOrigin: 0, mark() {}, measure() {}, toJSON: () => ({}) });
let startedAt = 0;

const LAZY = {
  __proto__: null,
  Buffer: ['buffer', 'Buffer'], URL: ['url_class', 'URL'], URLSearchParams: ['url_class', 'URLSearchParams'],
  TextEncoder: ['text_encoding', 'TextEncoder'], TextDecoder: ['text_encoding', 'TextDecoder'],
  EventTarget: ['event_target', 'EventTarget'], Event: ['event_target', 'Event'], CustomEvent: ['event_target', 'CustomEvent'],
  AbortController: ['abort', 'AbortController'], AbortSignal: ['abort', 'AbortSignal'],
  DOMException: ['dom_exception', 'DOMException'], atob: ['base64', 'atob'], btoa: ['base64', 'btoa'],
};
for (const name of [
  'ReadableStream', 'ReadableStreamDefaultReader', 'ReadableStreamBYOBReader', 'ReadableStreamBYOBRequest',
  'ReadableByteStreamController', 'ReadableStreamDefaultController', 'TransformStream', 'TransformStreamDefaultController',
  'WritableStream', 'WritableStreamDefaultController', 'WritableStreamDefaultWriter', 'ByteLengthQueuingStrategy',
  'CountQueuingStrategy', 'TextEncoderStream', 'TextDecoderStream',
]) LAZY[name] = ['web_streams', name];
for (const name in LAZY) {
  const [module, key] = LAZY[name];
  if (host.hasModule(module)) defineLazily(name, () => require(module)[key]);
}

// --- errors nobody caught

let rejectionMode = ''; // as 'throw', but what is no error is thrown as it is
const FATAL_IN_HANDLER = 7;

function printThrown(value) {
  let text;
  try {
    text = report.thrownText(value, { colors: settings.colorsErr });
  } catch {
    text = plainText(value);
  }
  native.core_write(2, text);
}

/** The text of an error where the program has changed what the report is made with: its stack, as it is. */
function plainText(value) {
  try {
    if (typeof value?.stack === 'string') return `${value.stack}\n`;
  } catch {
    // no stack then
  }
  try {
    return `${typeof value === 'object' && value !== null ? `${value.name}: ${value.message}` : String(value)}\n`;
  } catch {
    return 'error: something was thrown that cannot be printed\n';
  }
}

/** Deal with an error that nobody caught: listeners first, else print it and end the program. */
function uncaught(error, origin = 'uncaughtException') {
  if (isTaken(error, origin)) return;
  printThrown(error);
  end(1);
}

/** Whether the program's own callback or listeners take an uncaught error; what they throw ends the program. */
function isTaken(error, origin) {
  try {
    if (capture(error)) return true;
    process.emit('uncaughtExceptionMonitor', error, origin);
    return process.emit('uncaughtException', error, origin);
  } catch (another) {
    printThrown(another);
    end(FATAL_IN_HANDLER);
  }
}

function end(status) {
  try {
    setStatus(status);
    runExit();
  } catch (error) {
    printThrown(error);
    native.core_exit(status);
  }
  native.core_exit(process.exitCode & 0xFF);
}

const unhandled = new Map();

/** Look at rejections since the last time; true when a listener ran, so that ticks may be waiting again. */
function rejections() {
  let heard = false;
  for (const [wasHandled, promise, reason] of native.core_takeRejections()) {
    if (!wasHandled) unhandled.set(promise, reason);
    else if (!unhandled.delete(promise)) {
      timers.nextTick(() => process.emit('rejectionHandled', promise));
      heard = true;
    }
  }
  if (unhandled.size === 0) return heard; // nothing of the program's own is called in a turn without rejections
  let isFatal = false;
  for (const [promise, reason] of unhandled) {
    heard = true;
    unhandled.delete(promise); // before a listener throws, which leaves the others for the next time
    if (rejectionTurn(promise, reason)) isFatal = true;
  }
  if (isFatal) end(1); // only now: each of them has been printed
  return heard;
}

/** Do with one rejection what the mode says; whether it ends the program. */
function rejectionTurn(promise, reason) {
  const tell = () => process.emit('unhandledRejection', reason, promise);
  const warn = () => require('./warnings').warnOfRejection(reason);
  const isTakenAsError = () => {
    const error = rejectionMode === '' ? reason : require('./warnings').rejectionError(reason);
    if (isTaken(error, 'unhandledRejection')) return true;
    printThrown(error);
    if (error !== reason) printThrown(reason); // its message does not hold all of it
    return false;
  };
  switch (rejectionMode) {
    case 'strict':
      if (!isTakenAsError()) return true;
      if (!tell()) warn();
      return false;
    case 'none':
      tell();
      return false;
    case 'warn':
      tell();
      warn();
      return false;
    case 'warn-with-error-code':
      if (tell()) return false;
      warn();
      process.exitCode = 1;
      return false;
    default:
      return !tell() && !isTakenAsError();
  }
}

timers.setHooks({ uncaught, rejections });

// --- what Python calls

const entry = {
  start(config) {
    native.setPrepareStackTrace(prepare);
    startedAt = native.now();
    settings.depth = config.consoleDepth;
    settings.colorsOut = config.colorsOut;
    settings.colorsErr = config.colorsErr;
    rejectionMode = config.rejectionMode;
    host.dnsResultOrder = config.dnsResultOrder;
    startProcess(config);
    rtGlobal.start(config);
    globalThis.performance.timeOrigin = Date.now();
    if (config.exposeGc) define('gc', function gc() { native.process_collectGarbage(true); });
    delete globalThis.__rt;
  },
  guard(run) {
    try {
      run();
    } catch (error) {
      uncaught(error);
    }
  },
  runMain(filename) {
    entry.guard(() => commonjs.runMain(filename));
    timers.drain();
  },
  uncaught(error, origin) {
    uncaught(error, origin);
    timers.drain();
  },
  drain: timers.drain,
  pending: timers.pending,
  timers: () => { timers.runTimers(); },
  completions: () => { timers.runCompletions(); },
  immediates: () => { timers.runImmediates(); },
  call(callback, ...args) { timers.call(callback, undefined, args); },
  signal(name, number) {
    process.emit(name, name, number);
    timers.drain();
  },
  beforeExit() {
    entry.guard(() => process.emit('beforeExit', process.exitCode ?? 0));
    timers.drain();
  },
  exit(unsettledStatus) {
    let status = 0;
    if (unsettledStatus !== undefined) process.exitCode ??= unsettledStatus;
    entry.guard(() => { status = runExit(); });
    native.core_runMicrotasks();
    return (process.exitCode ?? status) & 0xFF;
  },
  loadForImport: (filename) => commonjs.importView(commonjs.loadForImport(filename)),
  importView: (value) => commonjs.importView(value),
  builtin(id) {
    const exported = require('./builtins').load(id);
    const view = { __proto__: null, default: exported };
    for (const key of Object.keys(exported)) {
      if (key !== 'default') view[key] = exported[key];
    }
    return [Object.keys(view), view];
  },
  parseJson: (text) => JSON.parse(text),
  buildYaml: (steps) => require('./rt_yaml').build(steps),
  meta: (meta, path, query, isMain) => { require('./import_meta').fill(meta, path, query, isMain); },
  /** What ES modules that name CommonJS's own variables get them from. */
  commonJsScope(path, isMain) {
    const module = commonjs.moduleFor(path, isMain);
    return { require: commonjs.makeRequire(module), module, exports: module.exports, __filename: path, __dirname: module.path };
  },
  callMacro: (macro, args) => require('./macro_values').call(macro, args),
  macroText: (value) => require('./macro_values').sourceText(value),
  warn(message) { native.core_write(2, `warn: ${message}\n`); },
  tell(detail) { native.core_write(2, report.syntaxText(detail, settings.colorsErr)); },
  moduleError(code, message, text) {
    const error = new Error(message);
    error.code = code;
    return report.describe(error, { text, frames: [] });
  },
  syntaxError(detail) {
    const error = new SyntaxError(detail.message);
    error.stack = `SyntaxError: ${detail.message}\n    at ${detail.file}:${detail.line}:${detail.column}`;
    return report.describe(error, { whole: (colors) => report.syntaxText(detail, colors) });
  },
  /** An error that the engine found while it compiled or linked a file, with the place that its frames do not tell. */
  placedError(error, place, isSyntax) {
    const { file, line, column } = place;
    const frames = `${error.stack}`.split('\n').filter((each) => each.startsWith('    at '));
    error.stack = [`${error.name}: ${error.message}`, `    at ${file}:${line}:${column}`, ...frames].join('\n');
    if (!isSyntax) return error;
    return report.describe(error, { whole: (colors) => report.syntaxText({ ...place, message: error.message }, colors) });
  },
  /** What a Python exception without a meaning of its own is for the program. */
  hostError(name, message, code) {
    const Class = { TypeError, RecursionError: RangeError, OverflowError: RangeError, IndexError: RangeError }[name] ?? Error;
    const error = new Class(message);
    if (code !== undefined) error.code = code;
    return error;
  },
  systemError(code, number, message, syscall, path, dest) {
    const place = path === undefined || path === null ? '' : dest === undefined || dest === null ? ` '${path}'` : ` '${path}' -> '${dest}'`;
    const error = new Error(`${code}: ${message}, ${syscall}${place}`);
    error.errno = -number;
    error.code = code;
    error.syscall = syscall;
    if (path !== undefined && path !== null) error.path = path;
    if (dest !== undefined && dest !== null) error.dest = dest;
    return error;
  },
  print(value) { globalThis.console.log(value); },
};
globalThis.__rt.entry = entry;
host.entry = entry;
