'use strict';
// Owns: the root of the test tree: the program's declarations run one after the other; when nothing is left to do, the
// summary is printed and the exit status set.

const { AnyCatch } = require('internal/any_kind');
const { ArrayPush, ArraySome, FunctionCall, PromiseThen, intact } = require('internal/primordials');
const { PromiseReject, PromiseResolve } = require('internal/promises');
const { isError } = require('internal/brands');
const native = host.native;
const runtimeParts = require('internal/parts');
const timers = require('internal/timers');
const validators = require('internal/validators');
const { codes } = require('internal/errors/errors');
const { Test, callerPlace, testFailure, FAILURE, running, runningHook, runningTest } = require('node/test/tree');
const { TestsStream, report, startCounts, reportCounts } = require('node/test/stream');
const options = require('node/test/options');

let root = null;
let early = null; // the root, if something was declared before the run of `--test` began

/** Creates the root. Without a `stream`, which the caller reads, events go to reporters. */
let isOfCaller = false; // the caller of run() decides about the exit status

function startRoot(stream) {
  isOfCaller = stream !== undefined;
  if (early !== null) {
    // Tests declared before the run began belong to it.
    root = early;
    early = null;
    root.stream = stream;
    recordReruns();
    return root;
  }
  root = new Test({ name: '<root>', fn: undefined, options: {} });
  root.isRoot = true;
  root.nesting = -1;
  root.startedAt = native.now();
  root.counts = startCounts();
  root.stream = stream ?? new TestsStream();
  root.reported = 0;
  root.childDone = () => reportReady();
  const { process } = runtimeParts.process;
  if (stream === undefined) root.written = require('node/test/output').attach(root.stream);
  root.late = [];
  recordReruns();
  process.on('uncaughtException', thrownOutside);
  process.on('unhandledRejection', (error) => thrownOutside(error, 'unhandledRejection'));
  process.on('beforeExit', finishRoot);
  timers.nextTick(runRoot);
  return root;
}

function recordReruns() {
  const { rerunFailures, isChild } = options.current();
  if (rerunFailures !== undefined && !isChild) require('node/test/reruns').record(root.stream, rerunFailures);
}

let isWaiting = false; // files are still being imported
const atLast = [];

let turn = null; // the current run of the root's children

let setsUp; // `--test-global-setup` of a program that is not a file of a run

function setUp() {
  const { globalSetup, isChild, isRunner } = options.current();
  if (setsUp !== undefined || globalSetup === undefined || isChild || isRunner) return setsUp;
  const setup = require('node/test/global_setup').begin({ globalSetupPath: globalSetup, cwd: host.cwd() });
  setsUp = PromiseThen(setup, (globals) => {
    ArrayPush(atLast, () => globals.end());
  });
  return setsUp;
}

/** Runs the declared tests in order, including those declared meanwhile. */
function runRoot() {
  if (isWaiting) return undefined;
  turn ??= PromiseThen(walkRoot(), () => {
    turn = null;
  });
  return turn;
}

/** From now on, errors that nothing catches end the program: the run cannot begin. */
function abandon() {
  const { process } = runtimeParts.process;
  process.removeListener('uncaughtException', thrownOutside);
  process.removeListener('beforeExit', finishRoot);
}

async function walkRoot() {
  try {
    await setUp();
  } catch (error) {
    abandon();
    timers.nextTick(() => {
      throw error;
    });
    return;
  }
  for (let place = 0; place < root.children.length; place++) {
    root.choose(place);
    root.children[place].run();
    await root.children[place].done;
  }
  // All tests have ended, but a handle may keep the program alive: these hooks can close it.
  if (root.hooks.after.length > 0 && root.children.length > 0) await endRoot();
  if (options.current().forceExit) await finishRoot();
}

/** Reports the root's children in order, each when it and all earlier ones have ended. */
function reportReady() {
  while (root.reported < root.children.length && root.children[root.reported].isDone) {
    const child = root.children[root.reported++];
    if (!child.isLeftOut) report(child, ++root.counts.topLevel, root);
  }
}

/** An uncaught error fails the test that caused it; if that test has ended, the run reports it and fails. */
function thrownOutside(error, event) {
  const test = runningTest();
  if (test !== null && !test.isDone && !test.isRoot) {
    test.interrupt(testFailure(error, FAILURE[event]));
    return;
  }
  const what = `asynchronous activity after the test ended. This activity created the error "${error}"`;
  let message = `Error: A resource generated ${what} which triggered an ${event} event, caught by the test runner.`;
  const hook = runningHook();
  const isNamed = hook !== null || (test !== null && !test.isRoot);
  if (isNamed) {
    const { file, line, column } = (hook ?? test)?.place ?? {};
    const where = file === undefined ? '' : ` at ${require('node/path/path').relative(host.cwd(), file)}:${line}:${column}`;
    message =
      `Error: Test ${hook === null ? `"${test?.name}"` : `hook "${hook.kind}"`}${where} generated ${what} and would have caused the test to fail, ` +
      `but instead triggered an ${event} event.`;
  }
  ArrayPush(root.late, message);
  runtimeParts.process.process.exitCode = 1;
}

let isFinished = false;

let hasEnded = false;

/** Reports a failed hook of the root, unless a test has failed. It is not a test: as in Node it is not counted, and does not change the exit status. */
function reportRootHook(error) {
  if (root.counts.fail + root.counts.cancelled > 0) return;
  const { file, line, column } = root.runningHook?.place ?? {};
  root.stream.emitEvent('test:fail', {
    name: file ?? root.name,
    nesting: 0,
    testNumber: root.counts.topLevel + 1, // the plan does not include it
    details: { duration_ms: root.duration, error },
    tags: [],
    line,
    column,
    file,
  });
}

/** Runs the hooks that follow all tests. */
async function endRoot() {
  if (hasEnded) return;
  hasEnded = true;
  try {
    await root.prepare();
    await root.runAfter();
  } catch (error) {
    reportRootHook(error);
  }
}

async function finishRoot() {
  if (isFinished || isWaiting) return;
  if (turn !== null && !options.current().forceExit) {
    // A test may wait for something that does not keep the program alive, such as an unreferenced timer.
    const keepAlive = timers.setInterval(() => {}, MOST_MS);
    await turn;
    timers.clearInterval(keepAlive);
  }
  if (isFinished) return;
  if (ArraySome(root.children, (child) => !child.isDone)) {
    for (const child of intact(root.children)) child.cancel();
    reportReady();
  }
  isFinished = true;
  await endRoot();
  for (const work of intact(atLast)) await work();
  const { counts, stream } = root;
  const summary = { topLevel: counts.topLevel, notes: root.late, coverage: options.current().coverage };
  const isPassed = reportCounts(stream, counts, native.now() - root.startedAt, summary);
  if (!isPassed && !isOfCaller) runtimeParts.process.process.exitCode = 1;
  stream.end();
  if (!options.current().forceExit || root.written === undefined) return;
  await root.written;
  runtimeParts.process.process.exit();
}

/** A file that could not be imported counts as a failed test. */
function reportFileFailure(file, error) {
  const name = require('node/path/path').relative(host.cwd(), file);
  const failure = new Test({ name, fn() {}, parent: root, place: { file, line: 1, column: 1 } });
  failure.fail(isError(error) ? error : testFailure(error, FAILURE.code)); // as in Node, an error is reported as it is
  root.add(failure);
  failure.hasStarted = true;
  failure.finish();
}

const MOST_MS = 2 ** 31 - 1;

function checkOptions({ timeout, signal, concurrency }) {
  if (timeout !== undefined && timeout !== null && timeout !== Infinity)
    validators.validateNumber(timeout, 'options.timeout', 0, MOST_MS);
  if (signal !== undefined) validators.validateAbortSignal(signal, 'options.signal');
  if (concurrency === undefined || concurrency === null || typeof concurrency === 'boolean') return;
  if (typeof concurrency === 'number') validators.validateUint32(concurrency, 'options.concurrency', true);
  else throw new codes.ERR_INVALID_ARG_TYPE('options.concurrency', ['boolean', 'number'], concurrency);
}

/** Normalises (name?, options?, fn?). */
function argumentsOf({ 0: name, 1: options, 2: fn }, overrides) {
  if (typeof name === 'function') [name, options, fn] = intact([undefined, undefined, name]);
  else if (name !== null && typeof name === 'object') [name, options, fn] = intact([undefined, name, options]);
  else if (typeof options === 'function') [options, fn] = intact([undefined, options]);
  options = { ...options, ...overrides };
  const isFunction = typeof fn === 'function';
  checkOptions(options);
  return {
    name: typeof name === 'string' && name !== '' ? name : options.name || (isFunction && fn.name) || '<anonymous>',
    options,
    fn: isFunction ? fn : () => {},
  };
}

function subtest(parent, args, overrides) {
  const child = parent.add(new Test({ ...argumentsOf(args, overrides), parent, place: callerPlace() }));
  if (parent.isRoot) {
    timers.nextTick(runRoot);
    return child.done;
  }
  return parent.isSuite ? PromiseResolve() : parent.schedule(child);
}

function suite(args, overrides) {
  const parent = owner();
  const suite = new Test({ ...argumentsOf(args, overrides), parent, place: callerPlace(), isSuite: true });
  parent.add(suite);
  try {
    suite.collected = suite.skipReason
      ? undefined
      : running.run(suite, () => FunctionCall(suite.fn, suite.context, suite.context));
    suite.collected?.catch?.((error) => suite.fail(testFailure(error, FAILURE.code)));
  } catch (error) {
    suite.collected = PromiseReject(error);
    AnyCatch(suite.collected, () => {});
  }
  if (parent.isRoot) timers.nextTick(runRoot);
  else if (!parent.isSuite) return parent.schedule(suite);
  return parent.isRoot ? suite.done : PromiseResolve();
}

/** The root for new declarations; if `--test` loads all files into this process, it waits for them. */
function ensureRoot() {
  const { isRunner, isolation } = options.current();
  if (!isRunner || isolation !== 'none') return startRoot();
  isWaiting = true;
  const root = startRoot(new TestsStream());
  early = root;
  return root;
}

/** The parent of a declaration: the suite being collected, the running test, or the root. */
function owner() {
  const test = runningTest();
  return test !== null && !test.isDone ? test : (root ??= ensureRoot());
}

const declare = (args, overrides) => subtest(owner(), args, overrides);

const hook = (kind) => (fn, options) => owner().addHook(kind, fn, options);

module.exports = {
  declare,
  suite,
  subtest,
  hook,
  startRoot,
  reportFileFailure,
  abandon,
  wait() {
    isWaiting = true;
  },
  go() {
    isWaiting = false;
    if (options.hasOnly(root)) options.change({ only: true }); // all files are one tree, so `only` applies to all
    timers.nextTick(runRoot);
    if (root.children.length === 0) timers.setImmediate(finishRoot);
  },
  note: (text) => ArrayPush(root.late, text),
  atEnd: (work) => ArrayPush(atLast, work),
  current: () => runningTest()?.context,
};
