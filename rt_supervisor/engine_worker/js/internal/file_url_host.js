'use strict';
// Owns: file URLs to paths and back, by text alone: no URL class is needed for what modules ask.
const { RegExpReplace } = require('internal/primordials');

const SPECIAL = /[%\\\n\r\t ?#"<>`{}^|[\]]|[^\x20-\x7e]/g;

const pathToFileText = (path) =>
  `file://${RegExpReplace(SPECIAL, path, (character) =>
    character === '[' || character === ']' || character === '^' || character === '|'
      ? `%${character.charCodeAt(0).toString(16).toUpperCase()}`
      : encodeURIComponent(character),
  )}`;

function fileURLToPath(url) {
  const text = typeof url === 'string' ? url : url?.href;
  if (typeof text !== 'string') {
    const { ERR_INVALID_ARG_TYPE } = require('internal/errors/errors').codes;
    throw new ERR_INVALID_ARG_TYPE('path', ['string', 'URL'], url);
  }
  if (!text.startsWith('file:')) {
    const error = new TypeError('The URL must be of scheme file');
    error.code = 'ERR_INVALID_URL_SCHEME';
    throw error;
  }
  return decodeURIComponent(text.replace(/^file:(?:\/\/(?:localhost)?)?/, '').replace(/[?#].*$/, ''));
}

module.exports = { pathToFileText, fileURLToPath };
