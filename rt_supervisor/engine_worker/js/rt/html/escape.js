// @ts-check
'use strict';
// RT.escapeHTML: replaces the characters of a text that are special in HTML.

const { RegExpReplace } = require('internal/primordials');

const ESCAPES = { __proto__: null, '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#x27;' };
const escapeHTML = (text) => RegExpReplace(/[&<>"']/g, `${text}`, (character) => ESCAPES[character]);

module.exports = { escapeHTML };
