// @ts-check
'use strict';
// Owns: node:tty: isatty, and the classes of streams on terminals.

const { defineLazily } = require('internal/lazy');
const { NumberIsInteger, intact } = require('internal/primordials');
const isDescriptor = (value) => NumberIsInteger(value) && value >= 0 && value <= 2147483647;
const isatty = (descriptor) => isDescriptor(descriptor) && host.native.core_isTerminal(descriptor);

module.exports = { isatty };
for (const { 0: name, 1: file, 2: key } of intact([
  ['ReadStream', 'node/tty_input', 'ReadStream'],
  ['WriteStream', 'node/process/standard_output', 'TerminalOutput'],
])) {
  defineLazily(module.exports, name, () => require(file)[key]);
}
