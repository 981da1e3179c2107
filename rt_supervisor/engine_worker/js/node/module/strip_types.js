'use strict';
// Owns: module.stripTypeScriptTypes.

const { ObjectAssign } = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { validateObject, validateString } = require('internal/validators');

/** Replaces types with spaces, so that everything else keeps its position. */
function stripTypeScriptTypes(code, options = {}) {
  validateString(code, 'code');
  validateObject(options, 'options');
  const { mode = 'strip', sourceUrl } = options;
  if (mode !== 'strip') throw new codes.ERR_INVALID_ARG_VALUE('options.mode', mode, "must be one of: 'strip'");
  if (sourceUrl !== undefined) validateString(sourceUrl, 'options.sourceUrl');
  const { 0: stripped, 1: problem, 2: isTypeScript } = host.native.transpiler_strip(code);
  if (problem !== undefined) {
    const reason = isTypeScript ? 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX' : 'ERR_INVALID_TYPESCRIPT_SYNTAX';
    throw ObjectAssign(new SyntaxError(problem), { code: reason });
  }
  return sourceUrl === undefined ? stripped : `${stripped}\n\n//# sourceURL=${sourceUrl}`;
}

module.exports = { stripTypeScriptTypes };
