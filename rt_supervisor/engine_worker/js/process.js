'use strict';
// Owns: the `process` object. What it knows of the world is filled in by `start`, after the snapshot.

const native = host.native;
const timers = require('./timers');

const { NUMBERS: SIGNALS } = require('./signals');
const UNCATCHABLE = new Set(['SIGKILL', 'SIGSTOP']);
const listeners = new Map();

/** A small emitter; the full EventEmitter takes its place as prototype once events.js has been loaded. */
const emitter = {
  on(name, listener) { return add(name, listener, false, false); },
  addListener(name, listener) { return add(name, listener, false, false); },
  prependListener(name, listener) { return add(name, listener, false, true); },
  once(name, listener) { return add(name, listener, true, false); },
  prependOnceListener(name, listener) { return add(name, listener, true, true); },
  off(name, listener) {
    const list = listeners.get(name);
    const place = list ? list.findLastIndex((each) => each.listener === listener) : -1;
    if (place >= 0) {
      list.splice(place, 1);
      if (list.length === 0) listeners.delete(name);
      watch(name);
    }
    return process;
  },
  removeListener(name, listener) { return emitter.off(name, listener); },
  removeAllListeners(name) {
    for (const each of name === undefined ? [...listeners.keys()] : [name]) {
      listeners.delete(each);
      watch(each);
    }
    return process;
  },
  emit(name, ...args) {
    const list = listeners.get(name);
    if (!list) return false;
    for (const each of [...list]) {
      if (each.once) emitter.off(name, each.listener);
      each.listener.apply(process, args);
    }
    return true;
  },
  listenerCount: (name) => listeners.get(name)?.length ?? 0,
  listeners: (name) => (listeners.get(name) ?? []).map((each) => each.listener),
  rawListeners: (name) => (listeners.get(name) ?? []).map((each) => each.listener),
  eventNames: () => [...listeners.keys()],
  setMaxListeners: () => process,
  getMaxListeners: () => 10,
};

function add(name, listener, once, first) {
  if (typeof listener !== 'function') {
    const { ERR_INVALID_ARG_TYPE } = require('./errors').codes;
    throw new ERR_INVALID_ARG_TYPE('listener', 'Function', listener);
  }
  const list = listeners.get(name) ?? [];
  listeners.set(name, list);
  list[first ? 'unshift' : 'push']({ listener, once });
  watch(name);
  return process;
}

/** Have signals come here as long as somebody listens. */
function watch(name) {
  const number = typeof name === 'string' ? SIGNALS[name] : undefined;
  if (!number) return;
  if (UNCATCHABLE.has(name) && listeners.has(name)) {
    listeners.delete(name);
    throw host.entry.systemError('EINVAL', 22, 'invalid argument', 'uv_signal_start');
  }
  if (!UNCATCHABLE.has(name)) native.process_watchSignal(number, listeners.has(name));
}

function environmentProxy(entries) {
  const target = Object.create(null);
  for (const key in entries) target[key] = entries[key];
  Object.setPrototypeOf(target, Object.prototype);
  return new Proxy(target, {
    set(object, key, value) {
      if (typeof key === 'symbol') throw new TypeError('Cannot convert a Symbol value to a string');
      if (typeof value === 'symbol') throw new TypeError('Cannot convert a Symbol value to a string');
      object[key] = `${value}`;
      native.process_setEnv(key, object[key]);
      return true;
    },
    defineProperty(object, key, descriptor) {
      if ('value' in descriptor) {
        object[key] = `${descriptor.value}`;
        native.process_setEnv(key, object[key]);
        return true;
      }
      return Reflect.defineProperty(object, key, descriptor);
    },
    deleteProperty(object, key) {
      delete object[key];
      if (typeof key === 'string') native.process_setEnv(key, null);
      return true;
    },
  });
}

let exitCode;
let isExiting = false;

function checkExitCode(code) {
  if (code === undefined || code === null) return code;
  const number = typeof code === 'string' && /^\s*-?\d+\s*$/.test(code) ? Number(code) : code;
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

const process = {
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
  chdir(folder) { native.process_chdir(`${folder}`); },
  nextTick: timers.nextTick,
  exit(code) {
    if (code !== undefined) process.exitCode = code;
    process.reallyExit(runExit());
  },
  reallyExit(code) { native.core_exit((code ?? exitCode ?? 0) & 0xFF); },
  abort() { native.process_abort(); },
  kill(pid, signal = 'SIGTERM') {
    const number = typeof signal === 'number' ? signal : require('./signals').numberOf(signal);
    if (typeof pid !== 'number') {
      const { ERR_INVALID_ARG_TYPE } = require('./errors').codes;
      throw new ERR_INVALID_ARG_TYPE('pid', 'number', pid);
    }
    native.process_kill(pid, number);
    return true;
  },
  umask: (mask) => native.process_umask(typeof mask === 'string' ? Number.parseInt(mask, 8) : mask ?? -1),
  uptime: () => native.process_uptime(),
  hrtime: Object.assign((previous) => {
    const now = native.process_hrtime();
    const seconds = Number(now / 1_000_000_000n);
    const rest = Number(now % 1_000_000_000n);
    if (previous === undefined) return [seconds, rest];
    const [wholes, parts] = previous;
    return rest < parts ? [seconds - wholes - 1, rest - parts + 1_000_000_000] : [seconds - wholes, rest - parts];
  }, { bigint: () => native.process_hrtime() }),
  memoryUsage: Object.assign(() => native.process_memoryUsage(), { rss: () => native.process_memoryUsage().rss }),
  cpuUsage(previous) {
    const { user, system } = native.process_cpuUsage();
    return previous ? { user: user - previous.user, system: system - previous.system } : { user, system };
  },
  resourceUsage: () => native.process_resourceUsage(),
  constrainedMemory: () => 0,
  availableMemory: () => native.process_availableMemory(),
  getuid: () => native.process_ids().uid,
  geteuid: () => native.process_ids().euid,
  getgid: () => native.process_ids().gid,
  getegid: () => native.process_ids().egid,
  getgroups: () => native.process_ids().groups,
  emitWarning: (...args) => require('./warnings').emitWarning(...args),
  binding() { throw new Error('No such module: process.binding is not available'); },
  dlopen() {
    const error = new Error(noAddons
      ? 'Cannot load native addon because loading addons is disabled.'
      : 'rt cannot load native addons in this version');
    error.code = 'ERR_DLOPEN_DISABLED';
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
  ...emitter,
};
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
    emitter.emit('exit', exitCode ?? 0);
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
host.process = { process, start, runExit, emitter, capture, setStatus };
