'use strict';
// Owns: the tree of tests: what a test or a suite is, when it runs, how it ends. Children of one parent run one after the other unless the
// parent's `concurrency` says otherwise; a test is over when its function and all its children are.

// prettier-ignore
const { ArrayFilter, ArrayFind, ArrayPush, ArraySlice, ArraySome, ArrayUnshift, PromiseThen, RegExpExec, RegExpReplace, StringSplit,
  intact } = require('internal/primordials');
const { PromiseCatch, PromiseRace, PromiseResolve } = require('internal/promises');
const native = host.native;
const { validateFunction } = require('internal/validators');
const timers = require('internal/timers');
const { FAILURE, testFailure, expectedError, call, withTimeout } = require('node/test/failures');
const { generatorOf, taken, bringNext, moved } = require('node/test/random');
const { TestContext, SuiteContext } = require('node/test/context');
const { current, isLeftOut } = require('node/test/options');
const { placeOf, inNanoseconds } = require('node/test/stream');
const { tagsOf } = require('node/test/tags');
const { AsyncLocalStorage } = require('node/async_hooks/storage');

const isOpen = (test) => !test.isDone;
const PENDING = 'Promise resolution is still pending but the event loop has already resolved';

/** Where the program called: `{ file, line, column }`. */
function callerPlace() {
  const lines = ArraySlice(StringSplit(`${new Error().stack}`, '\n'), 1);
  for (const line of intact(lines)) {
    const found = RegExpExec(/\(?((?:file:\/\/)?\/[^()]*):(\d+):(\d+)\)?$/, line);
    if (found) return { file: RegExpReplace(/^file:\/\//, found[1], ''), line: Number(found[2]), column: Number(found[3]) };
  }
  return undefined;
}

// The test whose function runs, also in its asynchronous work: an uncaught error there is a failure of that test.
const running = new AsyncLocalStorage();
const runningTest = () => running.getStore() ?? null;

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
    this.isLeftOut = false; // by its name, or because others are chosen
    this.runsOnly = false; // of its subtests, those that are marked
    this.skipReason = options.skip || (parent !== null && parent.skipReason ? parent.skipReason : false);
    const isTodo = options.todo !== undefined && options.todo !== false;
    this.todoReason = isTodo ? options.todo || true : parent !== null && parent.todoReason;
    this.expectFailure = options.expectFailure ?? (parent !== null && parent.expectFailure);
    this.startedAt = 0;
    this.endedAt = 0;
    this.plan = options.plan === undefined || isSuite ? null : { count: options.plan, wait: undefined };
    this.asserted = 0;
    this.hooks = {
      before: [],
      after: [],
      beforeEach: parent === null ? [] : ArraySlice(parent.hooks.beforeEach),
      afterEach: parent === null ? [] : ArraySlice(parent.hooks.afterEach),
    };
    this.ranBefore = null;
    this.controller = null;
    this.mock = null;
    this.interrupt = (error) => this.fail(error); // what is thrown outside of the function's own promise
    this.active = 0; // children that run
    this.queue = []; // children that wait for one of those
    this.begun = 0;
    const { randomSeed, rerunFailures } = current();
    if (randomSeed !== undefined) this.random = generatorOf(randomSeed);
    if (rerunFailures !== undefined) require('node/test/reruns').follow(this, rerunFailures);
    this.done = new Promise((resolve) => {
      this.settle = resolve;
    });
    this.context = isSuite ? new SuiteContext(this) : new TestContext(this);
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

  /** The `timeout` of this, else of its parents, else of the command line. */
  get timeout() {
    return this.options.timeout ?? (this.parent === null ? current().timeout : this.parent.timeout);
  }

  /** Emit an event of this test at once. */
  tell(type, data) {
    let root = this;
    while (root.parent !== null) root = root.parent;
    const { name, nesting, line, column, file } = placeOf(this);
    root.stream?.tell(type, { nesting, name, ...data, tags: [...intact(this.tags)], line, column, file });
  }

  addHook(kind, fn, options = {}) {
    validateFunction(fn, 'fn');
    if (kind === 'afterEach') ArrayUnshift(this.hooks.afterEach, { fn, options });
    else ArrayPush(this.hooks[kind], { fn, options });
    if (kind !== 'before' || !this.hasStarted || this.isSuite) return;
    // The test runs: its hook does so at once.
    this.ranBefore = this.runHooks('before');
    PromiseCatch(this.ranBefore, (error) => this.fail(testFailure(error.cause, FAILURE.code)));
  }

  /** Put a child into the tree, and have it run when its turn comes. */
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
    child.tell('test:enqueue', { type: child.isSuite ? 'suite' : 'test' });
    return child;
  }

  async runHooks(kind, subject = this) {
    for (const { fn, options } of intact(this.hooks[kind])) {
      try {
        await withTimeout(running.run(subject, call, fn, subject.context), options.timeout, subject);
      } catch (error) {
        throw testFailure(error, FAILURE.hook);
      }
    }
  }

  /** `before` hooks run once: those of a suite before its children, those of a test before its first subtest. */
  prepare() {
    return (this.ranBefore ??= this.runHooks('before'));
  }

  async run() {
    if (this.hasStarted) return this.done;
    this.hasStarted = true;
    if (this.parent !== null && isLeftOut(this)) {
      this.isLeftOut = true;
      return this.finish();
    }
    this.tell('test:dequeue', { type: this.isSuite ? 'suite' : 'test' });
    this.startedAt = native.now();
    if (this.skipReason || this.isDone) return this.finish();
    try {
      if (this.options.signal?.aborted) throw testFailure(this.options.signal.reason, FAILURE.aborted);
      if (this.parent !== null && (!this.isSuite || this.parent.isRoot)) await this.parent.prepare();
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
      await this.runHooks('after');
    } catch (error) {
      this.fail(error); // the first failure is the one to tell
    }
    return this.finish();
  }

  async runEach(kind) {
    for (const { fn, options } of intact(this.parent.hooks[kind])) {
      try {
        await withTimeout(running.run(this, call, fn, this.context), options.timeout, this);
      } catch (error) {
        throw testFailure(error, FAILURE.hook);
      }
    }
  }

  async runSuite() {
    await this.collected;
    await this.prepare();
    await this.runChildren();
  }

  async runFunction() {
    const interrupted = new Promise((resolve, reject) => {
      this.interrupt = reject;
    });
    PromiseCatch(interrupted, () => {});
    const result = running.run(this, call, this.fn, this.context);
    await withTimeout(PromiseRace([result, interrupted]), this.timeout, this);
    await this.waitForPlan();
    await this.runChildren();
  }

  async waitForPlan() {
    if (this.plan === null) return;
    const { count, wait } = this.plan;
    const isMet = () => this.asserted + this.children.length === count;
    if (!isMet() && wait) {
      const until = wait === true ? Infinity : native.now() + wait;
      while (!isMet() && native.now() < until) await new Promise((resolve) => timers.setTimeout(resolve, 5));
    }
    if (!isMet()) {
      throw testFailure(`plan expected ${count} assertions but received ${this.asserted + this.children.length}`, FAILURE.code);
    }
  }

  /** How many children run at once: by this one's option, else as in its parent. */
  get concurrency() {
    const { concurrency } = this.options;
    if (concurrency === true) return Infinity;
    if (concurrency === false) return 1;
    return concurrency ?? (this.parent === null || this.parent.isRoot ? 1 : this.parent.concurrency);
  }

  /** Run a child now or when there is room. In a random order, it first waits until its siblings are declared, too. */
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
    if (this.random !== undefined) moved(this.children, child, this.begun++);
    child.run();
    PromiseThen(child.done, () => {
      this.active--;
      this.beginMore();
    });
  }

  beginMore() {
    while (this.queue.length > 0 && this.active < this.concurrency) this.begin(taken(this.queue, this.random));
  }

  /** Which of the children from `place` on is next. */
  choose(place) {
    bringNext(this.children, place, this.random);
  }

  /** Wait for all children, also those that the program has not awaited; any failure is one of this, too. */
  async runChildren() {
    if (this.isSuite) for (const child of intact(this.children)) this.schedule(child);
    for (let place = 0; place < this.children.length; place++) await this.children[place].done;
    while (ArraySome(this.children, isOpen)) await ArrayFind(this.children, isOpen).done;
    const failed = ArrayFilter(this.children, (child) => child.countsAsFailure).length;
    if (failed > 0) this.fail(testFailure(`${failed} subtest${failed > 1 ? 's' : ''} failed`, FAILURE.children));
  }

  get countsAsFailure() {
    return !this.passed && !this.todoReason && !this.isLeftOut;
  }

  get isToFail() {
    return this.expectFailure !== undefined && this.expectFailure !== false;
  }

  /** Invert the outcome of a test that is to fail: it passes if it failed, with the expected error where one is named. */
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

  /** Fail a test that is not over; without a `reason`, because the program has nothing left to do. */
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

module.exports = { Test, callerPlace, testFailure, FAILURE, running, runningTest };
