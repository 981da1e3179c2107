// @ts-check
'use strict';
// Owns: the module `rt`, under the peer's name too: the RT global, whose members are its exports.

module.exports = require('rt/global').RT;
