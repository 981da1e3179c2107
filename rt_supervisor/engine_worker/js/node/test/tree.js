'use strict';
// Owns: the tree of tests: tests and suites, when they run and how they end. The children of a parent run one after the other
// unless its `concurrency` says otherwise; a test ends when its function and all its children have ended.

// prettier-ignore
const { ArrayFilter, ArrayFind, ArrayPush, ArrayReverse, ArraySome, PromiseThen, RegExpExec, RegExpReplace, StringSplit,
  intact } = require('internal/primordials');
const { PromiseCatch, PromiseRace, PromiseResolve } = require('internal/promises');
const runtimeParts = require('internal/parts');
const native = host.native;
const { validateFunction } = require('internal/validators');
const timers = require('internal/timers');
const { FAILURE, testFailure, expectedError, call, withTimeout } = require('node/test/failures');
const { generatorOf, takeNext, bringNext, moveTo } = require('node/test/random');
const { TestContext, SuiteContext } = require('node/test/context');
const { current, isLeftOut } = require('node/test/options');
const { placeOf, inNanoseconds } = require('node/test/stream');
const { tagsOf } = require('node/test/tags');
const { AsyncLocalStorage } = require('node/async_hooks/storage');

const isOpen = (test) => !test.isDone;
const PENDING = 'Promise resolution is still pending but the event loop has already resolved';

/** The location of the program's call: `{ file, line, column }`; undefined in evaluated code. */
function callerPlace() {
  const line = StringSplit(`${new Error().stack}`, '\n')[1] ?? '';
  const match = RegExpExec(/\(?((?:file:\/\/)?\/[^()]*):(\d+):(\d+)\)?$/, line);
  if (match === null) return undefined;
  return { file: RegExpReplace(/^file:\/\//, match[1], ''), line: Number(match[2]), column: Number(match[3]) };
}

// The test whose function is running, including its asynchronous work: an uncaught error there fails that test.
const running = new AsyncLocalStorage();
const runningTest = () => running.getStore() ?? null;

// The hook whose function is running, including its asynchronous work: { kind, place }.
const hooks = new AsyncLocalStorage();
const runningHook = () => hooks.getStore() ?? null;

/**
 * Runs a hook for `subject`. Throws an ERR_TEST_FAILURE, whose cause is the hook's error, the reason of its signal, or a text if
 * the hook exceeded its time limit.
 */
async function runHook({ fn, options, place }, kind, subject) {
  const wasCancelled = subject.isCancelled;
  try {
    if (options.signal?.aborted) throw options.signal.reason;
    const start = () => running.run(subject, call, fn, subject.context);
    await withTimeout(hooks.run({ kind, place }, start), options.timeout, subject, options.signal);
  } catch (error) {
    subject.isCancelled = wasCancelled; // the hook has failed, not the test
    if (error?.code !== 'ERR_TEST_FAILURE') throw testFailure(error, FAILURE.hook);
    const failure = testFailure(`failed running ${kind} hook`, FAILURE.hook);
    failure.cause = error.cause;
    throw failure;
  }
}

class Test {
  constructor({ name, fn, options = {}, parent = null, place, isSuite = false }) {
    this.name = name;
    this.fn = fn;
    this.options = options;
    this.parent = parent;
    this.tags = tagsOf(options.tags, parent?.tags);
    this.place = place;
    this.isSuite = isSuite;
    this.nesting = parent === null || parent.isRoot ? 0 : parent.nesting + 1;
    this.isRoot = false;
    this.children = [];
    this.diagnostics = [];
    this.error = null;
    this.isDone = false;
    this.hasStarted = false;
    this.isCancelled = false;
    this.isLeftOut = false; // by its name, or by `only`
    this.runsOnly = false; // of its subtests, only the marked ones run
    this.skipReason = options.skip || (parent !== null && parent.skipReason ? parent.skipReason : false);
    const isTodo = options.todo !== undefined && options.todo !== false;
    this.todoReason = isTodo ? options.todo || true : parent !== null && parent.todoReason;
    this.expectFailure = options.expectFailure ?? (parent !== null && parent.expectFailure);
    this.startedAt = 0;
    this.endedAt = 0;
    this.plan = options.plan === undefined || isSuite ? null : { count: options.plan, wait: undefined };
    this.asserted = 0;
    this.hooks = { before: [], after: [], beforeEach: [], afterEach: [] };
    this.runningHook = undefined; // the last one of this test's own that has started
    this.controller = null;
    this.mock = null;
    this.interrupt = (error) => this.fail(error); // for errors thrown outside of the function's promise
    this.active = 0; // running children
    this.queue = []; // children that wait for one of those
    this.begun = 0;
    const { randomSeed, rerunFailures } = current();
    if (randomSeed !== undefined) this.random = generatorOf(randomSeed);
    if (rerunFailures !== undefined) require('node/test/reruns').follow(this, rerunFailures);
    this.done = new Promise((resolve) => {
      this.settle = resolve;
    });
    this.context = isSuite ? new SuiteContext(this) : new TestContext(this);
    this.observedAs = undefined; // the number by which a debugger knows the test
    if (parent !== null) runtimeParts.observeTest?.('found', this);
  }

  get passed() {
    return this.error === null;
  }

  get duration() {
    return this.replayedMs ?? inNanoseconds((this.endedAt || native.now()) - this.startedAt);
  }

  get fullName() {
    return this.parent === null || this.parent.isRoot ? this.name : `${this.parent.fullName} > ${this.name}`;
  }

  fail(error) {
    this.error ??= error;
  }

  /** The `timeout` of this test, otherwise of its ancestors, otherwise of the command line. */
  get timeout() {
    return this.options.timeout ?? (this.parent === null ? current().timeout : this.parent.timeout);
  }

  /** Emits an event of this test immediately. */
  emitEvent(type, data) {
    let root = this;
    while (root.parent !== null) root = root.parent;
    const { name, nesting, line, column, file } = placeOf(this);
    root.stream?.emitEvent(type, { nesting, name, ...data, tags: [...intact(this.tags)], line, column, file });
  }

  addHook(kind, fn, options = {}) {
    validateFunction(fn, 'fn');
    const hook = { fn, options, place: callerPlace(), ran: undefined };
    ArrayPush(this.hooks[kind], hook);
    if (kind !== 'before' || this.isSuite || !(this.hasStarted || this.isRoot)) return;
    // The test is running: its hook runs immediately.
    PromiseCatch(this.runBefore(hook), (error) => this.fail(testFailure(error.cause, FAILURE.code)));
  }

  /** A `before` hook runs once. */
  runBefore(hook) {
    this.runningHook = hook;
    return (hook.ran ??= runHook(hook, 'before', this));
  }

  /** Adds a child and schedules it. */
  add(child) {
    if (this.isDone && this.parent !== null) {
      child.fail(testFailure('test could not be started because its parent finished', FAILURE.late));
      child.hasStarted = true;
      let root = this;
      while (root.parent !== null) root = root.parent;
      child.parent = root;
      child.nesting = 0;
      root.add(child);
      child.finish();
      return child;
    }
    ArrayPush(this.children, child);
    child.emitEvent('test:enqueue', { type: child.isSuite ? 'suite' : 'test' });
    return child;
  }

  async runAfter() {
    for (const hook of intact(this.hooks.after)) {
      this.runningHook = hook;
      await runHook(hook, 'after', this);
    }
  }

  /** Runs the `before` hooks that have not run: those of a suite before its children, those of a test before its first subtest. */
  async prepare() {
    for (const hook of intact(this.hooks.before)) await this.runBefore(hook);
  }

  async run() {
    if (this.hasStarted) return this.done;
    this.hasStarted = true;
    if (this.parent !== null && isLeftOut(this)) {
      this.isLeftOut = true;
      return this.finish();
    }
    this.emitEvent('test:dequeue', { type: this.isSuite ? 'suite' : 'test' });
    this.startedAt = native.now();
    runtimeParts.observeTest?.('start', this);
    const isSkipped = Boolean(this.skipReason);
    // The `before` hooks of the parent run for a skipped test too.
    if (this.isDone || (isSkipped && !(this.parent?.hooks.before.length > 0))) return this.finish();
    try {
      if (this.options.signal?.aborted) throw testFailure(this.options.signal.reason, FAILURE.aborted);
      if (this.parent !== null && (!this.isSuite || this.parent.isRoot)) await this.parent.prepare();
      if (isSkipped) return this.finish();
      if (!this.isSuite && this.parent !== null) await this.runEach('beforeEach');
      if (this.isSuite) await this.runSuite();
      else await this.runFunction();
    } catch (error) {
      this.fail(error?.code === 'ERR_TEST_FAILURE' ? error : testFailure(error, FAILURE.code));
      this.cancelChildren();
    }
    try {
      if (!this.isSuite) await this.runEach('afterEach');
    } catch (error) {
      this.fail(error);
    }
    try {
      await this.runAfter();
    } catch (error) {
      this.fail(error); // only the first failure is reported
    }
    return this.finish();
  }

  /** Runs the hooks of all ancestors, also those declared after this test: `beforeEach` from the root, `afterEach` from the parent. */
  async runEach(kind) {
    const ancestors = [];
    for (let test = this.parent; test !== null; test = test.parent) ArrayPush(ancestors, test);
    if (kind === 'beforeEach') ArrayReverse(ancestors);
    for (const test of intact(ancestors)) for (const hook of intact(test.hooks[kind])) await runHook(hook, kind, this);
  }

  async runSuite() {
    await this.collected;
    await this.prepare();
    await withTimeout(this.runChildren(), this.ownTimeout, this);
  }

  /** The `timeout` of this suite, otherwise of its ancestors; that of the command line applies to tests only. */
  get ownTimeout() {
    return this.options.timeout ?? this.parent?.ownTimeout;
  }

  async runFunction() {
    const interrupted = new Promise((resolve, reject) => {
      this.interrupt = reject;
    });
    PromiseCatch(interrupted, () => {});
    const result = hooks.run(undefined, () => running.run(this, call, this.fn, this.context));
    await withTimeout(PromiseRace([result, interrupted]), this.timeout, this);
    await PromiseRace([this.waitForPlan(), interrupted]);
    await this.runChildren();
  }

  async waitForPlan() {
    if (this.plan === null) return;
    const { count, wait } = this.plan;
    const isMet = () => this.asserted + this.children.length === count;
    const made = () => this.asserted + this.children.length;
    if (!isMet() && wait) {
      const until = wait === true ? Infinity : native.now() + wait;
      while (!isMet() && this.error === null && native.now() < until) {
        await new Promise((resolve) => timers.setTimeout(resolve, 5));
      }
      if (!isMet() && wait !== true) {
        this.isCancelled = true;
        const message = `plan timed out after ${wait}ms with ${made()} assertions when expecting ${count}`;
        throw testFailure(message, FAILURE.timeout);
      }
    }
    if (!isMet()) throw testFailure(`plan expected ${count} assertions but received ${made()}`, FAILURE.code);
  }

  /** The number of concurrent children: this test's option, or its parent's. */
  get concurrency() {
    const { concurrency } = this.options;
    if (concurrency === true) return Infinity;
    if (concurrency === false) return 1;
    return concurrency ?? (this.parent === null || this.parent.isRoot ? 1 : this.parent.concurrency);
  }

  /** Runs a child now or when a slot is free. In random order, it first waits until its siblings are declared. */
  schedule(child) {
    if (this.random === undefined && this.active < this.concurrency) {
      this.begin(child);
      return child.done;
    }
    ArrayPush(this.queue, child);
    if (this.random !== undefined) PromiseThen(PromiseResolve(), () => this.beginMore());
    return child.done;
  }

  begin(child) {
    this.active++;
    if (this.random !== undefined) moveTo(this.children, child, this.begun++);
    child.run();
    PromiseThen(child.done, () => {
      this.active--;
      this.beginMore();
    });
  }

  beginMore() {
    while (this.queue.length > 0 && this.active < this.concurrency) this.begin(takeNext(this.queue, this.random));
  }

  /** Selects the next of the children from index `place` on. */
  choose(place) {
    bringNext(this.children, place, this.random);
  }

  /** Waits for all children, including those that the program has not awaited; their failures fail this test. */
  async runChildren() {
    if (this.isSuite) for (const child of intact(this.children)) this.schedule(child);
    for (let place = 0; place < this.children.length; place++) await this.children[place].done;
    while (ArraySome(this.children, isOpen)) await ArrayFind(this.children, isOpen).done;
    const failures = ArrayFilter(this.children, (child) => child.countsAsFailure).length;
    if (failures > 0) this.fail(testFailure(`${failures} subtest${failures > 1 ? 's' : ''} failed`, FAILURE.children));
  }

  get countsAsFailure() {
    return !this.passed && !this.todoReason && !this.isLeftOut;
  }

  get isToFail() {
    return this.expectFailure !== undefined && this.expectFailure !== false;
  }

  /**
   * Inverts the outcome of a test that is expected to fail: it passes if it failed, with the expected error if one is given.
   */
  turnAround() {
    if (this.skipReason || this.isLeftOut) return;
    if (this.error === null) {
      if (!this.isSuite) this.error = testFailure('test was expected to fail but passed', FAILURE.expected);
      return;
    }
    const expected = expectedError(this.expectFailure);
    if (expected !== undefined) {
      const { cause } = this.error;
      try {
        require('node/assert/assert').throws(() => {
          throw cause;
        }, expected);
      } catch (error) {
        this.error = testFailure('The test failed, but the error did not match the expected validation', FAILURE.code);
        this.error.cause = new Error('The test failed, but the error did not match the expected validation', { cause: error });
        return;
      }
    }
    this.error = null;
  }

  finish() {
    if (!this.isDone) {
      this.isDone = true;
      this.startedAt ||= native.now();
      this.endedAt = native.now();
      if (this.isToFail) this.turnAround();
      this.mock?.reset();
      this.controller?.abort();
      if (this.parent !== null) runtimeParts.observeTest?.('end', this);
      this.settle();
      if (this.parent?.isRoot) this.parent.childDone(this);
    }
    return this.done;
  }

  cancelChildren() {
    this.controller?.abort();
    for (const child of intact(this.children)) {
      if (child.isDone) continue;
      const { signal } = child.options;
      if (signal?.aborted) child.fail(testFailure(signal.reason, FAILURE.aborted));
      child.cancel('test did not finish before its parent and was cancelled');
    }
  }

  /** Fails a test that has not ended; without a `reason`, because the program has nothing left to do. */
  cancel(reason = PENDING) {
    this.cancelChildren();
    if (this.isDone) return;
    this.isCancelled = true;
    this.fail(testFailure(reason, FAILURE.cancelled));
    this.controller?.abort();
    this.hasStarted = true;
    this.finish();
  }
}

module.exports = { Test, callerPlace, testFailure, FAILURE, running, runningHook, runningTest };
