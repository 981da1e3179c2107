// @ts-check
'use strict';
// Owns: the module node:cluster: the primary's or the worker's implementation.

const parts = require('internal/parts');
module.exports = parts.cluster !== undefined ? require('node/cluster/child').cluster : require('node/cluster/primary');
