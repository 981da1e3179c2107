// @ts-check
'use strict';
// Owns: `node:console`: the global console itself.
module.exports = globalThis.console;
