'use strict';
// Owns: process.execve: replaces this process with another program.

const {
  ArrayEvery,
  ArrayForEach,
  ArrayMap,
  ObjectDefineProperty,
  ObjectEntries,
  StringIncludes,
} = require('internal/primordials');
const native = host.native;
const runtimeParts = require('internal/parts');
const { codes } = require('internal/errors/errors');
const { validateArray, validateObject, validateString } = require('internal/validators');

const isText = (value) => typeof value === 'string' && !StringIncludes(value, '\0');

function execve(execPath, args = [], env = undefined) {
  const { process } = runtimeParts.process;
  require('node/process/warnings').warnOfExperiment('process.execve');
  if (runtimeParts.worker !== undefined) throw new codes.ERR_WORKER_UNSUPPORTED_OPERATION('Calling process.execve');
  validateString(execPath, 'execPath');
  validateArray(args, 'args');
  ArrayForEach(args, (argument, place) => {
    if (!isText(argument))
      throw new codes.ERR_INVALID_ARG_VALUE(`args[${place}]`, argument, 'must be a string without null bytes');
  });
  if (env !== undefined) validateObject(env, 'env');
  const variables = ObjectEntries(env ?? process.env);
  if (!ArrayEvery(variables, ({ 0: name, 1: value }) => isText(name) && isText(value))) {
    throw new codes.ERR_INVALID_ARG_VALUE('env', env, 'must be an object with string keys and values without null bytes');
  }
  runtimeParts.publish?.('process.execve', {
    execPath,
    args,
    env: ArrayMap(variables, ({ 0: name, 1: value }) => `${name}=${value}`),
  });
  native.process_execve(execPath, args, variables);
}
ObjectDefineProperty(execve, 'length', { __proto__: null, value: 1, configurable: true });

module.exports = { execve };
