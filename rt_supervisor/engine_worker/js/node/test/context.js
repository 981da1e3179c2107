'use strict';
// Owns: the argument of a test's function: TestContext, and SuiteContext for suites.

const { ArrayPush } = require('internal/primordials');
const runtimeParts = require('internal/parts');
const { validateFunction, validateNumber, validateObject, validateUint32 } = require('internal/validators');
const timers = require('internal/timers');
const { codes } = require('internal/errors/errors');

/** Returns the test or suite of a context. */
let subjectOf;

/** The base of test and suite contexts. */
class Context {
  #subject;

  constructor(subject) {
    this.#subject = subject;
  }

  static {
    subjectOf = (context) => context.#subject;
  }

  get signal() {
    const subject = this.#subject;
    subject.controller ??= new (require('web/abort').AbortController)();
    return subject.controller.signal;
  }

  get name() {
    return this.#subject.name;
  }
  get fullName() {
    return this.#subject.fullName;
  }
  get filePath() {
    return this.#subject.place?.file;
  }
  get passed() {
    return this.#subject.passed;
  }
  get tags() {
    return this.#subject.tags;
  }
  get attempt() {
    return 0;
  }

  diagnostic(message) {
    ArrayPush(this.#subject.diagnostics, `${message}`);
  }
}

class TestContext extends Context {
  #assert;

  get error() {
    return subjectOf(this).error;
  }
  get workerId() {
    return Number(runtimeParts.process.process.env.NODE_TEST_WORKER_ID) || undefined;
  }

  plan(count, options = {}) {
    if (subjectOf(this).plan !== null) {
      throw require('node/test/tree').testFailure('cannot set plan more than once', 'testCodeFailure');
    }
    validateUint32(count, 'count');
    validateObject(options, 'options');
    const { wait } = options;
    if (typeof wait === 'number') validateNumber(wait, 'options.wait', 0, 2 ** 31 - 1);
    else if (wait !== undefined && typeof wait !== 'boolean')
      throw new codes.ERR_INVALID_ARG_TYPE('options.wait', ['boolean', 'number'], wait);
    subjectOf(this).plan = { count, wait: options.wait };
  }

  get assert() {
    const test = subjectOf(this);
    return (this.#assert ??= require('node/test/assertions').assertionsFor(test));
  }

  get mock() {
    subjectOf(this).mock ??= new (require('node/test/mock').MockTracker)();
    return subjectOf(this).mock;
  }

  runOnly(value) {
    subjectOf(this).runsOnly = Boolean(value);
  }

  skip(message) {
    subjectOf(this).skipReason = message ?? true;
  }

  todo(message) {
    subjectOf(this).todoReason = message ?? true;
  }

  test(name, options, fn) {
    return require('node/test/harness').subtest(subjectOf(this), [name, options, fn]);
  }

  before(fn, options) {
    subjectOf(this).addHook('before', fn, options);
  }

  after(fn, options) {
    subjectOf(this).addHook('after', fn, options);
  }

  beforeEach(fn, options) {
    subjectOf(this).addHook('beforeEach', fn, options);
  }

  afterEach(fn, options) {
    subjectOf(this).addHook('afterEach', fn, options);
  }

  /** Calls `condition` until it does not throw. */
  waitFor(condition, options = {}) {
    validateFunction(condition, 'condition');
    validateObject(options, 'options');
    const { interval = 50, timeout = 1000 } = options;
    validateNumber(interval, 'options.interval');
    validateNumber(timeout, 'options.timeout');
    return new Promise((resolve, reject) => {
      let cause;
      const limit = timers.setTimeout(() => {
        timers.clearTimeout(next);
        reject(new Error('waitFor() timed out', { cause }));
      }, timeout);
      let next;
      const attempt = async () => {
        try {
          const result = await condition();
          timers.clearTimeout(limit);
          resolve(result);
        } catch (error) {
          cause = error;
          next = timers.setTimeout(attempt, interval);
        }
      };
      attempt();
    });
  }
}

class SuiteContext extends Context {}

module.exports = { TestContext, SuiteContext };
