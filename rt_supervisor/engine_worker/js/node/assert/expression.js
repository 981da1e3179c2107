// @ts-check
'use strict';
// Owns: the source text of an assert call, for the message about a falsy value: located by the call's stack frame in the
// original source. It recognises only names, brackets, strings, regular expressions and comments.

const {
  ErrorCaptureStackTrace,
  NumberToString,
  RegExpReplace,
  RegExpTest,
  StringCharCodeAt,
  StringIncludes,
  StringIndexOf,
  StringPadStart,
  StringSlice,
} = require('internal/primordials');
const native = host.native;

const NAME = /[\p{ID_Continue}$#\u200c\u200d]/u;
const NEAR = 3; // number of frames to search
const CONTROL = /[\0-\x08\v\f\x0e-\x1f]/g;
const ESCAPES = { __proto__: null, '\b': '\\b', '\f': '\\f' };
const escapeOf = (character) =>
  ESCAPES[character] ?? `\\u${StringPadStart(NumberToString(StringCharCodeAt(character, 0), 16), 4, '0')}`;
const BEFORE_REGEXP = '(,=:[!&|?{};+-*%~^<>';

/** The end of a regular expression that starts at `start`. */
function endOfRegExp(text, start) {
  let isClass = false;
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '[') isClass = true;
    else if (text[at] === ']') isClass = false;
    else if (text[at] === '/' && !isClass) return at;
  }
  return text.length;
}

/** The index at which the bracket opened at `start` is closed; -1 if it cannot be determined. */
function endOfBracket(text, start) {
  let depth = 0;
  let before = '';
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
    } else if (character === '/' && StringIncludes(BEFORE_REGEXP, before)) at = endOfRegExp(text, at);
    if (!RegExpTest(/\s/, character)) before = character;
  }
  return -1;
}

const backOverSpaces = (text, at) => {
  while (at > 0 && RegExpTest(/\s/, text[at - 1])) at--;
  return at;
};

/** The start of the member expression that ends at `end`: dotted names, and keys in brackets. */
function startOfChain(text, end) {
  let start = end;
  for (;;) {
    let at = start;
    while (at > 0 && RegExpTest(NAME, text[at - 1])) at--;
    if (at === start && text[at - 1] === ']') {
      for (let depth = 0; at > 0;) {
        at--;
        if (text[at] === ']') depth++;
        else if (text[at] === '[' && --depth === 0) break;
      }
      start = at;
      continue;
    }
    start = at;
    const before = backOverSpaces(text, at);
    if (text[before - 1] !== '.') return start;
    const object = backOverSpaces(text, text[before - 2] === '?' ? before - 2 : before - 1);
    if (object === 0 || (!RegExpTest(NAME, text[object - 1]) && text[object - 1] !== ']')) return start;
    start = object;
  }
}

/** The opening bracket of the call whose callee starts at `start`; -1 if there is none. */
function openingOfCall(text, start) {
  for (let at = start; at < text.length; at++) {
    if (text[at] === '(') return at;
    if (text[at] === '[') {
      const end = endOfBracket(text, at);
      if (end === -1) return -1;
      at = end - 1;
    } else if (!RegExpTest(NAME, text[at]) && !RegExpTest(/[\s.?]/, text[at])) return -1;
  }
  return -1;
}

/** The frames that called `caller`, nearest first. */
function sitesOf(caller) {
  const { prepareStackTrace, stackTraceLimit } = Error;
  const holder = {};
  try {
    Error.stackTraceLimit = NEAR;
    Error.prepareStackTrace = (_, sites) => sites;
    ErrorCaptureStackTrace(holder, caller);
    return holder.stack;
  } finally {
    Error.prepareStackTrace = prepareStackTrace;
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** The running call of `caller` as written in the source; undefined if it cannot be found. */
function findAssertedExpression(caller) {
  const sites = sitesOf(caller);
  let text;
  let column = 0;
  // `t.assert` of node:test is a frame between the program and the called function.
  for (let index = 0; index < sites.length && text === undefined; index++) {
    const { 0: file, 1: line } = [sites[index].getFileName(), sites[index].getLineNumber()];
    if (typeof file !== 'string' || !(line > 0)) continue;
    column = sites[index].getColumnNumber();
    text = native.core_sourceLines(file, line, line)?.[0];
  }
  if (text === undefined) return undefined;
  const start = startOfChain(text, column - 1); // the column is that of the called name
  const opening = openingOfCall(text, start);
  if (opening === -1) return undefined;
  const end = endOfBracket(text, opening);
  // Only the first line of a call; control characters are escaped, since the text may be printed to a terminal.
  return RegExpReplace(CONTROL, StringSlice(text, start, end === -1 ? undefined : end), escapeOf);
}

module.exports = { findAssertedExpression };
