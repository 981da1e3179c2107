'use strict';
// Owns: what a test's function is given: TestContext, and SuiteContext for suites.

const { ArrayPush } = require('internal/primordials');
const handedDown = require('internal/parts');
const { validateFunction, validateNumber, validateObject, validateUint32 } = require('internal/validators');
const timers = require('internal/timers');
const { codes } = require('internal/errors/errors');

class TestContext {
  #test;
  #assert;

  constructor(test) {
    this.#test = test;
  }

  get signal() {
    const test = this.#test;
    test.controller ??= new (require('web/abort').AbortController)();
    return test.controller.signal;
  }

  get name() {
    return this.#test.name;
  }
  get fullName() {
    return this.#test.fullName;
  }
  get filePath() {
    return this.#test.place?.file;
  }
  get passed() {
    return this.#test.passed;
  }
  get attempt() {
    return 0;
  }
  get error() {
    return this.#test.error;
  }
  get workerId() {
    return Number(handedDown.process.process.env.NODE_TEST_WORKER_ID) || undefined;
  }

  diagnostic(message) {
    ArrayPush(this.#test.diagnostics, `${message}`);
  }

  plan(count, options = {}) {
    if (this.#test.plan !== null) {
      throw require('node/test/tree').testFailure('cannot set plan more than once', 'testCodeFailure');
    }
    validateUint32(count, 'count');
    validateObject(options, 'options');
    const { wait } = options;
    if (typeof wait === 'number') validateNumber(wait, 'options.wait', 0, 2 ** 31 - 1);
    else if (wait !== undefined && typeof wait !== 'boolean')
      throw new codes.ERR_INVALID_ARG_TYPE('options.wait', ['boolean', 'number'], wait);
    this.#test.plan = { count, wait: options.wait };
  }

  get assert() {
    const test = this.#test;
    return (this.#assert ??= require('node/test/assertions').assertionsFor(test));
  }

  get mock() {
    this.#test.mock ??= new (require('node/test/mock').MockTracker)();
    return this.#test.mock;
  }

  runOnly(value) {
    this.#test.runsOnly = Boolean(value);
  }

  skip(message) {
    this.#test.skipReason = message ?? true;
  }

  todo(message) {
    this.#test.todoReason = message ?? true;
  }

  test(name, options, fn) {
    return require('node/test/harness').subtest(this.#test, [name, options, fn]);
  }

  before(fn, options) {
    this.#test.addHook('before', fn, options);
  }

  after(fn, options) {
    this.#test.addHook('after', fn, options);
  }

  beforeEach(fn, options) {
    this.#test.addHook('beforeEach', fn, options);
  }

  afterEach(fn, options) {
    this.#test.addHook('afterEach', fn, options);
  }

  /** Call `condition` until it does not throw. */
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

class SuiteContext {
  #test;

  constructor(test) {
    this.#test = test;
  }

  get signal() {
    const test = this.#test;
    test.controller ??= new (require('web/abort').AbortController)();
    return test.controller.signal;
  }

  get name() {
    return this.#test.name;
  }
  get fullName() {
    return this.#test.fullName;
  }
  get filePath() {
    return this.#test.place?.file;
  }
  get passed() {
    return this.#test.passed;
  }
  get attempt() {
    return 0;
  }

  diagnostic(message) {
    ArrayPush(this.#test.diagnostics, `${message}`);
  }
}

module.exports = { TestContext, SuiteContext };
