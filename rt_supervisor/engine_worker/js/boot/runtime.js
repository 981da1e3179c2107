// @ts-check
'use strict';
// Owns: the order in which the runtime starts: globals while the snapshot is built, then `start` in the process, then turns of
// the event loop. `entry` holds the functions that Python and Rust call; boot/uncaught handles uncaught errors.

const { PromiseResolve } = require('internal/promises');
const native = host.native;
const runtimeParts = require('internal/parts');
const startValues = require('internal/start_values');
const {
  ArrayFilter,
  ArrayJoin,
  DateNow,
  JSONParse,
  ObjectAssign,
  ObjectDefineProperty,
  ObjectGetOwnPropertyDescriptor,
  ObjectKeys,
  RegExpExec,
  SetHas,
  StringSplit,
  StringStartsWith,
  intact,
  setOwn,
} = require('internal/primordials');
const { print } = require('node/process/printing');
const context = require('internal/async/context');
const timers = require('internal/timers');
const { recover: recoverCompletions, runCompletions } = require('internal/completions');
const commonjs = require('node/module/commonjs');
const { prepare, shownFile } = require('internal/stack');
const report = require('internal/errors/report');
const { guardPlaced, noteThrow, offer, state, uncaught, rejections, printThrown } = require('boot/uncaught');
require('node/process/process');
require('node/process/warnings');
const {
  process,
  start: startProcess,
  runExit,
  setStatus,
  status: currentStatus,
} = /** @type {ProcessParts} */ (runtimeParts.process);
const rtGlobal = require('rt/global');
const lazy = require('internal/lazy');
const { createConsole } = require('web/console/console');
const { ACCESSORS, FILES, ENUMERABLE, READ_ONLY_IN_NODE, addWasmStreaming } = require('boot/globals');

const define = (name, value) =>
  ObjectDefineProperty(globalThis, name, {
    __proto__: null,
    value,
    writable: true,
    enumerable: SetHas(ENUMERABLE, name),
    configurable: true,
  });
/** Defines a singleton: a property whose value is loaded by the first access, as in Bun, or an accessor that stays, as in Node. */
const defineAccessor = (name, load) => {
  const accessor = {
    get [name]() {
      if (name === 'crypto' && this !== undefined && this !== null && this !== globalThis) {
        throw new (require('internal/errors/errors').codes.ERR_INVALID_THIS)('nullish or must be the global object');
      }
      const value = load();
      if (startValues.programName !== 'node') define(name, value);
      return value;
    },
    set [name](value) {
      define(name, value);
    },
  };
  const { get, set } = /** @type {PropertyDescriptor} */ (ObjectGetOwnPropertyDescriptor(accessor, name));
  ObjectDefineProperty(globalThis, name, { __proto__: null, get, set, enumerable: SetHas(ENUMERABLE, name), configurable: true });
};

/** An accessor that stays one when a program assigns to it. */
const defineReplaceable = (name, load) => {
  let value;
  let isSettled = false;
  const settle = (settled) => {
    value = settled;
    isSettled = true;
  };
  ObjectDefineProperty(globalThis, name, {
    __proto__: null,
    get() {
      if (!isSettled) settle(load());
      return value;
    },
    set: settle,
    enumerable: false,
    configurable: true,
  });
};

const settings = {
  depth: 2,
  colorsOut: false,
  colorsErr: false,
  writeOut: (text) => print('stdout', 1, text),
  writeErr: (text) => print('stderr', 2, text),
  lines: () => require('node/process/standard_lines').lines(process.stdin),
  now: () => native.now(),
};
require('boot/host').complete({ timers, process, settings });
define('console', (runtimeParts.console = createConsole(settings)));
defineReplaceable('process', () => process);
define('RT', rtGlobal.RT);
define('Bun', rtGlobal.Bun);
define('global', globalThis);
define('self', globalThis);
for (const name of intact(['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'clearImmediate'])) {
  define(name, timers[name]);
}
define('queueMicrotask', function queueMicrotask(callback) {
  if (typeof callback !== 'function') {
    const { ERR_INVALID_ARG_TYPE } = require('internal/errors/errors').codes;
    throw new ERR_INVALID_ARG_TYPE('callback', 'function', callback);
  }
  if (context.isUsed) {
    const microtask = context.initResource({ callback }, 'Microtask');
    native.enqueueMicrotask(() => {
      context.attempt(microtask, callback, undefined, [], uncaught);
      context.endResource(microtask);
    });
    return;
  }
  native.enqueueMicrotask(() => void runtimeParts.attempt(callback, undefined, [], uncaught));
});
defineAccessor('performance', () => require('node/perf_hooks/performance').performance);

const LAZY = {
  __proto__: null,
  Buffer: ['node/buffer/buffer', 'Buffer'],
  URL: ['web/url/class', 'URL'],
  URLSearchParams: ['web/url/class', 'URLSearchParams'],
  TextEncoder: ['web/encoding/text', 'TextEncoder'],
  TextDecoder: ['web/encoding/text', 'TextDecoder'],
  EventTarget: ['web/event_target', 'EventTarget'],
  Event: ['web/event_target', 'Event'],
  CustomEvent: ['web/event_target', 'CustomEvent'],
  AbortController: ['web/abort', 'AbortController'],
  AbortSignal: ['web/abort', 'AbortSignal'],
  crypto: ['web/crypto/crypto', 'crypto'],
  Crypto: ['web/crypto/crypto', 'Crypto'],
  CryptoKey: ['web/crypto/key', 'CryptoKey'],
  SubtleCrypto: ['web/crypto/subtle', 'SubtleCrypto'],
  CompressionStream: ['web/streams/compression', 'CompressionStream'],
  DecompressionStream: ['web/streams/compression', 'DecompressionStream'],
  DOMException: ['internal/dom_exception', 'DOMException'],
  atob: ['internal/base64', 'atob'],
  btoa: ['internal/base64', 'btoa'],
};
for (const name of intact([
  'ReadableStream',
  'ReadableStreamDefaultReader',
  'ReadableStreamBYOBReader',
  'ReadableStreamBYOBRequest',
  'ReadableByteStreamController',
  'ReadableStreamDefaultController',
  'TransformStream',
  'TransformStreamDefaultController',
  'WritableStream',
  'WritableStreamDefaultController',
  'WritableStreamDefaultWriter',
  'ByteLengthQueuingStrategy',
  'CountQueuingStrategy',
  'TextEncoderStream',
  'TextDecoderStream',
]))
  LAZY[name] = ['web/streams/all', name];
LAZY.Performance = ['node/perf_hooks/performance', 'Performance'];
LAZY.PerformanceResourceTiming = ['node/perf_hooks/resource_timing', 'PerformanceResourceTiming'];
for (const name of intact(['PerformanceEntry', 'PerformanceMark', 'PerformanceMeasure'])) {
  LAZY[name] = ['node/perf_hooks/entries', name];
}
for (const name of intact(['PerformanceObserver', 'PerformanceObserverEntryList']))
  LAZY[name] = ['node/perf_hooks/observer', name];
for (const file in FILES) for (const name of intact(FILES[file])) LAZY[name] = [file, name];
for (const name in LAZY) {
  const { 0: module, 1: key } = LAZY[name];
  if (!host.hasModule(module)) continue;
  const load = () => require(module)[key];
  if (name === 'Buffer') defineReplaceable(name, load);
  else if (SetHas(ACCESSORS, name)) defineAccessor(name, load);
  else lazy.defineLazily(globalThis, name, load, SetHas(ENUMERABLE, name));
}

state.colorsErr = () => settings.colorsErr;
timers.setHooks({ uncaught, rejections });
runtimeParts.isTurning = () => state.isTurning;
runtimeParts.uncaught = uncaught;
runtimeParts.offerUncaught = offer;
runtimeParts.noteThrow = noteThrow;
runtimeParts.abortOnUncaught = (aborts) => {
  state.aborts = aborts;
};
runtimeParts.startRepl = (config) => require('rt/repl/repl').start(config);

function serveValue(value) {
  if (typeof value.stop === 'function') return; // the server is already running
  require('rt/serve/default_export').serve(value);
}

/** Serves the exports of a CommonJS main module, as `serveDefault` does for an ES module, if they have a `fetch` function. */
function serveExports(exported) {
  const value = typeof exported === 'object' && exported?.__esModule === true ? exported.default : exported;
  if ((typeof value === 'object' || typeof value === 'function') && typeof value?.fetch === 'function') serveValue(value);
}

// --- called by Python and Rust

const LOOP = 'node,node.environment'; // the categories of the loop's phases in node:trace_events

/** Returns an entry that runs a main module: calls `run`, and then what is pending, here, so that it has few frames below it. */
function asMain(run) {
  return (argument, another) => {
    context.isMain = true;
    const main = () => run(argument, another);
    if (startValues.programName === 'node') guardPlaced(main);
    else entry.guard(main);
    context.isMain = false;
    timers.drain();
  };
}

const entry = {
  start(config) {
    startValues.startedAt = native.now();
    native.setPrepareStackTrace(prepare);
    lazy.start();
    state.isTurning = false; // a stored heap has turned
    startValues.engineReadyAt = native.now();
    if (config.isNode) {
      startValues.programName = 'node';
      ObjectDefineProperty(globalThis, Symbol.toStringTag, { __proto__: null, value: 'global', configurable: true });
      for (const name of intact(READ_ONLY_IN_NODE)) ObjectDefineProperty(globalThis, name, { __proto__: null, set: undefined });
    }
    startValues.isHot = config.isHot;
    startValues.follows = config.follows ?? '';
    startValues.watchChannel = config.watchChannel ?? '';
    if (startValues.follows === 'reads') require('node/fs/followed_reads').start();
    settings.depth = config.consoleDepth ?? settings.depth;
    settings.colorsOut = config.colorsOut;
    settings.colorsErr = config.colorsErr;
    if (config.isNode) require('web/console/node_console').start(runtimeParts.console, settings, process);
    else commonjs.showImported();
    state.rejectionMode = config.rejectionMode || (config.isNode ? 'throw' : '');
    startValues.dnsResultOrder = config.dnsResultOrder ?? 'verbatim';
    startValues.features = config.features;
    startValues.userAgent = config.network.userAgent || `rt/${config.version}`;
    startValues.maxHeaderSize = config.network.maxHeaderSize;
    startValues.servePort = config.network.port;
    startValues.caStore = config.network.caStore;
    startValues.usesEnvProxy = config.network.usesEnvProxy;
    startValues.autoSelectFamily = config.network.autoSelectFamily;
    startValues.attemptTimeoutMs = config.network.attemptTimeoutMs;
    startValues.tls = config.network; // tlsMin, tlsMax, tlsCiphers, tlsKeylog
    startProcess(config);
    startValues.environmentAt = native.now();
    rtGlobal.start(config);
    if (config.hasRealms) require('node/vm/shadow_realm').start();
    if (config.limits !== undefined) require('node/permission/permission').start(config.limits, config.worker !== undefined);
    if (!config.storesHeap) addWasmStreaming(); // a snapshot cannot contain WebAssembly
    startValues.timeOrigin = DateNow();
    startValues.readyAt = native.now();
    if (config.exposeGc || config.disallowsCode || typeof config.stackTraceLimit === 'number')
      require('boot/engine_flags').start(config, define);
    if (config.network.preconnect !== undefined) entry.guard(() => require('rt/net/preconnect').start(config.network.preconnect));
    for (const name of intact(config.network.hiddenGlobals ?? [])) delete globalThis[name];
    startValues.storesHeap = config.storesHeap === true;
    if (startValues.storesHeap) require('node/v8/startup_snapshot').begin();
    delete globalThis.__rt;
    delete globalThis.Intl?.v8BreakIterator; // specific to V8; Node hides it as well
    RegExpExec(/(?:)/, ''); // clears RegExp.$_ and the other legacy properties
    if (config.worker !== undefined) {
      const self = require('node/worker_threads/inside').start(config.worker, settings);
      if (config.worker.kind === 'web') require('rt/workers/scope').start(self);
    }
    runtimeParts.whenStarted?.();
    if (host.isLoaded('node/v8/startup_snapshot')) entry.guard(require('node/v8/startup_snapshot').restore);
  },
  /** Calls `run`; what it throws is an uncaught error. */
  guard: (run) => void runtimeParts.attempt(run, undefined, [], uncaught),
  runMain: asMain((filename) => {
    commonjs.runMain(filename);
    serveExports(commonjs.main()?.exports);
  }),
  runScript: asMain(commonjs.runScript),
  runBuilder: asMain((filename) => require('node/v8/startup_snapshot').runBuilder(filename)),
  runStoredMain: asMain(() => require('node/v8/startup_snapshot').runStoredMain()),
  runsOwnMain: (filename) => commonjs.runsOwnMain(filename),
  isHookedMain: (filename) => commonjs.isHookedMain(filename),
  preloading(value) {
    commonjs.setPreloading(value);
    if (!value) runtimeParts.whenPreloaded?.();
  },
  uncaught(error, origin) {
    uncaught(origin === 'unhandledRejection' ? require('node/module/import_answers').explain(error) : error, origin);
    timers.drain();
  },
  /** Starts a server if the main module's default export has a `fetch` function or holds server options. */
  serveDefault(exported) {
    const value = exported?.default;
    if (typeof value === 'object' && value !== null && (typeof value.fetch === 'function' || typeof value.routes === 'object'))
      entry.guard(() => serveValue(value));
  },
  drain: timers.drain,
  drainAfterModule() {
    if (startValues.programName === 'node') native.runMicrotasks(); // Node evaluates modules in promise jobs
    timers.drain();
  },
  isAlive: timers.isAlive,
  timers() {
    state.isTurning = true;
    if (runtimeParts.trace === undefined) timers.runTimers();
    else runtimeParts.trace.measure(LOOP, 'RunTimers', timers.runTimers);
    if (timers.hasDue()) timers.drain();
    timers.endPhase();
    return timers.pending();
  },
  turning() {
    state.isTurning = true;
  },
  outputClosed() {
    const error = entry.systemError('EPIPE', 32, 'broken pipe', 'write');
    error.message = 'write EPIPE';
    entry.guard(() => process.stdout.emit('error', error));
    timers.drain();
  },
  completions: () => {
    if (runCompletions()) timers.drain();
  },
  immediates: () => {
    const { trace } = runtimeParts;
    if (trace === undefined) timers.runImmediates();
    else trace.measure(LOOP, 'CheckImmediate', () => trace.measure(LOOP, 'RunAndClearNativeImmediates', timers.runImmediates));
    if (timers.hasDue()) timers.drain();
    timers.endImmediates();
  },
  /** A debugger has ended a callback (`Runtime.terminateExecution`): completes what it left undone. */
  stopped() {
    host.forgetLoads(0);
    timers.recover();
    recoverCompletions();
    timers.drain();
  },
  call(callback, ...args) {
    runtimeParts.attempt(callback, undefined, args, uncaught);
    timers.drain();
  },
  /** Returns whether more work may be pending; never after an unhandled rejection. */
  beforeExit() {
    if (state.hasRejected) return false;
    if (context.isUsed) entry.guard(context.flush);
    const emitBeforeExit = () => process.emit('beforeExit', currentStatus() ?? 0);
    entry.guard(() =>
      runtimeParts.trace === undefined ? emitBeforeExit() : runtimeParts.trace.measure(LOOP, 'BeforeExit', emitBeforeExit),
    );
    timers.drain();
    return true;
  },
  exit(unsettledStatus) {
    if (startValues.storesHeap && unsettledStatus === undefined && !state.hasRejected && !currentStatus()) {
      entry.guard(require('node/v8/startup_snapshot').prepare);
      timers.drain();
      return currentStatus() ?? 0;
    }
    if (unsettledStatus !== undefined && currentStatus() === undefined) setStatus(unsettledStatus);
    entry.guard(runExit);
    native.runMicrotasks();
    if (host.isLoaded('node/sqlite/execution') || host.isLoaded('web/local_storage_texts')) native.sqlite_end();
    return state.hasRejected ? 1 : (currentStatus() ?? 0) & 0xff;
  },
  loadForImport: (file, known, type) =>
    commonjs.importView(commonjs.loadForImport(file), known, type === 'module' || startValues.programName === 'node'),
  runForImport: (file, names) => commonjs.runForImport(file, names),
  requiredJson: (file) => commonjs.loadForImport(file),
  blobBehind(url) {
    const blob = require('web/blob/object_urls').resolveObjectURL(url);
    return blob === undefined ? [''] : [blob.type, require('web/blob/blob').bytesAtHand(blob)];
  },
  importAddon(filename) {
    const exported = commonjs.loadForImport(filename);
    return [intact(['default', 'module.exports']), { __proto__: null, default: exported, 'module.exports': exported }];
  },
  readForImport: commonjs.readForImport,
  importView: (value) => commonjs.importView(value),
  deferredNamespace: (index) => require('node/module/deferred').viewOf(index),
  lateNamespace: (specifier, importer, attributes) => require('node/module/deferred').lateView(specifier, importer, attributes),
  defaultView: (value) => [['default'], { __proto__: null, default: value }],
  builtin(id) {
    const exported = require('node/module/builtins').load(id);
    const view = { __proto__: null, default: exported.__esModule ? exported.default : exported };
    for (const key of intact(require('node/module/builtins').namesOf(id, exported))) {
      if (key !== 'default') view[key] = exported[key];
    }
    return [ObjectKeys(view), view];
  },
  builtinValues: (id, names) => require('node/module/builtins').valuesOf(id, names),
  isLoading: () => host.loadingDepth() > 0,
  inspecting: (what, value) => require('node/inspector/hooks')[what](value),
  openDatabase(path) {
    const { Database } = require('rt/sqlite/sqlite');
    return new Database(path);
  },
  importing: (what, ...values) => require('node/module/import_answers')[what](...intact(values)),
  moduleHooks: (question, ...values) => require('node/module/hooks')[question](...intact(values)),
  resolved: (value) => PromiseResolve({ __proto__: null, ...value }),
  parseJson: (text) => JSONParse(text),
  buildYaml: (steps) => require('rt/documents/yaml').build(steps),
  meta: (meta, path, query, isMain) => {
    require('node/module/import_meta').fill(meta, path, query, isMain);
  },
  /** Returns the CommonJS variables for an ES module that refers to them. */
  needsFacade: (namespace) => require('node/module/exports_view').needsFacade(namespace),
  lend: (meta, name, path, isMain) => require('node/module/import_meta').lend(meta, name, path, isMain),
  callMacro: (macro, args) => require('boot/macro_values').call(macro, args),
  macroText: (value) => require('boot/macro_values').sourceText(value),
  warn: (message) => void native.core_write(2, `${startValues.programName === 'node' ? 'Warning' : 'warn'}: ${message}\n`),
  printSyntaxError(detail) {
    native.core_write(2, report.syntaxText(detail, settings.colorsErr));
  },
  moduleError(code, message, text, kind, properties) {
    const error = new ({ __proto__: null, TypeError, RangeError }[kind] ?? Error)(message);
    if (startValues.programName === 'node') require('internal/errors/node_report').nameCode(error, code);
    error.code = code;
    for (const name of intact(ObjectKeys(properties ?? {}))) setOwn(error, name, properties[name]);
    return report.describe(error, { text, frames: [] });
  },
  wasm: (question, ...values) => require('node/module/wasm')[question](...intact(values)),
  syntaxError(detail) {
    const error = new SyntaxError(detail.message);
    const frame = startValues.programName === 'node' ? '' : `\n    at ${detail.file}:${detail.line}:${detail.column}`;
    error.stack = `SyntaxError: ${detail.message}${frame}`;
    return report.describe(error, { place: detail, whole: (colors) => report.syntaxText(detail, colors) });
  },
  /** Adds the source location to an error that the engine raised while it compiled or linked a file. */
  placedError(error, place, isSyntax) {
    const { file, line, column } = place;
    const frames = ArrayFilter(StringSplit(`${error.stack}`, '\n'), (each) => StringStartsWith(each, '    at '));
    const isNode = startValues.programName === 'node';
    if (isNode && isSyntax) require('node/module/formats').adviseModule(error.message, shownFile(file));
    const own = isNode ? [] : [`    at ${file}:${line}:${column}`];
    error.stack = ArrayJoin([`${error.name}: ${error.message}`, ...intact(own), ...intact(frames)], '\n');
    if (isNode) return report.describe(error, { place: { ...place, isLink: !isSyntax } });
    if (!isSyntax) return error;
    const message = require('internal/errors/syntax_words').syntaxWords(error.message);
    return report.describe(error, { whole: (colors) => report.syntaxText({ ...place, message }, colors) });
  },
  /** Returns the JavaScript error for a Python exception that no other entry translates. */
  hostError(name, message, code, properties) {
    const Class =
      { TypeError, RangeError, RecursionError: RangeError, OverflowError: RangeError, IndexError: RangeError }[name] ?? Error;
    const error = new Class(message);
    if (code !== undefined) error.code = code;
    return ObjectAssign(error, properties);
  },
  codedError(code, ...values) {
    return new (require('internal/errors/errors').codes[code])(...intact(values));
  },
  systemError(code, number, message, syscall, path) {
    const place = path === undefined || path === null ? '' : ` '${path}'`;
    const error = new Error(`${code}: ${message}, ${syscall}${place}`);
    error.errno = -number;
    error.code = code;
    error.syscall = syscall;
    if (path !== undefined && path !== null) error.path = path;
    return error;
  },
  print(value) {
    const show = () => runtimeParts.console.log(value);
    if (native.kindOf(value) === 'promise') process.on('exit', show);
    else show();
  },
  hotAccepts: (path, dependency) => require('node/module/hot').accepts(path, dependency),
  hotRequirers: (path) => require('node/module/hot').requirers(path),
  hotRequired: () => require('node/module/hot').required(),
  hotTakeOut: (paths) => require('node/module/hot').takeOut(paths),
  hotPutBack: (entries) => {
    require('node/module/hot').putBack(entries);
  },
  hotDispose: (paths) => {
    entry.guard(() => require('node/module/hot').dispose(paths));
  },
  hotAccept: (updated) => {
    entry.guard(() => require('node/module/hot').callAccept(updated));
  },
  hotEvent: (event, changed) => {
    entry.guard(() => require('node/module/hot').emitEvent(event, changed));
  },
  hotWrite: (descriptor, text) => {
    native.core_write(descriptor, text);
  },
  hotFailed: (error) => {
    printThrown(error);
  },
};
globalThis.__rt.entry = runtimeParts.entry = entry;
