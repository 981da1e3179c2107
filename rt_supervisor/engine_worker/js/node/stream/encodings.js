// @ts-check
'use strict';
// Owns: validation of encoding names for streams.

const { codes } = require('internal/errors/errors');

const isEncoding = (name) =>
  typeof name === 'string' && name !== '' && require('internal/encodings').normalizeEncoding(name) !== undefined;

/** The validated default encoding. */
function checkEncoding(name) {
  if (name === undefined || name === null || name === 'utf8' || name === 'utf-8') return 'utf8';
  if (!isEncoding(name)) throw new codes.ERR_UNKNOWN_ENCODING(name);
  return name;
}

module.exports = { isEncoding, checkEncoding };
