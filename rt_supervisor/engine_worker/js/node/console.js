// @ts-check
'use strict';
// Owns: `node:console`: the global console itself.
const parts = require('internal/parts');
module.exports = parts.console;
