// @ts-check
'use strict';
// Owns: util.parseEnv and the variables of process.loadEnvFile. Natively parsed, as the files of --env-file are: Node's form in a
// program that sees Node only, Bun's in others.

const startValues = require('internal/start_values');

/** The variables in the text of a .env file, as an object without a prototype; they are not expanded. */
function variablesOf(text) {
  const pairs = host.native.process_parseEnv(text, startValues.programName === 'node');
  const variables = { __proto__: null };
  for (let index = 0; index < pairs.length; index += 2) variables[pairs[index]] = pairs[index + 1];
  return variables;
}

function parseEnv(content) {
  require('internal/validators').validateString(content, 'content');
  return variablesOf(content);
}

module.exports = { parseEnv, variablesOf };
