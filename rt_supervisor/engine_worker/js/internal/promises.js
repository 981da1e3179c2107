// @ts-check
'use strict';
// Owns: operations on built-in promises that work after a program has replaced `then` or Promise's static methods, which the
// built-in operations look up by name.

const { FunctionBind, PromiseThen, setOwn } = require('internal/primordials');

const { Promise } = globalThis;
const PromiseResolve = FunctionBind(Promise.resolve, Promise);
const PromiseReject = FunctionBind(Promise.reject, Promise);
const PromiseWithResolvers = FunctionBind(Promise.withResolvers, Promise);

const PromiseCatch = (promise, onRejected) => PromiseThen(promise, undefined, onRejected);

function PromiseFinally(promise, work) {
  return PromiseThen(
    promise,
    (value) => PromiseThen(PromiseResolve(work()), () => value),
    (error) =>
      PromiseThen(PromiseResolve(work()), () => {
        throw error;
      }),
  );
}

/** Promise.all of an array. */
function PromiseAll(list) {
  return new Promise((resolve, reject) => {
    const values = [];
    let remaining = list.length;
    if (remaining === 0) resolve(values);
    for (let index = 0; index < list.length; index++) {
      const done = (value) => {
        setOwn(values, index, value);
        if (--remaining === 0) resolve(values);
      };
      PromiseThen(PromiseResolve(list[index]), done, reject);
    }
  });
}

/** Promise.race of an array. */
function PromiseRace(list) {
  return new Promise((resolve, reject) => {
    for (let index = 0; index < list.length; index++) PromiseThen(PromiseResolve(list[index]), resolve, reject);
  });
}

/** Promise.allSettled of an array. */
function PromiseAllSettled(list) {
  const settled = [];
  for (let index = 0; index < list.length; index++) {
    settled[index] = PromiseThen(
      PromiseResolve(list[index]),
      (value) => ({ status: 'fulfilled', value }),
      (reason) => ({ status: 'rejected', reason }),
    );
  }
  return PromiseAll(settled);
}

module.exports = {
  PromiseAll,
  PromiseAllSettled,
  PromiseCatch,
  PromiseFinally,
  PromiseRace,
  PromiseReject,
  PromiseResolve,
  PromiseWithResolvers,
};
