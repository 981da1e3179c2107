// @ts-check
'use strict';
// Owns: where the global console's text goes: to the descriptor, or to a stream's `write` that a program has replaced.

const { ObjectHasOwn } = require('internal/primordials');
const { isStackOverflowError } = require('internal/errors/errors');

/** process.stdout and stderr, once the program has read or set them. */
const streams = { __proto__: null, stdout: undefined, stderr: undefined };

/** Who hears what is written to descriptors 1 and 2, too: in a worker its parent. @type {((descriptor: number, chunk: any) => void) | undefined} */
let hear;
const setHearer = (hearer) => {
  hear = hearer;
};

/** Write text or bytes to a descriptor. */
function write(descriptor, chunk) {
  host.native.core_write(descriptor, chunk);
  if (hear !== undefined) hear(descriptor, chunk);
}

/** Print text of the console: past the streams, unless a program has given one its own `write`, to see the text. */
function print(name, descriptor, text) {
  const stream = streams[name];
  if (stream !== undefined && ObjectHasOwn(stream, 'write') && typeof stream.write === 'function') {
    try {
      stream.write(text);
    } catch (error) {
      if (isStackOverflowError(error)) throw error;
    }
  } else {
    write(descriptor, text);
  }
}

module.exports = { print, write, setHearer, streams };
