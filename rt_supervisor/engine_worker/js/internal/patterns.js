// @ts-check
'use strict';
// Owns: string methods that take a regular expression, in a form that works after a program has replaced RegExp's methods,
// which the built-in ones look up by name. RegExpReplace, the most frequently used, is in internal/primordials.

const { ArrayPush, RegExpExec, RegExpStepOver, StringSlice } = require('internal/primordials');

/** Returns `pattern` if it is global, otherwise a global copy: `exec` then finds one match after another. */
function walking(pattern) {
  pattern.lastIndex = 0;
  return pattern.global ? pattern : new RegExp(pattern.source, `${pattern.flags}g`);
}

function nextOf(pattern, text) {
  const match = RegExpExec(pattern, text);
  if (match !== null && match[0] === '') RegExpStepOver(pattern, text);
  return match;
}

/** text.matchAll(pattern), as an array. */
function RegExpMatchAll(pattern, text) {
  const matches = [];
  const walk = walking(pattern);
  for (let match = nextOf(walk, text); match !== null; match = nextOf(walk, text)) ArrayPush(matches, match);
  walk.lastIndex = 0;
  return matches;
}

/** text.match(pattern): the matching texts of a global pattern, otherwise the match, or null. */
function RegExpMatch(pattern, text) {
  if (!pattern.global) return RegExpExec(pattern, text);
  const matches = RegExpMatchAll(pattern, text);
  for (let index = 0; index < matches.length; index++) matches[index] = matches[index][0];
  return matches.length === 0 ? null : matches;
}

/** text.search(pattern) */
function RegExpSearch(pattern, text) {
  pattern.lastIndex = 0;
  const match = RegExpExec(pattern, text);
  pattern.lastIndex = 0;
  return match === null ? -1 : match.index;
}

/** text.split(pattern), including the texts captured by the pattern's groups. */
function RegExpSplit(pattern, text) {
  if (text === '') return RegExpExec(pattern, text) === null ? [''] : [];
  const parts = [];
  let done = 0;
  const matches = RegExpMatchAll(pattern, text);
  for (let index = 0; index < matches.length; index++) {
    const match = matches[index];
    const isEmpty = match[0] === '';
    if (isEmpty && (match.index === done || match.index === text.length)) continue;
    ArrayPush(parts, StringSlice(text, done, match.index));
    for (let group = 1; group < match.length; group++) ArrayPush(parts, match[group]);
    done = match.index + match[0].length;
  }
  ArrayPush(parts, StringSlice(text, done));
  return parts;
}

module.exports = { RegExpMatch, RegExpMatchAll, RegExpSearch, RegExpSplit };
