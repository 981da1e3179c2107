'use strict';
// Owns: `node:module`.
module.exports = require('./commonjs').Module;
