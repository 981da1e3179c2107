exports.a = 1;
if (globalThis.nothing) module.exports = require('./nothing.cjs');
