// @ts-check
'use strict';
// Owns: observing what a program writes to an outgoing message of node:http, without changing it.

const { isUint8Array } = require('internal/brands');
const { FunctionCall } = require('internal/primordials');

/**
 * Calls `onChunk` with the bytes of each `write` and `end` of the message, and `onEnd` after `end`.
 * @param {any} message @param {(bytes: Uint8Array) => void} onChunk @param {() => void} [onEnd]
 */
function observeBody(message, onChunk, onEnd = undefined) {
  const { Buffer } = require('node/buffer/buffer');
  const observe = (chunk, encoding) => {
    if (typeof chunk === 'string') onChunk(Buffer.from(chunk, typeof encoding === 'string' ? encoding : undefined));
    else if (isUint8Array(chunk)) onChunk(chunk);
  };
  const { write, end } = message;
  function observedWrite(chunk, encoding, callback) {
    observe(chunk, encoding);
    return FunctionCall(write, this, chunk, encoding, callback);
  }
  message.write = observedWrite;
  function observedEnd(chunk, encoding, callback) {
    observe(chunk, encoding);
    const result = FunctionCall(end, this, chunk, encoding, callback);
    onEnd?.();
    return result;
  }
  message.end = observedEnd;
}

module.exports = { observeBody };
