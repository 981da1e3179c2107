// @ts-check
'use strict';
// Owns: promises of import() (native/src/program/imports.rs), which settle after subscribers of `module.import` were notified.

const { PromiseThen } = require('internal/primordials');
const { PromiseResolve, PromiseWithResolvers } = require('internal/promises');
const runtimeParts = require('internal/parts');

/** Creates a promise and its resolvers; that of `import.source()` gets the default export of its module. */
function begin(specifier, importer, isSource) {
  const settle = runtimeParts.traceImport?.(specifier, importer);
  const { promise, resolve, reject } = PromiseWithResolvers();
  return {
    __proto__: null,
    promise,
    resolve(namespace) {
      const value = isSource ? namespace.default : namespace;
      settle?.(false, value);
      resolve(value);
    },
    reject(reason) {
      settle?.(true, reason);
      reject(reason);
    },
  };
}

/** `outcome` is the module's promise, or undefined; a module under evaluation (`isNow`) resolves as it is. */
function evaluated(answer, outcome, namespace, isNow) {
  if (isNow) answer.resolve(namespace);
  else PromiseThen(PromiseResolve(outcome), () => answer.resolve(namespace), answer.reject);
}

module.exports = { begin, evaluated };
