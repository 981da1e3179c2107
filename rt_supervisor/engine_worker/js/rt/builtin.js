// @ts-check
'use strict';
// Owns: the module `rt`, also available as `bun`: its exports are the members of the RT global.

module.exports = require('rt/global').RT;
