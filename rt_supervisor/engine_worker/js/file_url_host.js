'use strict';
// Owns: file URLs to paths and back, by text alone: no URL class is needed for what modules ask.
const SPECIAL = /[%\\\n\r\t ?#"<>`{}^|[\]]|[^\x20-\x7e]/g;

const pathToFileText = (path) => `file://${path.replace(SPECIAL, (character) => (character === '[' || character === ']' || character === '^' || character === '|'
  ? `%${character.charCodeAt(0).toString(16).toUpperCase()}` : encodeURIComponent(character)))}`;

function fileURLToPath(url) {
  const text = typeof url === 'string' ? url : url?.href;
  if (typeof text !== 'string') {
    const { ERR_INVALID_ARG_TYPE } = require('./errors').codes;
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
