// @ts-check
'use strict';
// Owns: promises of import() that are answered without Python (native/src/program/imports.rs), after those who listen to
// `module.import` have been told.

const { PromiseThen } = require('internal/primordials');
const { PromiseResolve, PromiseWithResolvers } = require('internal/promises');
const handedDown = require('internal/parts');

/** A promise, and what settles it. */
function begin(specifier, importer) {
  const settle = handedDown.traceImport?.(specifier, importer);
  const { promise, resolve, reject } = PromiseWithResolvers();
  return {
    __proto__: null,
    promise,
    resolve(value) {
      settle?.(false, value);
      resolve(value);
    },
    reject(reason) {
      settle?.(true, reason);
      reject(reason);
    },
  };
}

/** `outcome` is the promise of the module, or undefined; one that is being evaluated (`isNow`) is had as it is. */
function evaluated(answer, outcome, namespace, isNow) {
  if (isNow) answer.resolve(namespace);
  else PromiseThen(PromiseResolve(outcome), () => answer.resolve(namespace), answer.reject);
}

module.exports = { begin, evaluated };
