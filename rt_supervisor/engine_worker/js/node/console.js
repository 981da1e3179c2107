// @ts-check
'use strict';
// Owns: `node:console`: the global console itself.
const runtimeParts = require('internal/parts');
module.exports = runtimeParts.console;
