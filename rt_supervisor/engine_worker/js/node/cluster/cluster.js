// @ts-check
'use strict';
// Owns: the module node:cluster: the primary's or the worker's implementation.

const handedDown = require('internal/parts');
module.exports = handedDown.cluster !== undefined ? require('node/cluster/child').cluster : require('node/cluster/primary');
