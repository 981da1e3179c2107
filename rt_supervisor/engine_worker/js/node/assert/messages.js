// @ts-check
'use strict';
// Owns: the error of a failed assertion: the error that the caller passed, or an AssertionError with the caller's message.

const { ErrorToString, intact } = require('internal/primordials');
const { isError } = require('internal/brands');
const { codes } = require('internal/errors/errors');
const { AssertionError } = require('node/assert/error');

const ambiguous = (what) =>
  new codes.ERR_AMBIGUOUS_ARGUMENT('message', `The error message ${what} has trailing arguments that would be ignored.`);

/**
 * The caller's message: a format string with values, or a function that returns a message. Throws if it is an error.
 * @param {unknown[]} parts
 */
function messageOf(parts, actual, expected) {
  if (parts.length === 0) return undefined;
  const { 0: message } = parts;
  const isAlone = parts.length === 1;
  if (typeof message === 'string') return isAlone ? message : require('internal/inspect/format').format(...intact(parts));
  if (isError(message)) throw isAlone ? message : ambiguous(`was passed as error object "${ErrorToString(message)}"`);
  if (typeof message !== 'function') throw new codes.ERR_INVALID_ARG_TYPE('message', ['string', 'function'], message);
  if (!isAlone) throw ambiguous(`with function "${message.name || 'anonymous'}"`);
  try {
    const text = message(actual, expected);
    return typeof text === 'string' ? text : undefined;
  } catch {
    return undefined; // keep the generated message
  }
}

/**
 * Fails with the options of AssertionError; `message` is the list of the caller's message arguments.
 * @param {{ generatedMessage?: boolean, message: unknown[], [option: string]: any }} options
 */
function fail({ generatedMessage, message, ...options }) {
  const error = new AssertionError({ ...options, message: messageOf(message, options.actual, options.expected) });
  if (generatedMessage !== undefined) error.generatedMessage = generatedMessage;
  throw error;
}

module.exports = { fail };
