// @ts-check
'use strict';
// Owns: the module node:dgram.

const { Socket } = require('node/dgram/socket');

function createSocket(type, listener) {
  return new Socket(type, listener);
}

module.exports = { createSocket, Socket };
