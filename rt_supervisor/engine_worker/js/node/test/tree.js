'use strict';
// Owns: the tree of tests: what a test or a suite is, when it runs, how it ends. Children of one parent run one after the other unless the
// parent's `concurrency` says otherwise; a test is over when its function and all its children are.

const native = host.native;
const { codes } = require('internal/errors/errors');
const { validateFunction } = require('internal/validators');
const timers = require('internal/timers');
const { TestContext, SuiteContext } = require('node/test/context');

const FAILURE = {
  __proto__: null,
  code: 'testCodeFailure',
  children: 'subtestsFailed',
  hook: 'hookFailed',
  timeout: 'testTimeoutFailure',
  cancelled: 'cancelledByParent',
  late: 'parentAlreadyFinished',
  aborted: 'testAborted',
  calls: 'multipleCallbackInvocations',
  both: 'callbackAndPromisePresent',
};
const PENDING = 'Promise resolution is still pending but the event loop has already resolved';

/** What is told of a failed test; `cause` is what was thrown, or the words for what happened. */
function testFailure(cause, failureType) {
  return new codes.ERR_TEST_FAILURE(cause, failureType);
}

/** Where the program called: `{ file, line, column }`. */
function callerPlace() {
  const lines = `${new Error().stack}`.split('\n').slice(1);
  for (const line of lines) {
    const found = /\(?((?:file:\/\/)?\/[^()]*):(\d+):(\d+)\)?$/.exec(line);
    if (found) return { file: found[1].replace(/^file:\/\//, ''), line: Number(found[2]), column: Number(found[3]) };
  }
  return undefined;
}

let running = null; // the test whose function runs, for what is thrown outside of it

class Test {
  constructor({ name, fn, options = {}, parent = null, place, isSuite = false }) {
    this.name = name;
    this.fn = fn;
    this.options = options;
    this.parent = parent;
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
    this.skipReason = options.skip || (parent !== null && parent.skipReason ? parent.skipReason : false);
    this.todoReason = options.todo || (parent !== null && parent.todoReason ? parent.todoReason : false);
    this.startedAt = 0;
    this.endedAt = 0;
    this.plan = null;
    this.asserted = 0;
    this.hooks = {
      before: [],
      after: [],
      beforeEach: parent === null ? [] : parent.hooks.beforeEach.slice(),
      afterEach: parent === null ? [] : parent.hooks.afterEach.slice(),
    };
    this.ranBefore = null;
    this.controller = null;
    this.mock = null;
    this.done = new Promise((resolve) => {
      this.settle = resolve;
    });
    this.context = isSuite ? new SuiteContext(this) : new TestContext(this);
  }

  get passed() {
    return this.error === null;
  }

  get duration() {
    return (this.endedAt || native.now()) - this.startedAt;
  }

  get fullName() {
    return this.parent === null || this.parent.isRoot ? this.name : `${this.parent.fullName} > ${this.name}`;
  }

  fail(error) {
    this.error ??= error;
  }

  addHook(kind, fn, options = {}) {
    validateFunction(fn, 'fn');
    if (kind === 'afterEach') this.hooks.afterEach.unshift({ fn, options });
    else this.hooks[kind].push({ fn, options });
  }

  /** Put a child into the tree, and have it run when its turn comes. */
  add(child) {
    this.children.push(child);
    if (this.isDone) {
      child.fail(testFailure('test could not be started because its parent finished', FAILURE.late));
      child.finish();
      this.fail(child.error);
    }
    return child;
  }

  async runHooks(kind, subject = this) {
    for (const { fn, options } of this.hooks[kind]) {
      try {
        await withTimeout(call(fn, subject.context, undefined), options.timeout, subject);
      } catch (error) {
        throw testFailure(error, FAILURE.hook);
      }
    }
  }

  /** `before` hooks run once, before the first child or the function of a suite's first test. */
  prepare() {
    return (this.ranBefore ??= this.runHooks('before'));
  }

  async run() {
    if (this.hasStarted) return this.done;
    this.hasStarted = true;
    this.startedAt = native.now();
    if (this.skipReason || this.isDone) return this.finish();
    try {
      if (this.options.signal?.aborted) throw testFailure('This operation was aborted', FAILURE.aborted);
      if (!this.isSuite && this.parent !== null) {
        await this.parent.prepare();
        await this.runEach('beforeEach');
      }
      if (this.isSuite) await this.runSuite();
      else await this.runFunction();
      await this.runHooks('after');
    } catch (error) {
      this.fail(error?.code === 'ERR_TEST_FAILURE' ? error : testFailure(error, FAILURE.code));
      try {
        await this.runHooks('after');
      } catch {
        // the first failure is the one to tell
      }
    }
    try {
      if (!this.isSuite) await this.runEach('afterEach');
    } catch (error) {
      this.fail(error);
    }
    return this.finish();
  }

  async runEach(kind) {
    for (const { fn, options } of this.parent.hooks[kind]) {
      try {
        await withTimeout(call(fn, this.context, undefined), options.timeout, this);
      } catch (error) {
        throw testFailure(error, FAILURE.hook);
      }
    }
  }

  async runSuite() {
    await this.collected;
    if (this.children.length > 0) await this.prepare();
    await this.runChildren();
  }

  async runFunction() {
    const before = running;
    running = this;
    try {
      await withTimeout(call(this.fn, this.context, this), this.options.timeout, this);
      await this.waitForPlan();
    } finally {
      running = before;
    }
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

  /** Children that have not been awaited, and the failures of all. */
  async runChildren() {
    const { concurrency } = this.options;
    if (concurrency === true || concurrency > 1) await Promise.all(this.children.map((child) => child.run()));
    for (let place = 0; place < this.children.length; place++) await this.children[place].run();
    const failed = this.children.filter((child) => child.countsAsFailure).length;
    if (failed > 0) this.fail(testFailure(`${failed} subtest${failed > 1 ? 's' : ''} failed`, FAILURE.children));
  }

  get countsAsFailure() {
    return !this.passed && !this.todoReason;
  }

  finish() {
    if (!this.isDone) {
      this.isDone = true;
      this.startedAt ||= native.now();
      this.endedAt = native.now();
      this.mock?.reset();
      this.controller?.abort();
      this.settle();
      if (this.parent?.isRoot) this.parent.childDone(this);
    }
    return this.done;
  }

  /** The program has nothing left to do, and this is not over. */
  cancel(reason = PENDING) {
    for (const child of this.children) if (!child.isDone) child.cancel('test did not finish before its parent and was cancelled');
    if (this.isDone) return;
    this.isCancelled = true;
    this.fail(testFailure(reason, FAILURE.cancelled));
    this.finish();
  }
}

/** Call a test's function in the form that its parameters say: with a callback, or returning a promise perhaps. */
function call(fn, context, test) {
  if (fn.length < 2) return fn.call(context, context);
  return new Promise((resolve, reject) => {
    let isCalled = false;
    const result = fn.call(context, context, (error) => {
      if (isCalled) test?.fail(testFailure('callback invoked multiple times', FAILURE.calls));
      isCalled = true;
      if (error) reject(error);
      else resolve();
    });
    if (typeof result?.then === 'function') {
      reject(testFailure('passed a callback but also returned a Promise', FAILURE.both));
    }
  });
}

async function withTimeout(result, ms, test) {
  const races = [result];
  let timer;
  if (ms !== undefined && ms !== Infinity) {
    races.push(
      new Promise((resolve, reject) => {
        timer = timers.setTimeout(() => {
          test.isCancelled = true;
          reject(testFailure(`test timed out after ${ms}ms`, FAILURE.timeout));
        }, ms);
      }),
    );
  }
  const { signal } = test.options ?? {};
  let onAbort;
  if (signal) {
    races.push(
      new Promise((resolve, reject) => {
        onAbort = () => {
          test.isCancelled = true;
          reject(testFailure('This operation was aborted', FAILURE.aborted));
        };
        signal.addEventListener('abort', onAbort, { once: true });
      }),
    );
  }
  try {
    return await (races.length === 1 ? result : Promise.race(races));
  } finally {
    if (timer !== undefined) timers.clearTimeout(timer);
    if (onAbort !== undefined) signal.removeEventListener('abort', onAbort);
  }
}

module.exports = { Test, callerPlace, testFailure, FAILURE, runningTest: () => running, call };
