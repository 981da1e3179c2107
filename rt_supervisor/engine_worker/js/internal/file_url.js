// @ts-check
'use strict';
// Owns: the text of a file: URL for an absolute path, without a URL object.

const { RegExpReplace, StringToWellFormed } = require('internal/primordials');

const ESCAPED = /[^A-Za-z0-9\-_.!~*'();:@&=+$,/]+/g;

/** Percent-encodes what a URL's path cannot hold, and what would end it (`?`, `#`) or be dropped (tab, newline). */
function pathToHref(path) {
  return `file://${RegExpReplace(ESCAPED, StringToWellFormed(path), (text) => encodeURIComponent(text))}`;
}

module.exports = { pathToHref };
