// @ts-check
'use strict';
// Owns: `node:console`: the global console itself.
const handedDown = require('internal/parts');
module.exports = handedDown.console;
