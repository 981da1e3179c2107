'use strict';
// Owns: the `process` object. What it knows of the world is filled in by `start`, after the snapshot.

const native = host.native;
const timers = require('./timers');

const { NUMBERS: SIGNALS } = require('./signals');
const UNCATCHABLE = new Set(['SIGKILL', 'SIGSTOP']);
const EventEmitter = require('./events');
const usage = require('./process_usage');
const { environmentProxy, loadEnvFile } = require('./process_environment');

/** Have signals come here as long as somebody listens. */
function watch(name, isWanted) {
  const number = typeof name === 'string' ? SIGNALS[name] : undefined;
  if (!number) return;
  if (UNCATCHABLE.has(name)) {
    const error = new Error('uv_signal_start EINVAL');
    throw Object.assign(error, { errno: -22, code: 'EINVAL', syscall: 'uv_signal_start' });
  }
  native.process_watchSignal(number, isWanted);
}

let exitCode;
let isExiting = false;

function checkExitCode(code) {
  if (code === undefined || code === null) return undefined;
  const number = typeof code === 'string' && code.trim() !== '' && !Number.isNaN(Number(code)) ? Number(code) : code;
  if (typeof number !== 'number') {
    const { ERR_INVALID_ARG_TYPE } = require('./errors').codes;
    throw new ERR_INVALID_ARG_TYPE('code', 'number', code);
  }
  if (!Number.isInteger(number)) {
    const { ERR_OUT_OF_RANGE } = require('./errors').codes;
    throw new ERR_OUT_OF_RANGE('code', 'an integer', number);
  }
  return number;
}

const process = Object.assign(Object.create(Object.create(EventEmitter.prototype, {
  constructor: { value: function process() { throw new TypeError('Illegal constructor'); }, writable: true, configurable: true },
})), {
  title: 'rt',
  version: '',
  versions: {},
  arch: 'x64',
  platform: 'linux',
  release: { name: 'node' },
  argv: [],
  execArgv: [],
  execPath: '',
  argv0: 'rt',
  pid: 0,
  ppid: 0,
  env: {},
  features: { inspector: true, debug: false, uv: true, ipv6: true, tls_alpn: true, tls_sni: true, tls_ocsp: true, tls: true, cached_builtins: true, require_module: true, typescript: 'transform' },
  config: { target_defaults: {}, variables: {} },
  allowedNodeEnvironmentFlags: new Set(),
  domain: null,

  cwd: () => native.process_cwd(),
  chdir: usage.chdir,
  nextTick: timers.nextTick,
  exit(code) {
    if (code !== undefined) process.exitCode = code;
    process.reallyExit(runExit());
  },
  reallyExit(code) { native.core_exit((code ?? exitCode ?? 0) & 0xFF); },
  abort() { native.process_abort(); },
  kill: usage.kill,
  umask: usage.umask,
  uptime: () => native.process_uptime(),
  hrtime: usage.hrtime,
  memoryUsage: usage.memoryUsage,
  cpuUsage: usage.cpuUsage,
  threadCpuUsage: usage.threadCpuUsage,
  setuid: usage.setuid, seteuid: usage.seteuid, setgid: usage.setgid, setegid: usage.setegid,
  loadEnvFile,
  debugPort: 9229,
  resourceUsage: () => native.process_resourceUsage(),
  constrainedMemory: () => 0,
  availableMemory: () => native.process_availableMemory(),
  getuid: () => native.process_ids().uid,
  geteuid: () => native.process_ids().euid,
  getgid: () => native.process_ids().gid,
  getegid: () => native.process_ids().egid,
  getgroups: () => native.process_ids().groups,
  emitWarning: (...args) => require('./warnings').emitWarning(...args),
  binding(name) { throw new Error(`No such module: ${name}`); },
  getActiveResourcesInfo: () => timers.activeResources(),
  ref(subject) { (subject?.[Symbol.for('nodejs.ref')] ?? subject?.ref)?.call(subject); },
  unref(subject) { (subject?.[Symbol.for('nodejs.unref')] ?? subject?.unref)?.call(subject); },
  openStdin() { process.stdin.resume(); return process.stdin; },
  dlopen() {
    const error = new Error(noAddons
      ? 'Cannot load native addon because loading addons is disabled.'
      : 'rt cannot load native addons in this version');
    error.code = noAddons ? 'ERR_DLOPEN_DISABLED' : 'ERR_DLOPEN_FAILED';
    throw error;
  },
  setUncaughtExceptionCaptureCallback(callback) {
    const { codes } = require('./errors');
    if (callback !== null && typeof callback !== 'function') throw new codes.ERR_INVALID_ARG_TYPE('fn', ['Function', 'null'], callback);
    if (callback !== null && captureCallback !== null) throw new codes.ERR_UNCAUGHT_EXCEPTION_CAPTURE_ALREADY_SET();
    captureCallback = callback;
  },
  hasUncaughtExceptionCaptureCallback: () => captureCallback !== null,
  setSourceMapsEnabled() {},
  getBuiltinModule: (id) => { const builtins = require('./builtins'); return builtins.isBuiltin(id) ? builtins.load(id) : undefined; },
});
EventEmitter.call(process);
process.on('newListener', (name) => { if (process.listenerCount(name) === 0) watch(name, true); });
process.on('removeListener', (name) => { if (process.listenerCount(name) === 0) watch(name, false); });
for (const name of ['_events', '_eventsCount', '_maxListeners', ...Object.getOwnPropertySymbols(process)]) {
  Object.defineProperty(process, name, { enumerable: false });
}
let captureCallback = null;
let noAddons = false;
Object.defineProperty(process, Symbol.toStringTag, { value: 'process', configurable: true });
Object.defineProperty(process, 'exitCode', {
  get: () => exitCode, set: (code) => { exitCode = checkExitCode(code); }, enumerable: true, configurable: true,
});
for (const [name, descriptor, make] of [['stdout', 1, 'writer'], ['stderr', 2, 'writer'], ['stdin', 0, 'reader']]) {
  Object.defineProperty(process, name, {
    get() {
      const stream = require('./standard_streams')[make](descriptor);
      Object.defineProperty(process, name, { value: stream, writable: true, enumerable: true, configurable: true });
      return stream;
    },
    set(value) { Object.defineProperty(process, name, { value, writable: true, enumerable: true, configurable: true }); },
    enumerable: true, configurable: true,
  });
}

/** Run the 'exit' listeners once; return the status to end with. */
function runExit(status) {
  if (status !== undefined && exitCode === undefined) exitCode = status;
  if (!isExiting) {
    isExiting = true;
    process.emit('exit', exitCode ?? 0);
  }
  return exitCode ?? 0;
}

function start(config) {
  process.argv = config.argv;
  process.execArgv = config.execArgv;
  process.execPath = config.execPath;
  process.argv0 = config.argv0;
  process.pid = config.pid;
  process.ppid = config.ppid;
  process.version = `v${config.nodeVersion}`;
  process.versions = { node: config.nodeVersion, rt: config.version, bun: config.version, v8: config.v8Version };
  process.arch = config.arch;
  process.platform = config.platform;
  process.env = environmentProxy(config.env);
  process.title = config.title ?? 'rt';
  for (const name of ['noDeprecation', 'throwDeprecation', 'traceDeprecation', 'traceWarnings']) {
    if (config[name]) process[name] = true;
  }
  noAddons = config.noAddons;
  require('./warnings').start(config);
}

const capture = () => captureCallback;
const setStatus = (status) => { exitCode = status; };

module.exports = process;
host.process = { process, start, runExit, capture, setStatus };
