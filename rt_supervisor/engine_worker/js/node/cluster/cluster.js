// @ts-check
'use strict';
// Owns: the module node:cluster, which says another thing in a worker.

const handedDown = require('internal/parts');
module.exports = handedDown.cluster !== undefined ? require('node/cluster/child').cluster : require('node/cluster/primary');
