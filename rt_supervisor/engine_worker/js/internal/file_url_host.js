// @ts-check
'use strict';
// Owns: the path of a file URL, without the URL class, which the module loader does not need. `internal/file_url` has the
// inverse.
const { RegExpExec, RegExpTest, StringStartsWith } = require('internal/primordials');

function fileURLToPath(url) {
  const text = typeof url === 'string' ? url : url?.href;
  if (typeof text !== 'string') {
    const { ERR_INVALID_ARG_TYPE } = require('internal/errors/errors').codes;
    throw new ERR_INVALID_ARG_TYPE('path', ['string', 'URL'], url);
  }
  const codes = () => require('internal/errors/errors').codes;
  if (!StringStartsWith(text, 'file:')) throw new (codes().ERR_INVALID_URL_SCHEME)('file');
  const { 1: host, 2: path } = /** @type {RegExpExecArray} */ (
    RegExpExec(/^file:(?:\/\/([^/]*))?([^?#]*)/, text) // matches every file URL
  );
  if (host && host !== 'localhost') throw new (codes().ERR_INVALID_FILE_URL_HOST)('linux');
  if (RegExpTest(/%2f/i, path)) throw new (codes().ERR_INVALID_FILE_URL_PATH)('must not include encoded / characters', url);
  return decodeURIComponent(path);
}

module.exports = { fileURLToPath };
