// @ts-check
'use strict';
// Owns: reportError: an error becomes one that nobody caught, without ending the function that reports it.

function reportError(error) {
  if (arguments.length === 0) throw new TypeError('Not enough arguments');
  host.reportException(error);
}

module.exports = { reportError };
