// @ts-check
'use strict';
// Owns: the module `bun`: the global Bun.

module.exports = require('rt/global').Bun;
