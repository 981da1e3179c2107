// @ts-check
'use strict';
// Owns: the text of a file: URL for an absolute path, without a URL object.

const { RegExpReplace, StringToWellFormed } = require('internal/primordials');

const ESCAPED = /[^A-Za-z0-9\-_.!*'();:@&=+$,/]+/g;
const escaped = (text) => RegExpReplace(/~/g, encodeURIComponent(text), '%7E');

/** Percent-encodes what a URL's path cannot hold, what would end it (`?`, `#`) or be dropped (tab, newline), and as Node the tilde. */
function pathToHref(path) {
  return `file://${RegExpReplace(ESCAPED, StringToWellFormed(path), escaped)}`;
}

module.exports = { pathToHref };
