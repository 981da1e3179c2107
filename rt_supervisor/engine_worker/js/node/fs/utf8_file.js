// @ts-check
'use strict';
// Owns: the options of a Utf8Stream, and opening its file.

const { ArrayForEach } = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const {
  parseFileMode,
  validateBoolean,
  validateFunction,
  validateObject,
  validateOneOf,
  validateUint32,
} = require('internal/validators');

const MOST_AT_ONCE = 16 * 1024;
const CALLS = ['close', 'fsync', 'fsyncSync', 'mkdir', 'mkdirSync', 'open', 'openSync', 'write', 'writeSync'];

function checkOptions(settings) {
  const options = { append: true, fsync: false, mkdir: false, sync: false, ...settings };
  ArrayForEach(['append', 'fsync', 'mkdir', 'sync'], (name) => validateBoolean(options[name], `options.${name}`));
  ArrayForEach(['minLength', 'maxLength', 'periodicFlush'], (name) => {
    options[name] ||= 0;
    validateUint32(options[name], `options.${name}`);
  });
  options.maxWrite ||= MOST_AT_ONCE;
  validateUint32(options.maxWrite, 'options.maxWrite');
  options.contentMode ??= 'utf8';
  validateOneOf(options.contentMode, 'options.contentMode', ['buffer', 'utf8']);
  options.retryEAGAIN ??= () => true;
  validateFunction(options.retryEAGAIN, 'options.retryEAGAIN');
  options.fs ??= {};
  validateObject(options.fs, 'options.fs');
  ArrayForEach(CALLS, (name) => {
    if (options.fs[name] !== undefined) validateFunction(options.fs[name], `options.fs.${name}`);
  });
  if (options.minLength >= options.maxWrite)
    throw new codes.ERR_INVALID_ARG_VALUE(
      'minLength',
      options.minLength,
      `should be smaller than maxWrite (${options.maxWrite})`,
    );
  return options;
}

/**
 * Opens the file, creating its directory first if `mkdir` is set, then calls `done(error, fd)`. With `sync`, failures throw.
 */
function open(calls, file, { append, sync, mkdir, mode }, done) {
  const flags = append ? 'a' : 'w';
  if (mode !== undefined) mode = parseFileMode(mode, 'options.mode');
  const folder = require('node/path/path').dirname(file);
  if (sync) {
    if (mkdir) calls.mkdirSync(folder, { recursive: true });
    done(null, calls.openSync(file, flags, mode));
    return;
  }
  const start = () => calls.open(file, flags, mode, done);
  if (mkdir) calls.mkdir(folder, { recursive: true }, (error) => (error ? done(error) : start()));
  else start();
}

module.exports = { checkOptions, open };
