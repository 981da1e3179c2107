// @ts-check
'use strict';
// Owns: reportError: handles an error as uncaught without interrupting the calling function.

function reportError(error) {
  if (arguments.length === 0) throw new TypeError('Not enough arguments');
  host.reportException(error);
}

module.exports = { reportError };
