// @ts-check
'use strict';
// Owns: the errors of crypto.subtle: DOMExceptions with their causes.

const { ObjectDefineProperty, SetAdd, SetHas } = require('internal/primordials');
const { DOMException } = require('internal/dom_exception');

function failure(message, name, cause) {
  const error = new DOMException(message, name);
  if (cause !== undefined)
    ObjectDefineProperty(error, 'cause', { __proto__: null, value: cause, writable: true, configurable: true });
  return error;
}

/** @param {unknown} [cause] */
const operationError = (cause) => failure('The operation failed for an operation-specific reason', 'OperationError', cause);

/** Awaits a native operation; its failure becomes an OperationError. */
async function awaitOperation(promise) {
  try {
    return await promise;
  } catch (error) {
    throw operationError(error);
  }
}

const warned = new Set();
function warnOfExperiment(what) {
  if (SetHas(warned, what)) return;
  SetAdd(warned, what);
  host.emitWarning(`${what} is an experimental feature and might change at any time`, 'ExperimentalWarning');
}

module.exports = { failure, operationError, awaitOperation, warnOfExperiment };
