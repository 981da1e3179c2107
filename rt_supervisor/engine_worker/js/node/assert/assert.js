// @ts-check
'use strict';
// Owns: node:assert and its strict form. Equality is in node/assert/deep_equal.js, generated messages in
// node/assert/error.js, callers' messages in node/assert/messages.js, checks of thrown errors in node/assert/throws.js.

const {
  ArrayJoin,
  ArraySlice,
  ObjectAssign,
  ObjectDefineProperty,
  ObjectIs,
  RegExpExec,
  StringIndexOf,
  StringSlice,
  StringSplit,
} = require('internal/primordials');
const { isError, isRegExp } = require('internal/brands');
const { codes } = require('internal/errors/errors');
const { AssertionError } = require('node/assert/error');
const { fail } = require('node/assert/messages');
const { isDeepEqual, isDeepStrictEqual, isPartialStrictEqual } = require('node/assert/deep_equal');

/** The options of an Assert instance; a detached method has none. */
const kOptions = Symbol('options');

const needTwo = (args) => {
  if (args.length < 2) throw new codes.ERR_MISSING_ARGS('actual', 'expected');
};

function requireTruthy(caller, args) {
  if (args[0]) return;
  let message;
  if (args.length === 0) message = ['No value argument passed to `assert.ok()`'];
  else if (args.length === 1 || args[1] == null) message = expressionOf(caller);
  fail({
    actual: args[0],
    expected: true,
    message: message ?? ArraySlice(args, 1),
    operator: '==',
    stackStartFn: caller,
    generatedMessage: message !== undefined,
  });
}

/** The source of the call, if the host can find it. */
function expressionOf(caller) {
  const expression = host.assertedExpression(caller);
  return expression === undefined ? [] : [`The expression evaluated to a falsy value:\n\n  ${expression}\n`];
}

/** A comparison: throws an AssertionError with that operator unless `isGood(actual, expected, skipPrototype)`. */
function comparison(name, operator, isGood) {
  const method = function (actual, expected, ...message) {
    needTwo(arguments);
    const options = this?.[kOptions];
    if (!isGood(actual, expected, options?.skipPrototype))
      fail({ actual, expected, message, operator, stackStartFn: method, diff: options?.diff });
  };
  ObjectDefineProperty(method, 'name', { __proto__: null, value: name, configurable: true });
  return method;
}

const isNaNPair = (actual, expected) => actual !== actual && expected !== expected;

const comparisons = {
  equal: comparison('equal', '==', (a, b) => a == b || isNaNPair(a, b)), // eslint-disable-line eqeqeq
  notEqual: comparison('notEqual', '!=', (a, b) => a != b && !isNaNPair(a, b)), // eslint-disable-line eqeqeq
  deepEqual: comparison('deepEqual', 'deepEqual', (a, b) => isDeepEqual(a, b)),
  notDeepEqual: comparison('notDeepEqual', 'notDeepEqual', (a, b) => !isDeepEqual(a, b)),
  deepStrictEqual: comparison('deepStrictEqual', 'deepStrictEqual', isDeepStrictEqual),
  notDeepStrictEqual: comparison('notDeepStrictEqual', 'notDeepStrictEqual', (a, b, skip) => !isDeepStrictEqual(a, b, skip)),
  strictEqual: comparison('strictEqual', 'strictEqual', (a, b) => ObjectIs(a, b)),
  notStrictEqual: comparison('notStrictEqual', 'notStrictEqual', (a, b) => !ObjectIs(a, b)),
  partialDeepStrictEqual: comparison('partialDeepStrictEqual', 'partialDeepStrictEqual', (a, b) => isPartialStrictEqual(a, b)),
};

function matchWith(text, pattern, message, caller) {
  if (!isRegExp(pattern)) throw new codes.ERR_INVALID_ARG_TYPE('regexp', 'RegExp', pattern);
  const wantsMatch = caller === match;
  if (typeof text === 'string' && (RegExpExec(pattern, text) !== null) === wantsMatch) return;
  const generatedMessage = message.length === 0;
  const { inspect } = require('internal/inspect/inspect');
  message[0] ||=
    typeof text !== 'string'
      ? `The "string" argument must be of type string. Received type ${typeof text} (${inspect(text)})`
      : `${wantsMatch ? 'The input did not match the regular expression ' : 'The input was expected to not match the regular expression '}` +
        `${inspect(pattern)}. Input:\n\n${inspect(text)}\n`;
  fail({ actual: text, expected: pattern, message, operator: caller.name, stackStartFn: caller, generatedMessage });
}

function match(string, regexp, ...message) {
  matchWith(string, regexp, message, match);
}

function doesNotMatch(string, regexp, ...message) {
  matchWith(string, regexp, message, doesNotMatch);
}

function failAssertion(message) {
  if (isError(message)) throw message;
  const isGenerated = message === undefined;
  const error = new AssertionError({
    message: isGenerated ? 'Failed' : message === null ? null : String(message),
    operator: 'fail',
    stackStartFn: failAssertion,
    diff: this?.[kOptions]?.diff,
  });
  if (isGenerated) error.generatedMessage = true;
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
  const wrapped = new AssertionError({
    actual: error,
    expected: null,
    operator: 'ifError',
    message,
    stackStartFn: ifError,
    diff: this?.[kOptions]?.diff,
  });
  wrapped.generatedMessage = false;
  // The error's origin matters more than where it was checked.
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
const thrown = {
  throws: throwing.throws,
  rejects: throwing.rejects,
  doesNotThrow: throwing.doesNotThrow,
  doesNotReject: throwing.doesNotReject,
  ifError,
};
const matches = { match, doesNotMatch };
ObjectAssign(assert, { AssertionError, ok, fail: failAssertion }, comparisons, matches, thrown);

function strict(...args) {
  requireTruthy(strict, args);
}

/** The meaning of the loose names in strict mode. */
const strictly = (methods) => ({
  equal: methods.strictEqual,
  deepEqual: methods.deepStrictEqual,
  notEqual: methods.notStrictEqual,
  notDeepEqual: methods.notDeepStrictEqual,
});
ObjectAssign(strict, assert, strictly(comparisons));

/** The class Assert; its options are { diff: 'simple' | 'full', strict: boolean, skipPrototype: boolean }. */
function Assert(options) {
  if (new.target === undefined) throw new codes.ERR_CONSTRUCT_CALL_REQUIRED('Assert');
  options = ObjectAssign({ __proto__: null, strict: true, skipPrototype: false }, options);
  if (options.diff !== undefined) require('internal/validators').validateOneOf(options.diff, 'options.diff', ['simple', 'full']);
  this.AssertionError = AssertionError;
  ObjectDefineProperty(this, kOptions, { __proto__: null, value: options });
  if (options.strict) ObjectAssign(this, strictly(this));
}
ObjectAssign(Assert.prototype, { fail: failAssertion, ok }, comparisons, thrown, matches);

strict.Assert = Assert;
strict.strict = strict;
assert.strict = strict;
assert.Assert = Assert;

module.exports = assert;
