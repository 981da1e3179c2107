// @ts-check
'use strict';
// Owns: the output of the global console: to the descriptor, or to a stream's `write` that a program has replaced.

const { ObjectHasOwn } = require('internal/primordials');
const { isStackOverflowError } = require('internal/errors/errors');

/** process.stdout and stderr, once the program has read or set them. */
const streams = { __proto__: null, stdout: undefined, stderr: undefined };

/**
 * Receives a copy of everything written to descriptors 1 and 2; in a worker, for its parent. @type {((descriptor: number,
 * chunk: any) => void) | undefined}
 */
let hear;
const setHearer = (hearer) => {
  hear = hearer;
};

/**
 * Prints a text above the prompt of `rt repl` and returns true, or returns false.
 * @type {((descriptor: number, chunk: any) => boolean) | undefined}
 */
let divert;
const setDiversion = (diversion) => {
  divert = diversion;
};

/** Writes a string or bytes to a descriptor. */
function write(descriptor, chunk) {
  if (divert !== undefined && divert(descriptor, chunk)) return;
  host.native.core_write(descriptor, chunk);
  if (hear !== undefined) hear(descriptor, chunk);
}

/** Prints console text, bypassing the streams unless a program has replaced `write` of one to capture the text. */
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

module.exports = { print, write, setDiversion, setHearer, streams };
