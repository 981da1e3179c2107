// @ts-check
'use strict';
// Owns: the file: URL of an absolute path, as a string without a URL object.

const { RegExpReplace, StringToWellFormed } = require('internal/primordials');

const ESCAPED = /[^A-Za-z0-9\-_.!*'();:@&=+$,/]+/g;
const encodeComponent = (text) => RegExpReplace(/~/g, encodeURIComponent(text), '%7E');

/**
 * Percent-encodes characters that are invalid in a URL's path, that would end it (`?`, `#`) or be dropped (tab, newline), and
 * the tilde, as Node does.
 */
function pathToHref(path) {
  return `file://${RegExpReplace(ESCAPED, StringToWellFormed(path), encodeComponent)}`;
}

module.exports = { pathToHref };
