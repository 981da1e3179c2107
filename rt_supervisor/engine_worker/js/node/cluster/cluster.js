// @ts-check
'use strict';
// Owns: the module node:cluster: the primary's or the worker's implementation.

const runtimeParts = require('internal/parts');
module.exports = runtimeParts.cluster !== undefined ? require('node/cluster/child').cluster : require('node/cluster/primary');
