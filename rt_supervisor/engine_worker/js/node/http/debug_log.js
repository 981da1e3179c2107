// @ts-check
'use strict';
// Owns: the log of node:http on standard error (`NODE_DEBUG=http`): connections, requests and responses of servers and clients.
// Its lines begin as Node's; their wording is not part of an interface.

const { debuglog } = require('node/util/promisify');

module.exports = { debug: debuglog('http') };
