'use strict';
// Owns: node:constants: the constants of node:os and node:fs in one object, for old packages.

const { ObjectFreeze } = require('internal/primordials');
const { constants } = require('node/os');

module.exports = ObjectFreeze({
  ...constants.dlopen,
  ...constants.errno,
  ...constants.priority,
  ...constants.signals,
  ...require('node/fs/fs').constants,
  ...require('node/crypto/constants').constants,
});
