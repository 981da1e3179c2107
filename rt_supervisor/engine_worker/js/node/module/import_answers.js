// @ts-check
'use strict';
// Owns: promises of import() (native/src/program/imports.rs), which settle after subscribers of `module.import` were notified.

const { isError } = require('internal/brands');
const { PromiseThen, RegExpExec, StringReplace } = require('internal/primordials');
const startValues = require('internal/start_values');
const { PromiseResolve, PromiseWithResolvers } = require('internal/promises');
const runtimeParts = require('internal/parts');

/** Creates a promise and its resolvers; that of `import.source()` and `import.defer()` gets the default export of its module. */
function begin(specifier, importer, isDefault) {
  const settle = runtimeParts.traceImport?.(specifier, importer);
  const { promise, resolve, reject } = PromiseWithResolvers();
  return {
    __proto__: null,
    promise,
    resolve(namespace) {
      const value = isDefault ? namespace.default : namespace;
      settle?.(false, value);
      resolve(value);
    },
    reject(reason) {
      settle?.(true, reason);
      reject(reason);
    },
  };
}

/** Loads the module of an import() in a microtask. */
function soon(answer, specifier, importer) {
  PromiseThen(PromiseResolve(undefined), () => host.native.modules_loadImport(answer, specifier, importer));
}

const COMMONJS_NAME = /^(require|module|exports|__filename|__dirname) is not defined$/;

/** Returns the advice to rename a `.js` file that its package makes an ES module, if the first frame of `stack` is in one. */
function renaming(stack) {
  const file = RegExpExec(/^ {4}at (?:.*\()?(\/.*\.js)(?:[?#][^:]*)?:\d+:\d+\)?$/m, stack)?.[1];
  if (file === undefined || require('node/module/formats').formatOf(file) !== 'module') return '';
  const manifest = require('node/module/formats').manifestOf(file);
  return (
    "\nThis file is being treated as an ES module because it has a '.js' file extension and " +
    `'${manifest}' contains "type": "module". To treat it as a CommonJS script, rename it to use the '.cjs' file extension.`
  );
}

/** Adds to the error of an ES module that uses a variable of CommonJS what Node adds, if the program sees Node only. */
function explain(reason) {
  if (startValues.programName !== 'node' || !isError(reason) || reason.name !== 'ReferenceError') return reason;
  const name = RegExpExec(COMMONJS_NAME, reason.message)?.[1];
  if (name === undefined) return reason;
  const before = reason.message;
  const remedy = name === 'require' ? ', you can use import instead' : '';
  const { stack } = reason;
  reason.message += ` in ES module scope${remedy}${typeof stack === 'string' ? renaming(stack) : ''}`;
  if (typeof stack === 'string') reason.stack = StringReplace(stack, before, () => reason.message);
  return reason;
}

/** `outcome` is the module's promise, or undefined; a module under evaluation (`isNow`) resolves as it is. */
function evaluated(answer, outcome, namespace, isNow) {
  if (isNow) answer.resolve(namespace);
  else
    PromiseThen(
      PromiseResolve(outcome),
      () => answer.resolve(namespace),
      (reason) => answer.reject(explain(reason)),
    );
}

module.exports = { begin, soon, evaluated, explain };
