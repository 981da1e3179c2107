// @ts-check
'use strict';
// Owns: the trace of a process: the enabled categories, the events, and the file for Chrome's trace viewer that is written at
// exit. `sources` observes the program while a category is enabled. Nothing of this is loaded without one.

const { native } = host;
const runtimeParts = require('internal/parts');
const {
  ArrayFilter,
  ArrayJoin,
  ArrayPush,
  ArraySome,
  ArraySort,
  JSONStringify,
  MapDelete,
  MapGet,
  MapHas,
  MapKeys,
  MapSet,
  MathTrunc,
  NumberToString,
  StringReplaceAll,
  StringSplit,
  StringStartsWith,
  StringTrim,
  intact,
} = require('internal/primordials');

/** @typedef {{ id?: number, args?: object, at?: number, ms?: number, thread?: number }} Details `at` and `ms` as of `host.now()` */

const uses = new Map(); // category -> the number of its uses
/** @type {object[]} */
const events = [];
let filePattern = 'node_trace.${rotation}.log';
let shownTitle = '';

const micros = (ms) => MathTrunc(ms * 1000);

/**
 * Records an event. Chrome's format names the phases: b, n and e of asynchronous operations, B and E of nested ones, X for
 * complete ones, I for an instant, C for a counter.
 * @param {string} group the event's categories
 * @param {string} phase
 * @param {string} name
 * @param {Details} [details]
 */
function record(group, phase, name, { id, args = {}, at = native.now(), ms = 0, thread } = {}) {
  const { pid } = runtimeParts.process.process;
  const event = { __proto__: null, pid, tid: thread ?? pid, ts: micros(at), tts: micros(at), ph: phase, cat: group, name };
  const identity = id === undefined ? {} : { id: `0x${NumberToString(id, 16)}` };
  ArrayPush(events, { ...event, dur: micros(ms), tdur: micros(ms), ...identity, args });
}

/** Whether an event of these categories is recorded: one of them is enabled. */
const isEnabled = (group) => ArraySome(StringSplit(group, ','), (category) => MapHas(uses, category));

/** The enabled categories as a list with commas; undefined without any. */
const enabledCategories = () => (uses.size === 0 ? undefined : ArrayJoin(ArraySort([...intact(MapKeys(uses))]), ','));

/** Returns the result of `run`, which is recorded as a complete event if its categories are enabled. */
function measure(group, name, run) {
  if (!isEnabled(group)) return run();
  const at = native.now();
  try {
    return run();
  } finally {
    record(group, 'X', name, { at, ms: native.now() - at });
  }
}

/** @param {readonly string[]} categories */
function enable(categories) {
  begin();
  for (const category of intact(categories)) MapSet(uses, category, (MapGet(uses, category) ?? 0) + 1);
  require('node/trace_events/sources').update(isEnabled);
}

/** @param {readonly string[]} categories */
function disable(categories) {
  for (const category of intact(categories)) {
    const left = MapGet(uses, category) - 1;
    if (left === 0) MapDelete(uses, category);
    else MapSet(uses, category, left);
  }
  require('node/trace_events/sources').update(isEnabled);
}

/**
 * Enables the categories of the flags; a pattern alone enables none.
 * @param {{ categories: string | undefined, pattern: string | undefined }} flags
 */
function start({ categories, pattern }) {
  filePattern = pattern ?? filePattern;
  if (categories === undefined) return;
  enable(ArrayFilter(StringSplit(categories, ','), (category) => StringTrim(category) !== ''));
}

/** From the first category on, a file is written at exit. */
function begin() {
  if (runtimeParts.trace !== undefined) return;
  runtimeParts.trace = { __proto__: null, record: recordIfEnabled, measure, nameThread, end };
  nameProcess();
}

function recordIfEnabled(group, phase, name, details) {
  if (isEnabled(group)) record(group, phase, name, details);
}

/** Describes a worker. @param {number} thread its id @param {string} name */
function nameThread(thread, name) {
  record('__metadata', 'M', 'thread_name', { thread, args: { name: `[worker ${thread}] ${name || 'WorkerThread'}` } });
}

/** Describes the engine's own threads, by the names that the system shows. */
function nameEngineThreads() {
  const fs = require('node/fs/sync');
  const { pid } = runtimeParts.process.process;
  for (const task of intact(fs.readdirSync('/proc/self/task'))) {
    if (task === `${pid}`) continue;
    const name = StringTrim(fs.readFileSync(`/proc/self/task/${task}/comm`, 'utf8'));
    const isPlatform = StringStartsWith(name, 'V8');
    record('__metadata', 'M', 'thread_name', {
      thread: Number(task),
      args: { name: isPlatform ? 'PlatformWorkerThread' : name },
    });
  }
}

function nameProcess() {
  const { title } = runtimeParts.process.process;
  if (title === shownTitle) return;
  shownTitle = title;
  record('__metadata', 'M', 'process_name', { args: { name: title } });
}

/** Describes the process and its threads. */
function describe() {
  const { process } = runtimeParts.process;
  const { versions, arch, platform, release } = process;
  nameProcess();
  record('__metadata', 'M', 'version', { args: { node: versions.node } });
  record('__metadata', 'M', 'thread_name', { args: { name: 'JavaScriptMainThread' } });
  nameEngineThreads();
  record('__metadata', 'M', 'node', {
    args: { process: { versions: { ...versions }, arch, platform, release: { ...release } } },
  });
}

/** Ends the recording at exit and writes the file. */
function end() {
  const sources = require('node/trace_events/sources');
  sources.finish(isEnabled);
  describe();
  const { process } = runtimeParts.process;
  const path = StringReplaceAll(StringReplaceAll(filePattern, '${pid}', `${process.pid}`), '${rotation}', '1');
  try {
    require('node/fs/sync').writeFileSync(path, JSONStringify({ traceEvents: events }));
  } catch (error) {
    process.stderr.write(`Could not open trace file ${path}: ${/** @type {Error} */ (error).message}\n`);
  }
}

module.exports = { start, enable, disable, enabledCategories, record, measure };
