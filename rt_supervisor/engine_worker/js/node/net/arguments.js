// @ts-check
'use strict';
// Owns: the arguments of connect and listen, in all their forms, normalised to one object and a callback.

const { ArrayAt } = require('internal/primordials');
const { validatePort, validateString } = require('internal/validators');
const { codes } = require('internal/errors/errors');

const toNumber = (value) => (Number(value) >= 0 ? Number(value) : false);
/** Whether `value` is a pipe path: a string that is not a number. */
const isPath = (value) => typeof value === 'string' && toNumber(value) === false;

/** Normalises (options | path | port[, host])[, callback] to [options, callback or null]. */
function normalizeArgs(args) {
  if (args.length === 0) return [{}, null];
  const { 0: first } = args;
  let options = {};
  if (typeof first === 'object' && first !== null) options = first;
  else if (isPath(first)) options.path = first;
  else {
    options.port = first;
    if (args.length > 1 && typeof args[1] === 'string') options.host = args[1];
  }
  const callback = ArrayAt(args, -1);
  return [options, typeof callback === 'function' ? callback : null];
}

/** Validates the target of a connection. */
function checkTarget(options) {
  const { port, path, host, localAddress, localPort } = options;
  if (path) {
    validateString(path, 'options.path');
    return;
  }
  if (port === undefined) throw new codes.ERR_MISSING_ARGS(['options', 'port', 'path']);
  if (typeof port !== 'number' && typeof port !== 'string')
    throw new codes.ERR_INVALID_ARG_TYPE('options.port', ['number', 'string'], port);
  validatePort(port);
  if (host !== undefined && host !== null) validateString(host, 'options.host');
  const { isIP } = require('node/net/address');
  if (localAddress && !isIP(localAddress)) throw new codes.ERR_INVALID_IP_ADDRESS(localAddress);
  if (localPort) require('internal/validators').validateNumber(localPort, 'options.localPort');
}

module.exports = { normalizeArgs, checkTarget, isPath };
