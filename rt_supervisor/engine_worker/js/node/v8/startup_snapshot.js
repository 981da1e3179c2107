'use strict';
// Owns: `v8.startupSnapshot`: what a program arranges before its heap is stored (`--build-snapshot`), and what runs when another
// process starts from that heap (`--snapshot-blob`). `start/heap_file.py` has the file.

// prettier-ignore
const { ArrayFilter, ArrayJoin, ArrayPush, ArrayShift, ObjectDefineProperty, ObjectGetOwnPropertyDescriptor, RegExpReplace, RegExpTest } = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { givenFlags } = require('internal/given_flags');
const runtimeParts = require('internal/parts');
const startValues = require('internal/start_values');
const { validateFunction } = require('internal/validators');

const { native } = host;
const FAILURE_STATUS = 14;
const USUAL_STACK_TRACE_LIMIT = 10;
const EXPERIMENTAL = /^--(?:no-)?(?:harmony|js-)/;

const serializers = [];
const deserializers = [];
/** @type {{ callback: Function, data: unknown } | undefined} */
let main;
/** @type {string | undefined} */
let flags; // V8's experimental ones when the heap was stored; undefined before

const isBuilding = () => startValues.storesHeap === true;
const experimentalFlags = () =>
  ArrayJoin(
    ArrayFilter(givenFlags(runtimeParts.process.process), (flag) => RegExpTest(EXPERIMENTAL, flag)),
    ' ',
  );

function add(list, callback, data) {
  if (!isBuilding()) throw new codes.ERR_NOT_BUILDING_SNAPSHOT();
  validateFunction(callback, 'callback');
  ArrayPush(list, { callback, data });
}

function runAll(list) {
  while (list.length > 0) {
    const { callback, data } = ArrayShift(list);
    callback(data);
  }
}

const startupSnapshot = {
  __proto__: null,
  addDeserializeCallback(callback, data) {
    add(deserializers, callback, data);
  },
  addSerializeCallback(callback, data) {
    add(serializers, callback, data);
  },
  setDeserializeMainFunction(callback, data) {
    if (!isBuilding()) throw new codes.ERR_NOT_BUILDING_SNAPSHOT();
    if (main !== undefined) throw new codes.ERR_DUPLICATE_STARTUP_SNAPSHOT_MAIN_FUNCTION();
    validateFunction(callback, 'callback');
    main = { callback, data };
  },
  isBuildingSnapshot: () => (isBuilding() ? 1 : 0),
};

/** Runs the file whose heap is stored, as a function that has `require` but neither `module` nor `exports`, as in Node. */
function runBuilder(filename) {
  const { compileFunction } = require('node/vm/vm');
  const { makeRequire, moduleFor } = require('node/module/commonjs');
  const { AS_PROGRAM } = require('node/vm/imports');
  const module = moduleFor(filename, true);
  const text = RegExpReplace(/^\ufeff/, require('node/fs/sync').readFileSync(filename, 'utf8'), '');
  const options = { filename, importModuleDynamically: AS_PROGRAM };
  compileFunction(text, ['require', '__filename', '__dirname'], options)(makeRequire(module), filename, module.path);
}

/** V8 defines this property in each context, also in one that has it already. */
let stackTraceLimit;

function begin() {
  Error.stackTraceLimit ??= USUAL_STACK_TRACE_LIMIT; // V8 leaves it out while the heap is to be stored
  stackTraceLimit = { before: Error.stackTraceLimit, after: undefined };
}

/** Runs the callbacks before the heap is stored, and leaves the entries of the host in it. */
function prepare() {
  runAll(serializers);
  stackTraceLimit.after = ObjectGetOwnPropertyDescriptor(Error, 'stackTraceLimit');
  if (stackTraceLimit.after?.value !== stackTraceLimit.before) {
    const { emitWarning } = require('node/process/warnings');
    emitWarning(
      'Error.stackTraceLimit has been modified by the snapshot builder script.\nIt will be preserved after snapshot deserialization.',
    );
  }
  delete Error.stackTraceLimit;
  flags = experimentalFlags();
  ObjectDefineProperty(globalThis, '__rt', { __proto__: null, value: { entry: runtimeParts.entry }, configurable: true });
  native.v8_storeHeap(main !== undefined);
}

/** The heap has been stored by another process: continues with it here. */
function restore() {
  if (flags === undefined) return;
  if (flags !== experimentalFlags()) {
    native.core_write(
      2,
      'Failed to load the startup snapshot because it was built with a different version of V8 or with different V8 configurations.\n',
    );
    runtimeParts.process.process.reallyExit(FAILURE_STATUS);
  }
  const { before, after } = stackTraceLimit;
  if (after?.value !== before) {
    if (after === undefined) delete Error.stackTraceLimit;
    else ObjectDefineProperty(Error, 'stackTraceLimit', after);
  }
  runAll(deserializers);
}

/** Runs the main function of the stored heap. */
function runStoredMain() {
  main?.callback(main.data);
}

module.exports = { startupSnapshot, begin, runBuilder, prepare, restore, runStoredMain };
