'use strict';
// Owns: `--insecure-http-parser`: whether parsers of node:http accept the insecure form of messages by default. A worker
// inherits the flag, or has its own `execArgv`.

const runtimeParts = require('internal/parts');
const { givenFlags } = require('internal/given_flags');
const { ArrayLastIndexOf } = require('internal/primordials');

let isInsecure;

/** Returns whether the flag was given; warns when a parser first uses it, as Node does. */
function isLenient() {
  if (isInsecure === undefined) {
    const words = givenFlags(runtimeParts.process.process);
    isInsecure = ArrayLastIndexOf(words, '--insecure-http-parser') > ArrayLastIndexOf(words, '--no-insecure-http-parser');
    if (isInsecure) runtimeParts.process.process.emitWarning('Using insecure HTTP parsing');
  }
  return isInsecure;
}

module.exports = { isLenient };
