// @ts-check
'use strict';
// Owns: the source of a call of assert, for the message about a value that was not truthy: found by the frame of the call, in the
// author's text. It reads no syntax but names, brackets, strings, regular expressions and comments.

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
const NEAR = 3; // frames that are looked at
const CONTROL = /[\0-\x08\v\f\x0e-\x1f]/g;
const ESCAPES = { __proto__: null, '\b': '\\b', '\f': '\\f' };
const escapeOf = (character) =>
  ESCAPES[character] ?? `\\u${StringPadStart(NumberToString(StringCharCodeAt(character, 0), 16), 4, '0')}`;
const BEFORE_REGEXP = '(,=:[!&|?{};+-*%~^<>';

/** The end of a regular expression that opens at `start`. */
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

/** Where the bracket that opens at `start` is closed; -1 where the text does not tell. */
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

/** Where the member expression that ends at `end` begins: names with dots between them, and keys in brackets. */
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

/** Where the bracket of the call opens whose callee begins at `start`; -1 without one. */
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

/** The frames that called `caller`, the nearest first. */
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

/** The call of `caller` that is running, as its author wrote it; undefined where that cannot be found. */
function assertedExpression(caller) {
  const sites = sitesOf(caller);
  let text;
  let column = 0;
  // `t.assert` of node:test stands between the program and what it calls.
  for (let index = 0; index < sites.length && text === undefined; index++) {
    const { 0: file, 1: line } = [sites[index].getFileName(), sites[index].getLineNumber()];
    if (typeof file !== 'string' || !(line > 0)) continue;
    column = sites[index].getColumnNumber();
    text = native.core_sourceLines(file, line, line)?.[0];
  }
  if (text === undefined) return undefined;
  const start = startOfChain(text, column - 1); // the column is that of the name that is called
  const opening = openingOfCall(text, start);
  if (opening === -1) return undefined;
  const end = endOfBracket(text, opening);
  // A call over several lines gives its first line; control characters become escapes, since the text may reach a terminal.
  return RegExpReplace(CONTROL, StringSlice(text, start, end === -1 ? undefined : end), escapeOf);
}

module.exports = { assertedExpression };
