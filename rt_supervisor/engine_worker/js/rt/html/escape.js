// @ts-check
'use strict';
// Owns: RT.escapeHTML: replaces the characters of a string that are special in HTML.

const { RegExpReplace } = require('internal/primordials');

const ESCAPES = { __proto__: null, '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#x27;' };
const escapeHTML = (text) => RegExpReplace(/[&<>"']/g, `${text}`, (character) => ESCAPES[character]);

module.exports = { escapeHTML };
