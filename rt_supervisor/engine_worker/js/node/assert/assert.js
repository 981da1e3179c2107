// @ts-check
'use strict';
// Owns: node:assert and its strict form. Equality is node/assert/deep_equal.js, messages are node/assert/error.js, the checks of
// thrown errors node/assert/throws.js.

const {
  ArrayJoin,
  ObjectAssign,
  ObjectDefineProperty,
  ObjectIs,
  ReflectConstruct,
  RegExpExec,
  StringIndexOf,
  StringSlice,
  StringSplit,
} = require('internal/primordials');
const { isError, isRegExp } = require('internal/brands');
const { codes } = require('internal/errors/errors');
const { AssertionError } = require('node/assert/error');
const { isDeepEqual, isDeepStrictEqual, isPartialStrictEqual } = require('node/assert/deep_equal');

const kDiff = Symbol('diff'); // the option `diff` of an Assert instance: how its errors show the difference

/** Check a caller's message: a string or a function that makes one. An error, also of another context, is thrown. */
function checkMessage(message) {
  if (message === undefined || message === null || typeof message === 'string' || typeof message === 'function') return;
  if (isError(message)) throw message;
  throw new codes.ERR_INVALID_ARG_TYPE('message', ['string', 'function'], message);
}

function fail(options) {
  checkMessage(options.message);
  if (typeof options.message === 'function') options.message = options.message(options.actual, options.expected);
  throw new AssertionError(options);
}

const needTwo = (args) => {
  if (args.length < 2) throw new codes.ERR_MISSING_ARGS('actual', 'expected');
};

function requireTruthy(caller, args) {
  const { 0: value, 1: message } = args;
  if (value) return;
  if (args.length === 0) {
    const error = new AssertionError({
      actual: value,
      expected: true,
      message: 'No value argument passed to `assert.ok()`',
      operator: '==',
      stackStartFn: caller,
    });
    error.generatedMessage = true;
    throw error;
  }
  if (message != null) fail({ actual: value, expected: true, message, operator: '==', stackStartFn: caller });
  // The source of the call, where the host can find it.
  const expression = host.assertedExpression(caller);
  const error = new AssertionError({
    actual: value,
    expected: true,
    message: expression === undefined ? undefined : `The expression evaluated to a falsy value:\n\n  ${expression}\n`,
    operator: '==',
    stackStartFn: caller,
  });
  error.generatedMessage = true;
  throw error;
}

/** One comparison: `isGood(actual, expected)` or an AssertionError with that operator. */
function comparison(name, operator, isGood) {
  const method = function (actual, expected, message) {
    needTwo(arguments);
    if (!isGood(actual, expected)) fail({ actual, expected, message, operator, stackStartFn: method, diff: this?.[kDiff] });
  };
  ObjectDefineProperty(method, 'name', { __proto__: null, value: name, configurable: true });
  return method;
}

const isNaNPair = (actual, expected) => actual !== actual && expected !== expected;

const comparisons = {
  equal: comparison('equal', '==', (a, b) => a == b || isNaNPair(a, b)), // eslint-disable-line eqeqeq
  notEqual: comparison('notEqual', '!=', (a, b) => a != b && !isNaNPair(a, b)), // eslint-disable-line eqeqeq
  deepEqual: comparison('deepEqual', 'deepEqual', isDeepEqual),
  notDeepEqual: comparison('notDeepEqual', 'notDeepEqual', (a, b) => !isDeepEqual(a, b)),
  deepStrictEqual: comparison('deepStrictEqual', 'deepStrictEqual', (a, b) => isDeepStrictEqual(a, b)),
  notDeepStrictEqual: comparison('notDeepStrictEqual', 'notDeepStrictEqual', (a, b) => !isDeepStrictEqual(a, b)),
  strictEqual: comparison('strictEqual', 'strictEqual', ObjectIs),
  notStrictEqual: comparison('notStrictEqual', 'notStrictEqual', (a, b) => !ObjectIs(a, b)),
  partialDeepStrictEqual: comparison('partialDeepStrictEqual', 'partialDeepStrictEqual', isPartialStrictEqual),
};

function matchWith(text, pattern, message, caller) {
  if (!isRegExp(pattern)) throw new codes.ERR_INVALID_ARG_TYPE('regexp', 'RegExp', pattern);
  const wantsMatch = caller === match;
  if (typeof text === 'string' && (RegExpExec(pattern, text) !== null) === wantsMatch) return;
  if (isError(message)) throw message;
  const generated = !message;
  const { inspect } = require('internal/inspect/inspect');
  message ||=
    typeof text !== 'string'
      ? `The "string" argument must be of type string. Received type ${typeof text} (${inspect(text)})`
      : `${wantsMatch ? 'The input did not match the regular expression ' : 'The input was expected to not match the regular expression '}` +
        `${inspect(pattern)}. Input:\n\n${inspect(text)}\n`;
  const error = new AssertionError({ actual: text, expected: pattern, message, operator: caller.name, stackStartFn: caller });
  error.generatedMessage = generated;
  throw error;
}

function match(string, regexp, message) {
  matchWith(string, regexp, message, match);
}

function doesNotMatch(string, regexp, message) {
  matchWith(string, regexp, message, doesNotMatch);
}

function failAssertion(message) {
  if (isError(message)) throw message;
  const isGenerated = arguments.length === 0;
  const error = new AssertionError({
    message: isGenerated ? 'Failed' : String(message),
    operator: 'fail',
    stackStartFn: failAssertion,
  });
  error.generatedMessage = isGenerated;
  throw error;
}
ObjectDefineProperty(failAssertion, 'name', { __proto__: null, value: 'fail', configurable: true });

function ifError(error) {
  if (error === null || error === undefined) return;
  let message = 'ifError got unwanted exception: ';
  if (typeof error === 'object' && typeof error.message === 'string') {
    message += error.message.length === 0 && error.constructor ? error.constructor.name : error.message;
  } else {
    message += require('internal/inspect/inspect').inspect(error);
  }
  const wrapped = new AssertionError({ actual: error, expected: null, operator: 'ifError', message, stackStartFn: ifError });
  wrapped.generatedMessage = false;
  // Where the error came from matters more than where it was noticed.
  const original = error?.stack;
  if (typeof original === 'string') {
    const start = StringIndexOf(original, '\n    at');
    if (start !== -1) {
      const frames = StringSplit(StringSlice(original, start + 1), '\n');
      wrapped.stack = `${wrapped.stack}\n${ArrayJoin(frames, '\n')}`;
    }
  }
  throw wrapped;
}

function assert(...args) {
  requireTruthy(assert, args);
}

function ok(...args) {
  requireTruthy(ok, args);
}

const throwing = require('node/assert/throws')(AssertionError, fail);
const shared = {
  AssertionError,
  ok,
  fail: failAssertion,
  ...comparisons,
  match,
  doesNotMatch,
  throws: throwing.throws,
  rejects: throwing.rejects,
  doesNotThrow: throwing.doesNotThrow,
  doesNotReject: throwing.doesNotReject,
  ifError,
};
ObjectAssign(assert, shared);

function strict(...args) {
  requireTruthy(strict, args);
}
ObjectAssign(strict, shared, {
  equal: comparisons.strictEqual,
  deepEqual: comparisons.deepStrictEqual,
  notEqual: comparisons.notStrictEqual,
  notDeepEqual: comparisons.notDeepStrictEqual,
});

/** The class Assert; its options are { diff: 'simple' | 'full', strict: boolean, skipPrototype: boolean }. */
class AssertOfOnesOwn {
  constructor(options) {
    if (options !== undefined) {
      require('internal/validators').validateObject(options, 'options');
      const { diff } = options;
      if (diff !== undefined) require('internal/validators').validateOneOf(diff, 'options.diff', ['simple', 'full']);
      ObjectDefineProperty(this, kDiff, { __proto__: null, value: diff });
    }
    ObjectAssign(
      this,
      shared,
      options?.strict === false
        ? null
        : {
            equal: comparisons.strictEqual,
            deepEqual: comparisons.deepStrictEqual,
            notEqual: comparisons.notStrictEqual,
            notDeepEqual: comparisons.notDeepStrictEqual,
          },
    );
    if (options?.skipPrototype) {
      this.deepStrictEqual = comparison('deepStrictEqual', 'deepStrictEqual', (a, b) => isDeepStrictEqual(a, b, true));
      this.notDeepStrictEqual = comparison('notDeepStrictEqual', 'notDeepStrictEqual', (a, b) => !isDeepStrictEqual(a, b, true));
      if (options.strict !== false) {
        this.deepEqual = this.deepStrictEqual;
        this.notDeepEqual = this.notDeepStrictEqual;
      }
    }
  }
}
function Assert(options) {
  if (new.target === undefined) throw new codes.ERR_CONSTRUCT_CALL_REQUIRED('Assert');
  return ReflectConstruct(AssertOfOnesOwn, [options], new.target);
}
Assert.prototype = AssertOfOnesOwn.prototype;
ObjectDefineProperty(Assert.prototype, 'constructor', { __proto__: null, value: Assert, writable: true, configurable: true });
strict.Assert = Assert;
strict.strict = strict;
assert.strict = strict;
assert.Assert = Assert;

module.exports = assert;
