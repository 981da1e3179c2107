'use strict';
// Owns: node:tty, as far as it is there: isatty. The terminal's streams are process.stdin, stdout and stderr.

function isatty(descriptor) {
  return Number.isInteger(descriptor) && descriptor >= 0 && descriptor <= 2147483647 && host.native.core_isTerminal(descriptor);
}

module.exports = { isatty };
