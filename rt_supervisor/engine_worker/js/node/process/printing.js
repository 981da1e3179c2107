// @ts-check
'use strict';
// Owns: where the global console's text goes: to the descriptor, or to a `write` that a program has put in a stream's place.

const { ObjectHasOwn } = require('internal/primordials');
const { isStackOverflowError } = require('internal/errors/errors');

/** process.stdout and stderr, once somebody has asked for them. */
const streams = { __proto__: null, stdout: undefined, stderr: undefined };

/** What the console prints: past the streams, unless a program has put its own `write` there to see it. */
function print(name, descriptor, text) {
  const stream = streams[name];
  if (stream !== undefined && ObjectHasOwn(stream, 'write') && typeof stream.write === 'function') {
    try {
      stream.write(text);
    } catch (error) {
      if (isStackOverflowError(error)) throw error;
    }
  } else {
    host.native.core_write(descriptor, text);
  }
}

module.exports = { print, streams };
