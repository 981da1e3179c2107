// @ts-check
'use strict';
// Owns: parsing the end of a line to complete: the name typed so far, and the expression whose member it would be.

const { RegExpExec, RegExpTest, StringIncludes, StringSlice } = require('internal/primordials');

const PART = /[\p{ID_Continue}$]/u;

/** Whether a line ends inside a string or a template. */
function isInText(line) {
  let quote = '';
  for (let at = 0; at < line.length; at++) {
    if (quote !== '') {
      if (line[at] === '\\') at++;
      else if (line[at] === quote) quote = '';
    } else if (StringIncludes('"\'`', line[at])) quote = line[at];
  }
  return quote !== '';
}

const backOverSpaces = (line, at) => {
  while (at > 0 && line[at - 1] === ' ') at--;
  return at;
};

/** The index of the bracket that is closed before `end`; -1 if there is none. */
function opening(line, end) {
  for (let at = end - 1, depth = 0; at >= 0; at--) {
    if (StringIncludes(')]}', line[at])) depth++;
    else if (StringIncludes('([{', line[at]) && --depth === 0) return at;
  }
  return -1;
}

/** The start of the member expression that ends at `end`; -1 if it is a call or there is none. */
function startOfValue(line, end) {
  const last = line[end - 1];
  if (last !== undefined && StringIncludes('"\'`/', last)) {
    let at = end - 2;
    while (at >= 0 && line[at] !== last) at--;
    return at;
  }
  let start = end;
  if (last === ')' || last === ']' || last === '}') {
    start = opening(line, end);
    const isBound = start > 0 && (RegExpTest(PART, line[start - 1]) || line[start - 1] === ')' || line[start - 1] === ']');
    if (start < 0 || (last !== ']' && isBound)) return -1;
    if (isBound) return startOfValue(line, start);
    if (last !== ']') return start;
  } else {
    if (last === '.' && RegExpTest(/\d/, line[end - 2] ?? '')) start--; // `1.`, of which `.toFixed` is a member
    while (start > 0 && RegExpTest(PART, line[start - 1])) start--;
    if (start === end) return -1;
  }
  const before = backOverSpaces(line, start);
  if (line[before - 1] !== '.') return start;
  return startOfValue(line, backOverSpaces(line, line[before - 2] === '?' ? before - 2 : before - 1));
}

/**
 * Returns { owner, head, begun }: `begun` is the name typed so far, `owner` the expression before it, `head` the text before
 * the name; undefined if nothing can be completed.
 */
function targetOf(line) {
  if (isInText(line) || RegExpTest(/^\s*\.\w+\s/, line)) return undefined;
  let at = line.length;
  while (at > 0 && RegExpTest(PART, line[at - 1])) at--;
  const begun = StringSlice(line, at);
  const dot = backOverSpaces(line, at);
  if (line[dot - 1] !== '.') {
    const isDeclared = RegExpExec(/\b(?:var|let|const|class|function)\s+$/, StringSlice(line, 0, at)) !== null;
    return isDeclared || RegExpTest(/^\d/, begun) ? undefined : { owner: undefined, head: '', begun };
  }
  const end = backOverSpaces(line, line[dot - 2] === '?' ? dot - 2 : dot - 1);
  const start = startOfValue(line, end);
  if (start < 0) return undefined;
  const owner = StringSlice(line, start, end);
  if (RegExpTest(/^\d+$/, owner)) return undefined; // the dot belongs to the number
  return { owner, head: StringSlice(line, start, at), begun };
}

module.exports = { targetOf };
