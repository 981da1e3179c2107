// @ts-check
'use strict';
// Owns: the module node:cluster: it is the primary's or a worker's.

const handedDown = require('internal/parts');
module.exports = handedDown.cluster !== undefined ? require('node/cluster/child').cluster : require('node/cluster/primary');
