// @ts-check
'use strict';
// Owns: the errors of node:sqlite that do not come from SQLite, and the argument checks that throw them.

function failure(Class, code, message) {
  const error = new Class(message);
  error.code = code;
  return error;
}

const invalidState = (message) => failure(Error, 'ERR_INVALID_STATE', message);
const invalidType = (message) => failure(TypeError, 'ERR_INVALID_ARG_TYPE', message);
const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';

function checkObject(value, name) {
  if (!isObject(value)) throw invalidType(`The "${name}" argument must be an object.`);
}

function checkString(value, name) {
  if (typeof value !== 'string') throw invalidType(`The "${name}" argument must be a string.`);
}

function checkBoolean(value, name) {
  if (typeof value !== 'boolean') throw invalidType(`The "${name}" argument must be a boolean.`);
}

function checkFunction(value, name) {
  if (typeof value !== 'function') throw invalidType(`The "${name}" argument must be a function.`);
}

function checkInt32(value, name) {
  if (typeof value !== 'number' || (value | 0) !== value) throw invalidType(`The "${name}" argument must be an integer.`);
}

/** `options[name]`, validated; `otherwise` if it is undefined. */
function option(options, name, check, otherwise = undefined) {
  const value = options[name];
  if (value === undefined) return otherwise;
  check(value, `options.${name}`);
  return value;
}

const illegalConstructor = () => failure(Error, 'ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor');
const illegalInvocation = () => new TypeError('Illegal invocation');

module.exports = {
  failure,
  invalidState,
  invalidType,
  illegalConstructor,
  illegalInvocation,
  isObject,
  option,
  checkObject,
  checkString,
  checkBoolean,
  checkFunction,
  checkInt32,
};
