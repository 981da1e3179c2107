// @ts-check
'use strict';
// Owns: a request of `node/fs/requests`, or a callback form, as a promise. Errors created by the loop have no stack frames;
// they receive those of the awaiting async functions.

const { ErrorCaptureStackTrace, PromiseThen } = require('internal/primordials');

const { isError } = require('internal/brands');
const context = require('internal/async/context');

/** Binds `done` to a resource of node:async_hooks. @type {<F extends Function>(done: F) => F} */
const bindDone = (done) => (context.isUsed ? context.bind(done, 'FSREQPROMISE') : done);

function withStack(error) {
  if (isError(error)) ErrorCaptureStackTrace(error, withStack);
  throw error;
}

/** Promises the outcome of `work(done)`. */
const promiseOf = (work) =>
  PromiseThen(
    new Promise((resolve, reject) => {
      work(bindDone((error, value) => (error ? reject(error) : resolve(value))));
    }),
    undefined,
    withStack,
  );

/** Promises the outcome of a request. @param {readonly (Function | undefined)[]} request */
const promiseRequest = ({ 0: start, 1: convert }) =>
  PromiseThen(
    new Promise((resolve, reject) => {
      const done = (error, value) => {
        if (error) {
          reject(error);
          return;
        }
        try {
          resolve(convert === undefined ? value : convert(value));
        } catch (problem) {
          reject(problem);
        }
      };
      /** @type {Function} */ (start)(bindDone(done));
    }),
    undefined,
    withStack,
  );

module.exports = { promiseRequest, promiseOf };
