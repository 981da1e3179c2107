// @ts-check
'use strict';
// Owns: the errors of failed tests, with Node's messages, and calling a test's function: with or without a callback, and with
// a time limit.

const { isRegExp } = require('internal/brands');
const { AnyThen } = require('internal/any_kind');
const { ArrayEvery, ArrayPush, FunctionCall, ObjectKeys, PromiseThen } = require('internal/primordials');
const { PromiseRace, PromiseResolve, PromiseWithResolvers } = require('internal/promises');
const { codes } = require('internal/errors/errors');
const timers = require('internal/timers');

const FAILURE = {
  __proto__: null,
  code: 'testCodeFailure',
  children: 'subtestsFailed',
  hook: 'hookFailed',
  timeout: 'testTimeoutFailure',
  cancelled: 'cancelledByParent',
  uncaughtException: 'uncaughtException',
  unhandledRejection: 'unhandledRejection',
  late: 'parentAlreadyFinished',
  aborted: 'testAborted',
  expected: 'expectedFailure',
  calls: 'multipleCallbackInvocations',
  both: 'callbackAndPromisePresent',
};

/** The error reported for a failed test; `cause` is the thrown value, or a text that describes the failure. */
function testFailure(cause, failureType) {
  return new codes.ERR_TEST_FAILURE(cause, failureType);
}

/**
 * The expected error of `expectFailure`: the value itself, or `match` of an object that has no other properties than `match`
 * and `label`; a string is only a label.
 */
function expectedError(expectation) {
  if (isRegExp(expectation) || typeof expectation === 'function') return expectation;
  if (expectation === null || typeof expectation !== 'object') return undefined;
  const isLabelled = ArrayEvery(ObjectKeys(expectation), (key) => key === 'match' || key === 'label');
  return isLabelled ? expectation.match : expectation;
}

/** Calls a test's function according to its parameters: with a callback, or without one, when it may return a promise. */
function call(fn, context) {
  if (fn.length < 2) return FunctionCall(fn, context, context);
  const { promise, resolve, reject } = PromiseWithResolvers();
  let isCalled = false;
  const result = FunctionCall(fn, context, context, (error) => {
    if (isCalled) throw testFailure('callback invoked multiple times', FAILURE.calls);
    isCalled = true;
    if (error) reject(error);
    else resolve();
  });
  if (typeof result?.then === 'function') {
    AnyThen(result, undefined, () => {}); // the next line rejects instead
    reject(testFailure('passed a callback but also returned a Promise', FAILURE.both));
  }
  return promise;
}

/** The outcome of `result`; fails if the time limit passes or the signal, by default the test's, aborts first. */
async function withTimeout(result, ms, test, signal = test.options?.signal) {
  if (signal?.aborted) {
    test.isCancelled = true;
    PromiseThen(PromiseResolve(result), undefined, () => {}); // the abort is the outcome
    throw testFailure(signal.reason, FAILURE.aborted);
  }
  const races = [result];
  let timer;
  if (ms !== undefined && ms !== Infinity) {
    const { promise: late, reject } = PromiseWithResolvers();
    timer = timers.setTimeout(() => {
      test.isCancelled = true;
      reject(testFailure(`test timed out after ${ms}ms`, FAILURE.timeout));
    }, ms);
    ArrayPush(races, late);
  }
  let onAbort;
  if (signal) {
    const { promise: aborted, reject } = PromiseWithResolvers();
    onAbort = () => {
      test.isCancelled = true;
      reject(testFailure(signal.reason, FAILURE.aborted));
    };
    signal.addEventListener('abort', onAbort, { once: true });
    ArrayPush(races, aborted);
  }
  try {
    return await (races.length === 1 ? result : PromiseRace(races));
  } finally {
    if (timer !== undefined) timers.clearTimeout(timer);
    if (onAbort !== undefined) signal.removeEventListener('abort', onAbort);
  }
}

module.exports = { FAILURE, testFailure, expectedError, call, withTimeout };
