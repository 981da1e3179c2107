'use strict';
// Owns: the location of a database, and its open options.

const { ObjectKeys, StringIncludes, StringStartsWith, TypedArrayTag } = require('internal/primordials');
const { failure, checkBoolean, checkInt32, checkObject, invalidType, isObject, option } = require('node/sqlite/errors');

const isUint8Array = (value) => TypedArrayTag(value) === 'Uint8Array';
// SQLite's limit numbers, in Node's order.
const LIMITS = {
  __proto__: null,
  length: 0,
  sqlLength: 1,
  column: 2,
  exprDepth: 3,
  compoundSelect: 4,
  vdbeOp: 5,
  functionArg: 6,
  attach: 7,
  likePatternLength: 8,
  variableNumber: 9,
  triggerDepth: 10,
};

/** A path as a string for SQLite; a URL is passed whole, because its query contains options. */
function pathOf(path) {
  if (isObject(path) && !isUint8Array(path) && typeof path.href === 'string' && !StringIncludes(path.href, '\0')) {
    if (StringStartsWith(path.href, 'file:')) return path.href;
    throw failure(TypeError, 'ERR_INVALID_URL_SCHEME', 'The URL must be of scheme file:');
  }
  const text = isUint8Array(path) ? host.native.decodeUtf8(path) : path;
  if (typeof text === 'string' && !StringIncludes(text, '\0')) return text;
  throw invalidType('The "path" argument must be a string, Uint8Array, or URL without null bytes.');
}

function limitsOf(options) {
  const values = options.limits;
  if (values === undefined) return undefined;
  checkObject(values, 'options.limits');
  const limits = { __proto__: null };
  const names = ObjectKeys(LIMITS);
  for (let index = 0; index < names.length; index++) {
    const name = names[index];
    const value = values[name];
    if (value === undefined) continue;
    checkInt32(value, `options.limits.${name}`);
    if (value < 0) {
      throw failure(RangeError, 'ERR_OUT_OF_RANGE', `The "options.limits.${name}" argument must be non-negative.`);
    }
    limits[name] = value;
  }
  return limits;
}

const flag = (options, name, otherwise) => option(options, name, checkBoolean, otherwise);

/** The options of a database, validated in Node's order. */
function settingsOf(options) {
  return {
    __proto__: null,
    open: flag(options, 'open', true),
    readOnly: flag(options, 'readOnly', false),
    foreignKeys: flag(options, 'enableForeignKeyConstraints', true),
    quotedLiterals: flag(options, 'enableDoubleQuotedStringLiterals', false),
    allowExtension: flag(options, 'allowExtension', false),
    timeout: option(options, 'timeout', checkInt32, 0),
    readBigInts: flag(options, 'readBigInts', false),
    returnArrays: flag(options, 'returnArrays', false),
    allowBareNamedParameters: flag(options, 'allowBareNamedParameters', true),
    allowUnknownNamedParameters: flag(options, 'allowUnknownNamedParameters', false),
    defensive: flag(options, 'defensive', true),
    limits: limitsOf(options),
  };
}

/** The settings of a statement: its own options, with those of the database as defaults. */
const statementSettings = (options, settings) => ({
  __proto__: null,
  readBigInts: flag(options, 'readBigInts', settings.readBigInts),
  returnArrays: flag(options, 'returnArrays', settings.returnArrays),
  allowBareNamedParameters: flag(options, 'allowBareNamedParameters', settings.allowBareNamedParameters),
  allowUnknownNamedParameters: flag(options, 'allowUnknownNamedParameters', settings.allowUnknownNamedParameters),
});

module.exports = { LIMITS, isUint8Array, pathOf, settingsOf, statementSettings };
