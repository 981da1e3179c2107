// @ts-check
'use strict';
// Owns: the REPL's text for an error: without the stack frames below the line, and with a hint for a static import.

const { RegExpSplit } = require('internal/patterns');
const { codes } = require('internal/errors/errors');
const {
  ObjectDefineProperty,
  RegExpReplace,
  RegExpTest,
  StringAt,
  StringEndsWith,
  StringReplace,
  StringSlice,
  StringStartsWith,
  StringTrimEnd,
  intact,
} = require('internal/primordials');

/** The frame of the last line itself, and those below it. */
const SINCE_LINE = /^\s+at REPL\d+:\d+:\d+\n?(?:\s+at (?!REPL\d).*\n?)*(?![^]*^\s+at REPL\d+:\d+:\d+$)/m;
const FRAME_OF_LIBRARY = /^\s+at .*(?:\(node:|\(rt:|node:internal|<anonymous>:\d+).*\n?/gm;

/** Adds the equivalent dynamic import to the message of an error about a static one. */
function hintAtImport(error, line) {
  const { asDynamicImports } = require('node/repl/static_imports');
  const { message } = error;
  error.message = `Cannot use import statement inside the Node.js REPL, alternatively use dynamic import: ${asDynamicImports(line)}`;
  error.stack = StringReplace(error.stack, message, () => error.message);
}

function shortenStack(error) {
  const { stack } = error;
  const shown =
    error.name === 'SyntaxError'
      ? RegExpReplace(/^\s+at\s.*\n?/gm, RegExpReplace(/^REPL\d+:\d+\r?\n/, stack, ''), '')
      : RegExpReplace(FRAME_OF_LIBRARY, RegExpReplace(SINCE_LINE, stack, ''), '');
  const isCoded = typeof error.code === 'string' && codes[error.code] !== undefined && error instanceof codes[error.code];
  const head = isCoded && StringStartsWith(shown, `${error.name}:`) ? `${error.name} [${error.code}]` : '';
  const value = StringTrimEnd(head === '' ? shown : head + StringSlice(shown, error.name.length));
  try {
    ObjectDefineProperty(error, 'stack', { __proto__: null, value, writable: true, configurable: true });
  } catch {
    // the error is frozen
  }
}

/** Formats an error; `line` was evaluated last, and a text wider than `width` columns starts on its own line. */
function textOf(error, writer, { line, width }) {
  if (error instanceof SyntaxError && RegExpTest(/^Cannot use import statement/, error.message)) hintAtImport(error, line);
  if (typeof error === 'object' && error !== null && typeof error.stack === 'string' && error.name !== undefined)
    shortenStack(error);
  let text = writer(error);
  if (text[0] === '[' && StringAt(text, -1) === ']' && typeof error === 'object') text = StringSlice(text, 1, -1);
  else text = RegExpReplace(/^\[(\w*Error[^]*?)\](?= \{$)/m, text, (_, inner) => inner); // without frames
  const rows = RegExpSplit(/(?<=\n)/, text);
  let isMatched = false;
  text = '';
  for (const row of intact(rows)) {
    if (!isMatched && RegExpTest(/^\[?([A-Z][a-z0-9_]*)*Error/, row)) {
      text += row.length > width ? `Uncaught:\n${row}` : `Uncaught ${row}`;
      isMatched = true;
    } else text += row;
  }
  if (!isMatched) text = `Uncaught${rows.length === 1 ? ' ' : ':\n'}${text}`;
  return StringEndsWith(text, '\n') ? text : `${text}\n`;
}

module.exports = { textOf };
