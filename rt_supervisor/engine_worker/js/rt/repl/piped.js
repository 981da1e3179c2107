'use strict';
// Owns: a REPL whose input is not a terminal: line after line without prompts; an input ends where the parser finds it complete.

const runtimeParts = require('internal/parts');
const { StringIndexOf, StringSlice, StringTrim } = require('internal/primordials');

/** Reads standard input to its end, one input at a time. */
function readInput(session) {
  const { process } = runtimeParts.process;
  let unread = '';
  let pending = ''; // lines of an input that is incomplete
  let isBusy = false;
  let hasEnded = false;

  const next = () => {
    isBusy = false;
    advance();
  };

  const handle = (text) => {
    isBusy = true;
    session.handle(text, next);
  };

  const handleLine = (line) => {
    const text = pending === '' ? line : `${pending}\n${line}`;
    const isComplete = host.native.replIsComplete(text);
    pending = isComplete ? '' : text;
    if (isComplete && StringTrim(text) !== '') handle(text);
  };

  const advance = () => {
    while (!isBusy) {
      const end = StringIndexOf(unread, '\n');
      if (end < 0 && !hasEnded) return;
      if (end < 0 && unread === '') {
        if (pending === '') process.exit();
        const rest = pending;
        pending = '';
        handle(rest); // reports what is missing
        return;
      }
      const line = end < 0 ? unread : StringSlice(unread, 0, end);
      unread = end < 0 ? '' : StringSlice(unread, end + 1);
      handleLine(line);
    }
  };

  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (text) => {
    unread += text;
    advance();
  });
  process.stdin.on('end', () => {
    hasEnded = true;
    advance();
  });
}

module.exports = { readInput };
