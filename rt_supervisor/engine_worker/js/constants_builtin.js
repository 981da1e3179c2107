'use strict';
// Owns: node:constants: the constants of node:os and node:fs in one object, as old packages ask for them.

const { constants } = require('./os');

module.exports = { ...constants.dlopen, ...constants.errno, ...constants.priority, ...constants.signals, ...require('./fs').constants };
