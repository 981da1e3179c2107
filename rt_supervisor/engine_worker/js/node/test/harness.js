'use strict';
// Owns: the root of the tree: what the program declares while it loads runs one after the other; when nothing is left to do, the summary is
// printed and the exit status set.

const native = host.native;
const timers = require('internal/timers');
const { Test, callerPlace, testFailure, FAILURE, runningTest } = require('node/test/tree');
const { TestsStream, report } = require('node/test/stream');

const COUNTS = ['tests', 'suites', 'pass', 'fail', 'cancelled', 'skipped', 'todo'];
let root = null;
let collecting = null; // the suite whose function is being called

function startRoot() {
  root = new Test({ name: '<root>', fn: undefined, options: {} });
  root.isRoot = true;
  root.nesting = -1;
  root.startedAt = native.now();
  root.counts = Object.fromEntries(COUNTS.map((name) => [name, 0]));
  root.stream = new TestsStream();
  root.reported = 0;
  root.childDone = () => reportReady();
  const { process } = host.process;
  require('node/test/output').attach(root.stream);
  process.on('uncaughtException', thrownOutside);
  process.on('unhandledRejection', thrownOutside);
  process.on('beforeExit', finishRoot);
  timers.setImmediate(runRoot);
  return root;
}

let turn = null; // the run of the root's children that is under way

/** Run what has been declared, in its order; what is declared meanwhile as well. */
function runRoot() {
  turn ??= (async () => {
    for (let place = 0; place < root.children.length; place++) await root.children[place].run();
    turn = null;
  })();
  return turn;
}

/** Tell of the root's children in their order, each when it and all before it are over. */
function reportReady() {
  while (root.reported < root.children.length && root.children[root.reported].isDone) {
    report(root.children[root.reported], root.reported + 1, root);
    root.reported++;
  }
}

function thrownOutside(error) {
  const test = runningTest();
  if (test !== null && !test.isDone) {
    test.fail(testFailure(error, FAILURE.code));
    test.finish();
    return;
  }
  root.counts.fail++;
  root.stream.tell('test:diagnostic', {
    message: `Error: A resource generated asynchronous activity after the test ended: ${error}`,
    nesting: 0,
  });
  host.process.process.exitCode = 1;
}

let isFinished = false;

async function finishRoot() {
  if (isFinished) return;
  if (root.children.some((child) => !child.isDone)) {
    for (const child of root.children) child.cancel();
    reportReady();
  }
  isFinished = true;
  try {
    if (root.ranBefore !== null || root.children.length === 0) await root.prepare();
    await root.runHooks('after');
  } catch (error) {
    root.counts.fail++;
    root.stream.tell('test:diagnostic', { message: `${error.cause?.stack ?? error}`, nesting: 0 });
  }
  const { counts, stream } = root;
  const duration = native.now() - root.startedAt;
  stream.tell('test:plan', { nesting: 0, count: root.children.length });
  for (const name of COUNTS) stream.tell('test:diagnostic', { nesting: 0, message: `${name} ${counts[name]}`, level: 'info' });
  stream.tell('test:diagnostic', { nesting: 0, message: `duration_ms ${duration}`, level: 'info' });
  stream.tell('test:summary', {
    counts: { ...counts, topLevel: root.children.length },
    duration_ms: duration,
    success: counts.fail + counts.cancelled === 0,
  });
  if (counts.fail + counts.cancelled > 0) host.process.process.exitCode = 1;
  stream.end();
}

/** (name?, options?, fn?) in any of its forms. */
function argumentsOf([name, options, fn], overrides) {
  if (typeof name === 'function') [name, options, fn] = [undefined, undefined, name];
  else if (name !== null && typeof name === 'object') [name, options, fn] = [undefined, name, options];
  else if (typeof options === 'function') [options, fn] = [undefined, options];
  options = { ...options, ...overrides };
  const isFunction = typeof fn === 'function';
  if (options.timeout !== undefined && options.timeout !== Infinity)
    require('internal/validators').validateNumber(options.timeout, 'options.timeout', 0, 2 ** 31 - 1);
  if (options.signal !== undefined) require('internal/validators').validateAbortSignal(options.signal, 'options.signal');
  return {
    name: typeof name === 'string' && name !== '' ? name : options.name || (isFunction && fn.name) || '<anonymous>',
    options,
    fn: isFunction ? fn : () => {},
  };
}

function subtest(parent, args, overrides) {
  const child = parent.add(new Test({ ...argumentsOf(args, overrides), parent, place: callerPlace() }));
  if (parent.isRoot) {
    timers.setImmediate(runRoot);
    return child.done;
  }
  if (parent.isSuite) return Promise.resolve();
  const before = parent.children[parent.children.indexOf(child) - 1];
  return (before === undefined ? Promise.resolve() : before.done).then(() => child.run());
}

function suite(args, overrides) {
  const parent = collecting ?? (runningTest() && !runningTest().isDone ? runningTest() : (root ??= startRoot()));
  const made = new Test({ ...argumentsOf(args, overrides), parent, place: callerPlace(), isSuite: true });
  parent.add(made);
  const before = collecting;
  collecting = made;
  try {
    made.collected = made.skipReason ? undefined : made.fn.call(made.context, made.context);
    made.collected?.catch?.((error) => made.fail(testFailure(error, FAILURE.code)));
  } catch (error) {
    made.collected = Promise.reject(error);
    made.collected.catch(() => {});
  } finally {
    collecting = before;
  }
  if (parent.isRoot) timers.setImmediate(runRoot);
  else if (!parent.isSuite) return made.run();
  return parent.isRoot ? made.done : Promise.resolve();
}

/** Where a declaration belongs: the suite that is being collected, the test that runs, or the root. */
const owner = () => collecting ?? (root ??= startRoot());

const declare = (args, overrides) => subtest(owner(), args, overrides);

const hook = (kind) => (fn, options) => (collecting ?? runningTest() ?? owner()).addHook(kind, fn, options);

module.exports = { declare, suite, subtest, hook, current: () => runningTest()?.context };
