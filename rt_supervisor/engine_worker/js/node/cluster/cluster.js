'use strict';
// Owns: the module node:cluster, which says another thing in a worker.

module.exports = host.cluster !== undefined ? require('node/cluster/child').cluster : require('node/cluster/primary');
