// @ts-check
'use strict';
// Owns: the write() of a socket whose other side has ended when half-open sockets are not allowed.

const Duplex = require('node/stream/duplex');
const { FunctionCall } = require('internal/primordials');
const { nextTick } = require('internal/timers');

function writeAfterEnd(chunk, encoding, callback) {
  if (this.writableEnded) {
    const error = new Error('This socket has been ended by the other party');
    error.code = 'EPIPE';
    if (typeof encoding === 'function') callback = encoding;
    if (typeof callback === 'function') nextTick(callback, error);
    this.destroy(error);
    return false;
  }
  return FunctionCall(Duplex.prototype.write, this, chunk, encoding, callback);
}

module.exports = { writeAfterEnd };
