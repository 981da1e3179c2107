// @ts-check
'use strict';
// Owns: the ports of the debuggers of child processes: those after the port of this process, in turn.

const runtimeParts = require('internal/parts');

const LEAST = 1024;
const MOST = 65535;
let last = 0;

/** The port after this process's own and those assigned before. */
function nextPort() {
  const port = runtimeParts.process.process.debugPort + ++last;
  return port > MOST ? port - MOST + LEAST - 1 : port;
}

module.exports = { nextPort };
