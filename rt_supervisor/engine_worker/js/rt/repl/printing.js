'use strict';
// Owns: how results and errors are printed: results as console.log prints them, strings in quotes; errors with their source.

const report = require('internal/errors/report');
const { print } = require('node/process/printing');

const write = (text) => print('stdout', 1, text);

function resultText(value, colors = host.stdoutHasColors()) {
  try {
    return require('rt/terminal/inspect').inspect(value, { colors });
  } catch (error) {
    return `[a value that cannot be printed: ${report.thrownText(error)}]`;
  }
}

function errorText(error) {
  try {
    return report.thrownText(error, { colors: host.stdoutHasColors() });
  } catch {
    return 'error: something was thrown that cannot be printed\n';
  }
}

/** Prints { value } or { error }. */
function printOutcome(outcome) {
  write('error' in outcome ? errorText(outcome.error) : `${resultText(outcome.value)}\n`);
}

module.exports = { errorText, printOutcome, resultText, write };
