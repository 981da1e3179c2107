'use strict';
// Owns: the text of a file: URL for an absolute path, without a URL object.

const { RegExpReplace } = require('./primordials');

const ESCAPED = /[%\\\n\r\t?# ]|[^\x20-\x7e]+|["<>`{}^|]/gu;

/** Percent-encodes what a URL's path cannot hold, and what would end it (`?`, `#`) or be dropped (tab, newline). */
function pathToHref(path) {
  return `file://${RegExpReplace(ESCAPED, path.toWellFormed(), encodeCharacters)}`;
}

const encodeCharacters = (text) => {
  if (text === '|' || text === '^') return text === '^' ? '%5E' : text;
  return encodeURIComponent(text);
};

module.exports = { pathToHref };
