'use strict';
// Owns: debugging of test files: the inspector ports of their processes, and the processes' debugger messages.

const { ArrayFilter, ArrayJoin, ArrayMap, ArraySome, RegExpExec, RegExpTest, StringSplit } = require('internal/primordials'); // prettier-ignore
const runtimeParts = require('internal/parts');
const { validatePort } = require('internal/validators');
const { nextPort } = require('internal/inspector_ports');

const FLAG = /^--inspect(?:-brk|-wait)?(?:=|$)/;
const MESSAGE =
  /^(?:-+ rt inspector -+|Debugger (?:listening on|attached)|For help, see:|Listening:|Inspect in browser:| {2}(?:wss?|https?):\/\/\S*[:#]|Waiting for the debugger to)/;

/** Whether this process was started with an inspector flag, which then applies to the processes of files. */
const isRequested = () => ArraySome(runtimeParts.process.process.execArgv, (word) => RegExpTest(FLAG, word));

/**
 * The flags of a process that listens on `inspectPort`, a number or a function that returns the next one; unchanged if it
 * is undefined. Throws for an invalid port.
 */
function withPort(words, inspectPort) {
  if (inspectPort === undefined || !ArraySome(words, (word) => RegExpTest(FLAG, word))) return words;
  const port = typeof inspectPort === 'function' ? inspectPort() : inspectPort;
  validatePort(port);
  return ArrayMap(words, (word) => {
    if (!RegExpTest(FLAG, word)) return word;
    const { 1: name, 2: hostname = '' } = RegExpExec(/^([^=]+)(?:=(.*:)?.*)?$/, word);
    return `${name}=${hostname}${port}`;
  });
}

/** Splits a process's standard error into debugger messages and everything else. */
function splitMessages(text) {
  const lines = StringSplit(text, '\n');
  const messages = ArrayFilter(lines, (line) => RegExpTest(MESSAGE, line));
  const rest = ArrayFilter(lines, (line) => !RegExpTest(MESSAGE, line));
  return [messages.length > 0 ? `${ArrayJoin(messages, '\n')}\n` : '', ArrayJoin(rest, '\n')];
}

module.exports = { isRequested, nextPort, withPort, splitMessages };
