'use strict';
// Owns: less common parts of node:v8: heap snapshots, promise hooks, queries, coverage.

const {
  ArrayFilter,
  ArrayMap,
  ArrayPush,
  DateGetDate,
  DateGetFullYear,
  DateGetHours,
  DateGetMinutes,
  DateGetMonth,
  DateGetSeconds,
  ObjectKeys,
  RegExpExec,
  StringPadStart,
  intact,
} = require('internal/primordials');
const runtimeParts = require('internal/parts');
const startValues = require('internal/start_values');
const { KIND } = require('internal/kinds');
const { isUint8Array } = require('internal/brands');
const { codes } = require('internal/errors/errors');
const { validateBoolean, validateFunction, validateObject, validateString } = require('internal/validators');

const { native } = host;

/** The chunks of a heap snapshot, in V8's JSON format. */
function snapshotPieces(options) {
  const { Session, kOwn } = require('node/inspector/session');
  const session = new Session(kOwn);
  const pieces = [];
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ params }) => ArrayPush(pieces, params.chunk));
  session.connect();
  let isDone = false;
  const settings = { exposeNumericValues: Boolean(options?.exposeNumericValues) };
  session.post('HeapProfiler.takeHeapSnapshot', settings, () => {
    isDone = true;
  });
  while (!isDone && native.inspector_pump());
  session.disconnect();
  return pieces;
}

function checkSnapshotOptions(options = {}) {
  validateObject(options, 'options');
  const { exposeInternals = false, exposeNumericValues = false } = options;
  validateBoolean(exposeInternals, 'options.exposeInternals');
  validateBoolean(exposeNumericValues, 'options.exposeNumericValues');
}

function getHeapSnapshot(options) {
  checkSnapshotOptions(options);
  const { Readable } = require('node/stream/stream');
  return Readable.from(
    ArrayMap(snapshotPieces(options), (piece) => require('node/buffer/buffer').Buffer.from(piece)),
    { objectMode: false },
  );
}

let written = 0;

function writeHeapSnapshot(filename, options) {
  const fs = require('node/fs/sync');
  if (filename === undefined) {
    const now = new Date();
    const two = (number) => StringPadStart(String(number), 2, '0');
    const day = `${DateGetFullYear(now)}${two(DateGetMonth(now) + 1)}${two(DateGetDate(now))}`;
    const time = `${two(DateGetHours(now))}${two(DateGetMinutes(now))}${two(DateGetSeconds(now))}`;
    filename = `Heap.${day}.${time}.${runtimeParts.process.process.pid}.${runtimeParts.worker?.self.threadId ?? 0}.${StringPadStart(String(++written), 3, '0')}.heapsnapshot`;
  }
  const path = require('node/fs/arguments').pathOf(filename);
  checkSnapshotOptions(options);
  runtimeParts.permission?.check('fs.write', `${path}`);
  const fd = fs.openSync(path, 'w'); // a snapshot may exceed the longest possible string
  try {
    for (const piece of intact(snapshotPieces(options))) fs.writeFileSync(fd, piece);
  } finally {
    fs.closeSync(fd);
  }
  return typeof filename === 'object' && !isUint8Array(filename) ? path : filename;
}

const hooks = { init: [], before: [], after: [], settled: [] };

function updateHooks() {
  const callbacks = ArrayMap(['init', 'before', 'after', 'settled'], (event) => {
    const list = hooks[event];
    return list.length === 0
      ? undefined
      : (promise, parent) => {
          for (const hook of intact(list)) {
            try {
              hook(promise, parent);
            } catch (error) {
              runtimeParts.uncaught(error);
            }
          }
        };
  });
  native.setPromiseHooks(...intact(callbacks));
}

function listen(event, hook) {
  hooks[event] = [...intact(hooks[event]), hook];
  updateHooks();
  return () => {
    hooks[event] = ArrayFilter(hooks[event], (each) => each !== hook);
    updateHooks();
  };
}

/** Rejects async functions as hooks: they would create a promise for each promise that they are called for. */
function checkHook(hook, name) {
  validateFunction(hook, name);
  const kind = host.inspect.kindOf(hook);
  if (kind === KIND.ASYNC_FUNCTION || kind === KIND.ASYNC_GENERATOR_FUNCTION)
    throw new codes.ERR_INVALID_ARG_TYPE(name, 'function', hook);
}

const on = (event) => (hook) => {
  checkHook(hook, `${event}Hook`);
  return listen(event, hook);
};
const promiseHooks = {
  createHook(callbacks = {}) {
    validateObject(callbacks, 'hooks');
    const stops = [];
    for (const event of intact(ObjectKeys(hooks))) {
      if (callbacks[event]) checkHook(callbacks[event], `${event}Hook`);
    }
    for (const event of intact(ObjectKeys(hooks))) if (callbacks[event]) ArrayPush(stops, listen(event, callbacks[event]));
    return () => {
      for (const stop of intact(stops)) stop();
    };
  },
  onInit: on('init'),
  onBefore: on('before'),
  onAfter: on('after'),
  onSettled: on('settled'),
};

/** Objects whose prototype chain contains `constructor.prototype`: their number, or a summary of each. */
function queryObjects(constructor, options = undefined) {
  validateFunction(constructor, 'constructor');
  if (options !== undefined) validateObject(options, 'options');
  const format = options?.format || 'count';
  if (format !== 'count' && format !== 'summary') throw new codes.ERR_INVALID_ARG_VALUE('options.format', format);
  // V8 would iterate over pages of a heap that is to be stored before it has filled them.
  if (startValues.storesHeap) throw new codes.ERR_NOT_SUPPORTED_IN_SNAPSHOT('v8.queryObjects()');
  require('node/process/warnings').warnOfExperiment('v8.queryObjects()');
  const objects = native.queryObjects(constructor.prototype);
  if (format === 'count') return objects.length;
  return ArrayMap(objects, (object) => require('internal/inspect/inspect').inspect(object, { depth: 0 }));
}

/** Memory used for code and its metadata, in bytes. */
function getHeapCodeStatistics() {
  const { 0: code, 1: bytecode, 2: sources, 3: profiler } = native.heap_codeFigures();
  return {
    code_and_metadata_size: code,
    bytecode_and_metadata_size: bytecode,
    external_script_source_size: sources,
    cpu_profiler_metadata_size: profiler,
  };
}

const ABORT = /^--(no-?)?abort[-_]on[-_]uncaught[-_]exception$/;

function setFlagsFromString(flags) {
  validateString(flags, 'flags');
  const match = RegExpExec(ABORT, flags);
  // V8 would abort although the program handles the error; the runtime aborts when it does not.
  if (match === null) native.setV8Flags(flags);
  else runtimeParts.abortOnUncaught(match[1] === undefined);
}

/** Without NODE_V8_COVERAGE both functions do nothing. */
function takeCoverage() {
  runtimeParts.coverage?.take();
}
function stopCoverage() {
  runtimeParts.coverage?.stop();
}

module.exports = {
  ...require('node/missing/missing').members('v8', 'getCppHeapStatistics/0 setHeapProfileNearHeapLimit/1'),
  takeCoverage,
  stopCoverage,
  snapshotPieces,
  getHeapSnapshot,
  writeHeapSnapshot,
  promiseHooks,
  queryObjects,
  startupSnapshot: require('node/v8/startup_snapshot').startupSnapshot,
  startCpuProfile: (options) => require('node/v8/profiles').startCpuProfile(options),
  startHeapProfile: (options) => require('node/v8/profiles').startHeapProfile(options),
  get GCProfiler() {
    return require('node/v8/gc_profiler').GCProfiler;
  },
  getHeapCodeStatistics,
  get setHeapSnapshotNearHeapLimit() {
    return require('node/v8/near_limit').setHeapSnapshotNearHeapLimit;
  },
  setFlagsFromString,
};
