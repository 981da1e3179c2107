'use strict';
// Owns: node:tty: isatty, and the classes of streams on terminals.

const isDescriptor = (value) => Number.isInteger(value) && value >= 0 && value <= 2147483647;
const isatty = (descriptor) => isDescriptor(descriptor) && host.native.core_isTerminal(descriptor);

module.exports = { isatty };
for (const [name, file, key] of [
  ['ReadStream', 'node/process/standard_input', 'TerminalInput'],
  ['WriteStream', 'node/process/standard_output', 'TerminalOutput'],
]) {
  Object.defineProperty(module.exports, name, {
    __proto__: null,
    enumerable: true,
    configurable: true,
    get: () => require(file)[key],
  });
}
