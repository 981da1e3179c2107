if (globalThis.nothing) module.exports = require('./nothing.cjs');
else module.exports = require('./other_part.cjs');
