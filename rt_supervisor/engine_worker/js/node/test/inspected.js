'use strict';
// Owns: files of tests that are debugged: the ports on which their processes listen, and what those say of the debugger.

const { ArrayFilter, ArrayJoin, ArrayMap, ArraySome, RegExpExec, RegExpTest, StringSplit } = require('internal/primordials'); // prettier-ignore
const handedDown = require('internal/parts');
const { validatePort } = require('internal/validators');

const { 0: LEAST, 1: MOST } = [1024, 65535];
const FLAG = /^--inspect(?:-brk|-wait)?(?:=|$)/;
const MESSAGE =
  /^(?:-+ rt inspector -+|Debugger (?:listening on|attached)|Listening:|Inspect in browser:| {2}(?:ws|chrome):|Waiting for the debugger to)/;

/** Whether this process was told to debug, which means the processes of files. */
const isAsked = () => ArraySome(handedDown.process.process.execArgv, (word) => RegExpTest(FLAG, word));

let last = 0;

/** The port after the own one, and after those that were given before. */
function nextPort() {
  const port = handedDown.process.process.debugPort + ++last;
  return port > MOST ? port - MOST + LEAST - 1 : port;
}

/**
 * Flags of a process that listens on the port that `given` says, a number or what gives the next one; where it says none, they stay
 * as they are. Throws for what is no port.
 */
function withPort(words, given) {
  if (given === undefined || !ArraySome(words, (word) => RegExpTest(FLAG, word))) return words;
  const port = typeof given === 'function' ? given() : given;
  validatePort(port);
  return ArrayMap(words, (word) => {
    if (!RegExpTest(FLAG, word)) return word;
    const { 1: name, 2: hostname = '' } = RegExpExec(/^([^=]+)(?:=(.*:)?.*)?$/, word);
    return `${name}=${hostname}${port}`;
  });
}

/** What a process says of its debugger, and all else that it writes to its standard error. */
function splitMessages(text) {
  const lines = StringSplit(text, '\n');
  const told = ArrayFilter(lines, (line) => RegExpTest(MESSAGE, line));
  const rest = ArrayFilter(lines, (line) => !RegExpTest(MESSAGE, line));
  return [told.length > 0 ? `${ArrayJoin(told, '\n')}\n` : '', ArrayJoin(rest, '\n')];
}

module.exports = { isAsked, nextPort, withPort, splitMessages };
