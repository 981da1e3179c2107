// @ts-check
'use strict';
// Owns: what is recorded while a category of node:trace_events is enabled. A source observes the program through a hook, an
// observer, or a host function that it replaces, so that a program without tracing pays nothing. Events whose place has no
// such means are recorded there through `trace` of internal/parts (console, rejections, phases of the loop).

const { native } = host;
const {
  ArrayForEach,
  ArrayPush,
  ArraySlice,
  MapDelete,
  MapGet,
  MapHas,
  MapKeys,
  MapSet,
  ObjectKeys,
  ReflectApply,
  StringSlice,
  StringStartsWith,
  StringToLowerCase,
  intact,
} = require('internal/primordials');
const startValues = require('internal/start_values');
const recorder = require('node/trace_events/recorder');

const { record } = recorder;
const ASYNC = 'node,node.async_hooks';
const BOOTSTRAP = 'node,node.bootstrap';
const DNS = 'node,node.dns,node.dns.native';
const ENVIRONMENT = 'node,node.environment';
const FILES_ASYNC = 'node,node.fs,node.fs.async';
const FILES_SYNC = 'node,node.fs,node.fs.sync';
const HTTP = 'node,node.http';
const LOADS = 'node,node.module_timer';
const NET = 'node,node.net,node.net.native';
const SCRIPTS = 'node,node.vm,node.vm.script';
const TIMERIFY = 'node,node.perf,node.perf.timerify';
const USER_TIMING = 'node,node.perf,node.perf.usertiming';

let nextId = 1;
const active = new Map(); // source -> the function that ends it

/** Replaces host functions; returns a function that restores them. */
function replace(names, wrap) {
  const originals = { __proto__: null };
  for (const name of intact(names)) {
    const operation = native[name];
    if (typeof operation !== 'function') continue;
    originals[name] = operation;
    native[name] = (...args) => wrap(name, (given) => ReflectApply(operation, native, given), args);
  }
  return () => {
    for (const name in originals) native[name] = originals[name];
  };
}

function traceResources() {
  const { createHook, executionAsyncId } = require('node/async_hooks/async_hooks');
  const types = new Map();
  const hook = createHook({
    trackPromises: false,
    init(id, type, triggerAsyncId) {
      MapSet(types, id, type);
      record(ASYNC, 'b', type, { id, args: { data: { triggerAsyncId, executionAsyncId: executionAsyncId() } } });
    },
    before(id) {
      if (MapHas(types, id)) record(ASYNC, 'b', `${MapGet(types, id)}_CALLBACK`, { id });
    },
    after(id) {
      if (MapHas(types, id)) record(ASYNC, 'e', `${MapGet(types, id)}_CALLBACK`, { id });
    },
    destroy(id) {
      if (MapHas(types, id)) record(ASYNC, 'e', MapGet(types, id), { id });
      MapDelete(types, id);
    },
  }).enable();
  return () => hook.disable();
}

// Files that are read or written as a whole: one host function does the work of several system calls, which share its time.
const PARTS = {
  __proto__: null,
  readFile: ['open', 'fstat', 'read', 'close'],
  readText: ['open', 'fstat', 'read', 'close'],
  writeFile: ['open', 'write', 'close'],
  writeText: ['write'],
  openFolder: ['opendir'],
  mkdirs: ['mkdir'],
  exists: ['access'],
};

/** The names of Node's events for a host function. */
const callsOf = (name) => PARTS[StringSlice(name, 3)] ?? [StringToLowerCase(StringSlice(name, 3))];

function traceFiles(isTraced) {
  const names = [];
  ArrayForEach(ObjectKeys(native), (name) => {
    if (StringStartsWith(name, 'fs_')) ArrayPush(names, name);
  });
  return replace(names, (name, run, args) => {
    const done = args[args.length - 1];
    const calls = callsOf(name);
    if (typeof done !== 'function') return isTraced(FILES_SYNC) ? traceCalls(calls, () => run(args)) : run(args);
    if (!isTraced(FILES_ASYNC)) return run(args);
    const id = nextId++;
    const details = typeof args[0] === 'string' ? { id, args: { path: args[0] } } : { id };
    ArrayForEach(calls, (call) => record(FILES_ASYNC, 'b', call, details));
    const last = args.length - 1;
    args[last] = (...results) => {
      ArrayForEach(calls, (call) => record(FILES_ASYNC, 'e', call, { id, args: { result: results[0] ? -1 : 0 } }));
      return ReflectApply(done, undefined, results);
    };
    return run(args);
  });
}

function traceCalls(calls, run) {
  ArrayForEach(calls, (call) => record(FILES_SYNC, 'B', `fs.sync.${call}`));
  try {
    return run();
  } finally {
    ArrayForEach(calls, (call) => record(FILES_SYNC, 'E', `fs.sync.${call}`));
  }
}

function traceConnections() {
  return replace(['net_connect', 'net_connectUnix'], (name, run, args) => {
    const id = nextId++;
    const { 0: address, 1: port } = args;
    const done = args[args.length - 1];
    const isAbstract = typeof address === 'string' && address[0] === '\0';
    const details =
      name === 'net_connect'
        ? { ip: address, port }
        : { path_type: isAbstract ? 'abstract socket' : 'file', pipe_path: isAbstract ? StringSlice(address, 1) : address };
    record(NET, 'b', 'connect', { id, args: details });
    const finish = (status) => record(NET, 'e', 'connect', { id, args: { status } });
    const last = args.length - 1;
    args[last] = (...results) => {
      finish(results[0]);
      return ReflectApply(done, undefined, results);
    };
    const descriptor = run(args);
    if (descriptor < 0) finish(descriptor); // then it does not call back
    return descriptor;
  });
}

function traceScripts() {
  return replace(['vmCompile', 'vmRun'], (name, run, args) => {
    if (name === 'vmRun') return recorder.measure(SCRIPTS, 'RunInContext', () => run(args));
    record(SCRIPTS, 'B', 'ContextifyScript::New', { args: { filename: args[2] } });
    try {
      return run(args);
    } finally {
      record(SCRIPTS, 'E', 'ContextifyScript::New');
    }
  });
}

/** Records the entries of node:perf_hooks of these types. */
function traceEntries(entryTypes, recordEntry) {
  const { PerformanceObserver } = require('node/perf_hooks/observer');
  const each = (entry) => recordEntry(entry, startValues.startedAt + entry.startTime);
  const observer = new PerformanceObserver((list) => ArrayForEach(list.getEntries(), each));
  observer.observe({ entryTypes });
  return () => {
    ArrayForEach(observer.takeRecords(), each);
    observer.disconnect();
  };
}

/**
 * Records an entry as an asynchronous operation.
 * @param {string} group
 * @param {string} name
 * @param {{ at: number, ms: number, args?: object, result?: object }} details
 */
function recordSpan(group, name, { at, ms, args, result }) {
  const id = nextId++;
  record(group, 'b', name, { id, at, args });
  record(group, 'e', name, { id, at: at + ms, args: result });
}

const traceRequests = () =>
  traceEntries(['http'], ({ name, duration, detail }, at) => {
    const isClient = name === 'HttpClient';
    const statusCode = detail.res?.statusCode;
    const data = isClient ? { path: detail.req?.url, statusCode } : { url: detail.req?.url, statusCode };
    recordSpan(HTTP, isClient ? 'http.client.request' : 'http.server.request', { at, ms: duration, result: { data } });
  });

const traceLookups = () =>
  traceEntries(['dns'], ({ name, duration, detail }, at) =>
    recordSpan(DNS, name, { at, ms: duration, args: { hostname: detail?.hostname ?? detail?.host } }),
  );

const traceUserTiming = () =>
  traceEntries(['mark', 'measure'], ({ name, entryType, duration }, at) => {
    if (entryType === 'mark') record(USER_TIMING, 'R', name, { at });
    else recordSpan(USER_TIMING, name, { at, ms: duration });
  });

const traceTimerified = () =>
  traceEntries(['function'], ({ name, duration }, at) => recordSpan(TIMERIFY, name, { at, ms: duration }));

function traceEnvironment() {
  const id = nextId++;
  const { argv, execArgv } = require('internal/parts').process.process;
  record(ENVIRONMENT, 'b', 'Environment', { id, args: { args: { args: ArraySlice(argv), exec_args: ArraySlice(execArgv) } } });
  return () => record(ENVIRONMENT, 'e', 'Environment', { id });
}

/** The milestones of the start are recorded at the end, as they have passed when tracing begins. */
function recordMilestones() {
  const { nodeTiming } = /** @type {any} */ (require('node/perf_hooks/performance').performance);
  for (const name of intact(['nodeStart', 'v8Start', 'environment', 'bootstrapComplete', 'loopStart', 'loopExit'])) {
    if (nodeTiming[name] >= 0) record(BOOTSTRAP, 'I', name, { at: startValues.startedAt + nodeTiming[name] });
  }
}

/** The loads of CommonJS modules, which contain one another: all have the same id, as in Node. */
const traceLoads = () =>
  require('node/module/load_timer').observeLoads((request) => {
    const name = 'require' + `('${request}')`; // in two parts, because tests look for calls of require
    record(LOADS, 'b', name, { id: 0 });
    return () => record(LOADS, 'e', name, { id: 0 });
  });

// Each: the categories, one of which is needed, and the function that begins to observe and returns one that ends it.
const SOURCES = [
  { groups: [ENVIRONMENT], begin: traceEnvironment },
  { groups: [ASYNC], begin: traceResources },
  { groups: [FILES_SYNC, FILES_ASYNC], begin: traceFiles },
  { groups: [LOADS], begin: traceLoads },
  { groups: [NET], begin: traceConnections },
  { groups: [SCRIPTS], begin: traceScripts },
  { groups: [HTTP], begin: traceRequests },
  { groups: [DNS], begin: traceLookups },
  { groups: [USER_TIMING], begin: traceUserTiming },
  { groups: [TIMERIFY], begin: traceTimerified },
];

/** Begins and ends sources as their categories require. @param {(group: string) => boolean} isEnabled */
function update(isEnabled) {
  ArrayForEach(SOURCES, (source) => {
    const isWanted = isEnabled(source.groups[0]) || (source.groups.length > 1 && isEnabled(source.groups[1]));
    if (isWanted && !MapHas(active, source)) MapSet(active, source, source.begin(isEnabled));
    else if (!isWanted && MapHas(active, source)) {
      MapGet(active, source)();
      MapDelete(active, source);
    }
  });
}

/** Ends all sources at exit. @param {(group: string) => boolean} isEnabled */
function finish(isEnabled) {
  const stop = () => {
    for (const source of intact([...intact(MapKeys(active))])) MapGet(active, source)();
  };
  recorder.measure(ENVIRONMENT, 'RunCleanup', stop);
  recorder.measure(ENVIRONMENT, 'AtExit', () => {
    if (isEnabled(BOOTSTRAP)) recordMilestones();
  });
}

module.exports = { update, finish };
