'use strict';
// Owns: the `process` object. `start` fills in what depends on the running process, after the snapshot.

const native = host.native;
const runtimeParts = require('internal/parts');
const { givenFlags } = require('internal/given_flags');
const startValues = require('internal/start_values');
// prettier-ignore
const { ArrayIncludes, ArrayUnshift, FunctionCall, NumberIsInteger, NumberIsNaN, ObjectAssign, ObjectCreate,
  ObjectDefineProperty, ObjectGetOwnPropertySymbols, StringTrim, SymbolFor, intact } = require('internal/primordials');
const timers = require('internal/timers');

const RTLD_LAZY = 1;
const EventEmitter = require('node/events/events');
const { streams } = require('node/process/printing');
const signals = require('node/process/signals');
const usage = require('node/process/usage');
const { buildConfig, versions } = require('node/process/versions');
const { environmentProxy, loadEnvFile } = require('node/process/environment');

let exitCode;
let isExiting = false;

function checkExitCode(code) {
  if (code === undefined || code === null) return undefined;
  const number = typeof code === 'string' && StringTrim(code) !== '' && !NumberIsNaN(Number(code)) ? Number(code) : code;
  if (typeof number !== 'number') {
    const { ERR_INVALID_ARG_TYPE } = require('internal/errors/errors').codes;
    throw new ERR_INVALID_ARG_TYPE('code', 'number', code);
  }
  if (!NumberIsInteger(number)) {
    const { ERR_OUT_OF_RANGE } = require('internal/errors/errors').codes;
    throw new ERR_OUT_OF_RANGE('code', 'an integer', number);
  }
  return number;
}

const Prototype = {
  process: function () {
    return this; // jest calls it on its own object
  },
}.process;
Prototype.prototype = ObjectCreate(EventEmitter.prototype, {
  constructor: { __proto__: null, value: Prototype, writable: true, configurable: true },
});

const process = ObjectAssign(ObjectCreate(Prototype.prototype), {
  argv: [],
  execArgv: [],
  execPath: '',
  ppid: 0,
  env: {},
  domain: null,

  cwd: usage.cwd,
  chdir: usage.chdir,
  nextTick: timers.nextTick,
  exit(code) {
    if (arguments.length > 0) process.exitCode = code;
    process.reallyExit(runExit());
  },
  reallyExit(code) {
    native.core_exit((code ?? 0) & 0xff);
    for (let turn = 0; turn < 1000; turn++); // V8 interrupts JavaScript at a loop or a call, not at a function's return
  },
  abort() {
    native.process_abort();
  },
  kill: usage.kill,
  umask: usage.umask,
  uptime: () => (native.now() - startValues.startedAt) / 1000,
  hrtime: usage.hrtime,
  memoryUsage: usage.memoryUsage,
  cpuUsage: usage.cpuUsage,
  threadCpuUsage: usage.threadCpuUsage,
  loadEnvFile,
  resourceUsage: () => native.process_resourceUsage(),
  constrainedMemory: () => native.process_constrainedMemory(),
  availableMemory: () => native.process_availableMemory(),
  getuid: () => native.process_ids().uid,
  geteuid: () => native.process_ids().euid,
  getgid: () => native.process_ids().gid,
  getegid: () => native.process_ids().egid,
  getgroups() {
    const { groups, egid } = native.process_ids();
    return ArrayIncludes(groups, egid) ? groups : [...intact(groups), egid];
  },
  emitWarning(warning, type, code, ctor) {
    require('node/process/warnings').emitWarning(warning, type, code, ctor);
  },
  ref(subject) {
    (subject?.[SymbolFor('nodejs.ref')] ?? subject?.ref)?.call(subject);
  },
  unref(subject) {
    (subject?.[SymbolFor('nodejs.unref')] ?? subject?.unref)?.call(subject);
  },
  openStdin() {
    process.stdin.resume();
    return process.stdin;
  },
  dlopen(module, filename, flags = RTLD_LAZY) {
    const { codes } = require('internal/errors/errors');
    if (noAddons) throw new codes.ERR_DLOPEN_DISABLED('Cannot load native addon because loading addons is disabled.');
    if (arguments.length < 2)
      throw ObjectAssign(new TypeError('process.dlopen needs at least 2 arguments'), { code: 'ERR_MISSING_ARGS' });
    require('node/process/addons').dlopen(module, filename, flags);
  },
  setUncaughtExceptionCaptureCallback(callback) {
    const { codes } = require('internal/errors/errors');
    if (callback !== null && typeof callback !== 'function')
      throw new codes.ERR_INVALID_ARG_TYPE('fn', ['Function', 'null'], callback);
    if (callback !== null && captureCallback !== null) throw new codes.ERR_UNCAUGHT_EXCEPTION_CAPTURE_ALREADY_SET();
    captureCallback = callback;
  },
  addUncaughtExceptionCaptureCallback(callback) {
    require('internal/validators').validateFunction(callback, 'fn');
    ArrayUnshift(furtherCallbacks, callback);
  },
  hasUncaughtExceptionCaptureCallback: () => captureCallback !== null || furtherCallbacks.length > 0,
  setSourceMapsEnabled(isEnabled) {
    require('internal/validators').validateBoolean(isEnabled, 'enabled');
    saysSourceMaps = isEnabled;
  },
  getBuiltinModule(id) {
    require('internal/validators').validateString(id, 'id');
    const builtins = require('node/module/builtins');
    return builtins.isBuiltin(id) ? builtins.load(id) : undefined;
  },
});
FunctionCall(EventEmitter, process);
process.on('newListener', (name) => {
  if (process.listenerCount(name) === 0) signals.watch(name, true);
});
process.on('removeListener', (name) => {
  if (process.listenerCount(name) === 0) signals.watch(name, false);
});
for (const name of intact(['_events', '_eventsCount', '_maxListeners', ...intact(ObjectGetOwnPropertySymbols(process))]))
  ObjectDefineProperty(process, name, { __proto__: null, enumerable: false });
let captureCallback = null;
const furtherCallbacks = []; // latest first
let noAddons = false;
let saysSourceMaps = true; // as programs read it; rt always uses source maps
let title = 'rt';
ObjectDefineProperty(process, Symbol.toStringTag, { __proto__: null, value: 'process', writable: true });
ObjectDefineProperty(process, 'exitCode', {
  __proto__: null,
  get: () => exitCode,
  set: (code) => {
    exitCode = checkExitCode(code);
  },
  enumerable: true,
  configurable: false,
});
for (const { 0: name, 1: descriptor, 2: make } of intact([
  ['stdout', 1, 'writer'],
  ['stderr', 2, 'writer'],
  ['stdin', 0, 'reader'],
])) {
  ObjectDefineProperty(process, name, {
    __proto__: null,
    get() {
      const stream = require('node/process/standard_streams')[make](descriptor);
      streams[name] = stream;
      ObjectDefineProperty(process, name, {
        __proto__: null,
        value: stream,
        writable: true,
        enumerable: true,
        configurable: true,
      });
      return stream;
    },
    set(value) {
      streams[name] = value ?? undefined;
      ObjectDefineProperty(process, name, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
    },
    enumerable: true,
    configurable: true,
  });
}

/** Less common functions, each loaded from its file on first use. */
for (const { 0: file, 1: arities } of intact([
  ['node/process/credentials', { setuid: 1, seteuid: 1, setgid: 1, setegid: 1, setgroups: 1, initgroups: 2 }],
  ['node/process/execve', { execve: 1 }],
  [
    'node/process/internals',
    {
      binding: 1,
      _rawDebug: 0,
      _linkedBinding: 1,
      _kill: 0,
      _getActiveHandles: 0,
      _getActiveRequests: 0,
      getActiveResourcesInfo: 0,
      _tickCallback: 0,
      _fatalException: 2,
    },
  ],
])) {
  for (const name in arities) {
    const call = {
      [name](...args) {
        return require(file)[name](...intact(args));
      },
    }[name];
    ObjectDefineProperty(call, 'length', { __proto__: null, value: arities[name], configurable: true });
    process[name] = call;
  }
}

const accessor = (name, get, set) =>
  ObjectDefineProperty(process, name, { __proto__: null, get, set, enumerable: true, configurable: true });
const memoize = (make) => {
  let instance;
  return () => (instance ??= make());
};
accessor(
  'title',
  () => title,
  (value) => {
    title = `${value}`;
    native.process_setTitle(title);
  },
);
accessor(
  'report',
  memoize(() => require('node/process/report').report),
);
accessor(
  'finalization',
  memoize(() => require('node/process/finalization').finalization),
);
accessor(
  'allowedNodeEnvironmentFlags',
  memoize(() => require('node/process/flags').allowedFlags()),
);
let debugPort = 9229;
let isDebugPortSet = false;
process._debugEnd = function _debugEnd() {
  require('node/inspector/inspector').close();
};
process._debugProcess = function _debugProcess(pid) {
  process.kill(pid, 'SIGUSR1');
};
accessor(
  'debugPort',
  () => debugPort,
  (value) => {
    const port = value | 0;
    if (port !== 0 && (port < 1024 || port > 65535)) {
      const error = new RangeError('process.debugPort must be 0 or in range 1024 to 65535');
      throw ObjectAssign(error, { code: 'ERR_OUT_OF_RANGE' });
    }
    debugPort = port;
    isDebugPortSet = true;
  },
);
accessor('sourceMapsEnabled', () => saysSourceMaps);
accessor('moduleLoadList', () => require('node/module/builtins').loadedModules());
const shownMain = (...given) => require('node/module/commonjs').shownMain(given); // readable, and replaceable
accessor('mainModule', shownMain, shownMain);
accessor(
  '_exiting',
  () => isExiting,
  (value) => {
    isExiting = Boolean(value);
  },
);
accessor(
  '_preload_modules',
  memoize(() => []),
);

/** Runs the 'exit' listeners once; returns the exit status. */
function runExit(status) {
  if (status !== undefined && exitCode === undefined) exitCode = status;
  try {
    if (!isExiting) {
      isExiting = true;
      process.emit('exit', exitCode ?? 0);
    }
  } finally {
    writeDiagnostics();
  }
  return exitCode ?? 0;
}

/** Writes coverage, profiles and traces, once each. */
function writeDiagnostics() {
  runtimeParts.coverage?.end();
  runtimeParts.profiles?.end();
  runtimeParts.trace?.end();
}

const NODE_RELEASES = 'https://nodejs.org/download/release';
const FEATURES = {
  inspector: true,
  debug: false,
  uv: true,
  ipv6: true,
  tls_alpn: true,
  tls_sni: true,
  tls_ocsp: true,
  tls: true,
  openssl_is_boringssl: false,
  cached_builtins: true,
  require_module: true,
  dtls: false,
  quic: false,
  typescript: 'transform',
};

const isRequireEsmOff = (config) => config.isNode && require('node/module/require_esm').isOff(givenFlags(config));

/** Properties that a program can read but not change. */
function constantsOf(config) {
  const version = `v${config.nodeVersion}`;
  const archive = `${NODE_RELEASES}/${version}/node-${version}`;
  return {
    version,
    versions: versions(config),
    arch: config.arch,
    platform: config.platform,
    release: { name: 'node', sourceUrl: `${archive}.tar.gz`, headersUrl: `${archive}-headers.tar.gz` },
    argv0: config.argv0,
    pid: config.pid,
    features: { ...FEATURES, require_module: !isRequireEsmOff(config) },
    config: buildConfig(config.arch),
  };
}

/** Stores the command-line options for tests; with --test, the test runner is the program. */
function startTests(tests) {
  startValues.tests = tests;
  if (tests['experimental-test-coverage']) require('node/test/coverage/coverage').beginIfRequested();
  if (tests.test) timers.setImmediate(() => require('node/test/command').start(tests.words));
}

function start(config) {
  process.argv = config.argv;
  if (config.mainArgument !== undefined) {
    process.argv[1] = startValues.mainArgument = config.mainArgument;
    startValues.mainFile = config.main;
  }
  process.execArgv = config.execArgv;
  process.execPath = config.execPath;
  process.ppid = config.ppid;
  process.env = environmentProxy(config.env);
  const values = constantsOf(config);
  for (const name in values) {
    ObjectDefineProperty(process, name, {
      __proto__: null,
      value: values[name],
      writable: false,
      enumerable: true,
      configurable: true,
    });
  }
  if (config.disableProto) require('internal/proto_access').start(config.disableProto);
  if (config.tests !== undefined) startTests(config.tests);
  if (config.repl !== undefined) {
    process._eval = config.repl.code;
    const { inspects, handlesTypes } = config.repl;
    if (inspects !== undefined) timers.setImmediate(() => require('node/debugger/command').start(inspects));
    else if (handlesTypes) timers.setImmediate(() => runtimeParts.startRepl(config.repl));
    else timers.setImmediate(() => require('node/repl/command').start(config.repl.code));
  } else if (typeof config.code === 'string' && config.tests?.test !== true) {
    process._eval = config.code;
    require('node/process/evaluated').exposeBuiltins(globalThis);
  }
  if (typeof config.title === 'string') process.title = config.title;
  for (const name of intact(['noDeprecation', 'throwDeprecation', 'traceDeprecation'])) {
    if (config[name]) process[name] = true;
  }
  if (config.debugPort !== undefined) process.debugPort = config.debugPort;
  noAddons = config.noAddons;
  if (config.execArgv.length > 0 || config.env.NODE_OPTIONS)
    require('node/process/diagnostic_flags').applyFlags(process, config.env.NODE_OPTIONS, config.worker?.threadId);
  if (process.env.NODE_DEBUG) require('node/module/load_timer').start();
  const coverage = process.env.NODE_V8_COVERAGE;
  if (coverage && runtimeParts.coverage === undefined) require('node/v8/coverage').begin(coverage);
  require('node/process/warnings').start(config);
  if (config.env.NODE_CHANNEL_FD !== undefined && config.worker == null) require('node/process/channel').start(process);
}

/** Calls the capture callbacks for an uncaught error, before its listeners; returns whether one has handled it. */
function capture(error) {
  if (captureCallback !== null) {
    captureCallback(error);
    return true;
  }
  for (const callback of intact(furtherCallbacks)) {
    if (callback(error) === true) return true;
  }
  return false;
}
const setStatus = (status) => {
  exitCode = status;
};

module.exports = process;
runtimeParts.process = {
  process,
  start,
  runExit,
  writeDiagnostics,
  capture,
  setStatus,
  status: () => exitCode,
  isExiting: () => isExiting,
  isDebugPortSet: () => isDebugPortSet,
};
