// @ts-check
'use strict';
// Owns: the source of a call of assert, for the message of what was not true: found by the frame of the call, in the author's
// text. It reads no syntax but brackets, strings and comments.

const {
  ErrorCaptureStackTrace,
  RegExpExec,
  RegExpTest,
  StringIncludes,
  StringIndexOf,
  StringSlice,
} = require('internal/primordials');
const native = host.native;

/** Where the call that opens at `start` (its bracket) is closed; -1 where the text does not tell. */
function endOfCall(text, start) {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (StringIncludes('([{', character)) depth++;
    else if (StringIncludes(')]}', character)) {
      depth--;
      if (depth === 0) return at + 1;
    } else if (character === '"' || character === "'" || character === '`') {
      for (at++; at < text.length && text[at] !== character; at++) if (text[at] === '\\') at++;
    } else if (character === '/' && text[at + 1] === '/') return -1;
    else if (character === '/' && text[at + 1] === '*') {
      const end = StringIndexOf(text, '*/', at);
      if (end === -1) return -1;
      at = end + 1;
    }
  }
  return -1;
}

/** The call of `caller` that is running, as its author wrote it; undefined where that cannot be found. */
function assertedExpression(caller) {
  const { prepareStackTrace, stackTraceLimit } = Error;
  const holder = {};
  let place;
  try {
    Error.stackTraceLimit = 1;
    Error.prepareStackTrace = (_, sites) => sites[0];
    ErrorCaptureStackTrace(holder, caller);
    place = holder.stack;
  } finally {
    Error.prepareStackTrace = prepareStackTrace;
    Error.stackTraceLimit = stackTraceLimit;
  }
  const { 0: file, 1: line, 2: column } = [place?.getFileName?.(), place?.getLineNumber?.(), place?.getColumnNumber?.()];
  if (typeof file !== 'string' || !(line > 0)) return undefined;
  const text = native.core_sourceLines(file, line, line)?.[0];
  if (text === undefined) return undefined;
  let start = column - 1; // of the name that is called: what it is a member of stands before it
  while (start > 0 && RegExpTest(/[\w$.]/, text[start - 1])) start--;
  const name = RegExpExec(/^[\w$.]+\s*\(/, StringSlice(text, start));
  if (name === null) return undefined;
  const end = endOfCall(text, start + name[0].length - 1);
  return StringSlice(text, start, end === -1 ? undefined : end); // of a call of several lines the first one
}

module.exports = { assertedExpression };
