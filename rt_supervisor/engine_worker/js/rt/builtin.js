// @ts-check
'use strict';
// Owns: the module `rt`: its exports are the members of the RT global.

module.exports = require('rt/global').RT;
