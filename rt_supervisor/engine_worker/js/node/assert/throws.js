// @ts-check
'use strict';
// Owns: assert.throws, rejects and their opposites: run the code and compare the thrown value with the expected one: a class,
// a regular expression, an object of properties, or a validation function.

const { isError, isPromise, isRegExp } = require('internal/brands');
const { AnyExec } = require('internal/any_kind');
const { ArrayPush, FunctionCall, ObjectKeys, RegExpExec, intact } = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { validateFunction } = require('internal/validators');
const { isDeepStrictEqual } = require('node/assert/deep_equal');

const NOTHING = Symbol('nothing thrown');

const inspect = (value, options) => require('internal/inspect/inspect').inspect(value, options);

/** Prints only the expected properties in a comparison. */
class Comparison {
  constructor(source, keys, actual) {
    for (const key of intact(keys)) {
      if (!(key in source)) continue;
      // A matching regular expression is shown as the matched text.
      const isFittingPattern =
        actual !== undefined &&
        typeof actual[key] === 'string' &&
        isRegExp(source[key]) &&
        RegExpExec(source[key], actual[key]) !== null;
      this[key] = isFittingPattern ? actual[key] : source[key];
    }
  }
}

/** The message for an error of another class than the expected one. */
function describeError(actual, expected) {
  const name = actual.constructor?.name || actual.name;
  const kind = name === expected.name ? 'an error with identical name but a different prototype.' : `"${name}"`;
  return `${kind}${actual.message ? `\n\nError message:\n\n${actual.message}` : ''}`;
}

/** Whether the thrown value is the unexpected one: of that class, or with a matching text. */
function fits(actual, expected) {
  if (typeof expected !== 'function') {
    if (isRegExp(expected)) return AnyExec(expected, String(actual)) !== null;
    throw new codes.ERR_INVALID_ARG_TYPE('expected', ['Function', 'RegExp'], expected);
  }
  if (expected.prototype !== undefined && actual instanceof expected) return true;
  return !FunctionCall(Object.prototype.isPrototypeOf, Error, expected) && FunctionCall(expected, {}, actual) === true;
}

module.exports = (AssertionError, fail) => {
  function compareProperty(actual, expected, key, message, keys, caller) {
    if (key in actual && isDeepStrictEqual(actual[key], expected[key])) return;
    if (message) fail({ actual, expected, message: [message], operator: caller.name, stackStartFn: caller });
    const error = new AssertionError({
      actual: new Comparison(actual, keys),
      expected: new Comparison(expected, keys, actual),
      operator: 'deepStrictEqual',
      stackStartFn: caller,
    });
    error.actual = actual;
    error.expected = expected;
    error.operator = caller.name;
    throw error;
  }

  /** Throws unless `actual` is the expected error. */
  function checkExpected(actual, expected, message, caller) {
    let isGenerated = false;
    if (typeof expected !== 'function') {
      if (isRegExp(expected)) {
        const text = String(actual);
        if (RegExpExec(expected, text) !== null) return;
        if (!message) {
          isGenerated = true;
          message = `The input did not match the regular expression ${inspect(expected)}. Input:\n\n${inspect(text)}\n`;
        }
      } else if (typeof actual !== 'object' || actual === null) {
        const error = new AssertionError({ actual, expected, message, operator: 'deepStrictEqual', stackStartFn: caller });
        error.operator = caller.name;
        throw error;
      } else {
        const keys = ObjectKeys(expected);
        if (isError(expected)) ArrayPush(keys, 'name', 'message');
        else if (keys.length === 0) throw new codes.ERR_INVALID_ARG_VALUE('error', expected, 'may not be an empty object');
        for (const key of intact(keys)) {
          if (typeof actual[key] === 'string' && isRegExp(expected[key]) && RegExpExec(expected[key], actual[key]) !== null)
            continue;
          compareProperty(actual, expected, key, message, keys, caller);
        }
        return;
      }
    } else if (expected.prototype !== undefined && actual instanceof expected) {
      return;
    } else if (FunctionCall(Object.prototype.isPrototypeOf, Error, expected)) {
      if (!message) {
        isGenerated = true;
        message = `The error is expected to be an instance of "${expected.name}". Received `;
        message += isError(actual) ? describeError(actual, expected) : `"${inspect(actual, { depth: -1 })}"`;
      }
    } else {
      const result = FunctionCall(expected, {}, actual);
      if (result === true) return;
      if (!message) {
        isGenerated = true;
        message = `The ${expected.name ? `"${expected.name}" ` : ''}validation function is expected to return "true". Received ${inspect(result)}`;
        if (isError(actual)) message += `\n\nCaught error:\n\n${actual}`;
      }
    }
    const error = new AssertionError({ actual, expected, message, operator: caller.name, stackStartFn: caller });
    error.generatedMessage = isGenerated;
    throw error;
  }

  function expectError(caller, actual, args) {
    let { 0: error, 1: message } = args;
    if (typeof error === 'string') {
      if (args.length === 2) throw new codes.ERR_INVALID_ARG_TYPE('error', ['Object', 'Error', 'Function', 'RegExp'], error);
      if (typeof actual === 'object' && actual !== null ? actual.message === error : actual === error) {
        throw new codes.ERR_AMBIGUOUS_ARGUMENT(
          'error/message',
          typeof actual === 'object'
            ? `The error message "${actual.message}" is identical to the message.`
            : `The error "${actual}" is identical to the message.`,
        );
      }
      message = error;
      error = undefined;
    } else if (error != null && typeof error !== 'object' && typeof error !== 'function') {
      throw new codes.ERR_INVALID_ARG_TYPE('error', ['Object', 'Error', 'Function', 'RegExp'], error);
    }
    if (actual === NOTHING) {
      const details = `${error?.name ? ` (${error.name})` : ''}${message ? `: ${message}` : '.'}`;
      const kind = caller === rejects ? 'rejection' : 'exception';
      fail({
        actual: undefined,
        expected: error,
        operator: caller.name,
        message: [`Missing expected ${kind}${details}`],
        stackStartFn: caller,
      });
    }
    if (error) checkExpected(actual, error, message, caller);
  }

  function expectNoError(caller, actual, args) {
    if (actual === NOTHING) return;
    let [error, message] = intact(args);
    if (typeof error === 'string') {
      message = error;
      error = undefined;
    }
    const isExpected = !error || fits(actual, error);
    if (!isExpected) throw actual;
    const kind = caller === doesNotReject ? 'rejection' : 'exception';
    fail({
      actual,
      expected: error,
      operator: caller.name,
      message: [`Got unwanted ${kind}${message ? `: ${message}` : '.'}\nActual message: "${actual?.message}"`],
      stackStartFn: caller,
    });
  }

  function run(fn) {
    validateFunction(fn, 'fn');
    try {
      fn();
    } catch (error) {
      return error;
    }
    return NOTHING;
  }

  async function settle(promiseFn) {
    let promise = promiseFn;
    if (typeof promiseFn === 'function') {
      promise = promiseFn();
      if (!isAwaited(promise)) throw new codes.ERR_INVALID_RETURN_VALUE('instance of Promise', 'promiseFn', promise);
    } else if (!isAwaited(promiseFn)) {
      throw new codes.ERR_INVALID_ARG_TYPE('promiseFn', ['Function', 'Promise'], promiseFn);
    }
    try {
      await promise;
    } catch (error) {
      return error;
    }
    return NOTHING;
  }

  const isAwaited = (value) =>
    value !== null &&
    typeof value === 'object' &&
    (isPromise(value) || (typeof value.then === 'function' && typeof value.catch === 'function'));

  function throws(fn, ...args) {
    expectError(throws, run(fn), args);
  }

  function doesNotThrow(fn, ...args) {
    expectNoError(doesNotThrow, run(fn), args);
  }

  async function rejects(promiseFn, ...args) {
    expectError(rejects, await settle(promiseFn), args);
  }

  async function doesNotReject(promiseFn, ...args) {
    expectNoError(doesNotReject, await settle(promiseFn), args);
  }

  return { throws, rejects, doesNotThrow, doesNotReject };
};
