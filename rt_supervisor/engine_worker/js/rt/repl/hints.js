'use strict';
// Owns: the hint shown while an input is typed: the rest of a name, and the result of an expression that has no side
// effects.

const runtimeParts = require('internal/parts');
const { RegExpExec, RegExpReplace, RegExpTest, StringSlice, StringStartsWith, StringTrim } = require('internal/primordials');
const { commands } = require('rt/repl/commands');
const { names } = require('rt/repl/completions');
const { evaluateQuietly } = require('rt/repl/evaluation');

const WIDEST = 200;
const DEFAULT_COLUMNS = 80;
const SHORTEST_NAME = 2;
const NOTHING = ['', ''];
const OBVIOUS = /^(?:[\d.]+n?|'[^']*'|"[^"]*"|true|false|null|undefined)$/;

/** The rest of the first name that completes the text; '' if there is none. */
function restOfName(text) {
  const command = RegExpExec(/^\s*\.(\w+)$/, text);
  if (command !== null) {
    for (const name in commands) if (StringStartsWith(name, command[1])) return StringSlice(name, command[1].length);
    return '';
  }
  if (!RegExpTest(/[\w$]$/, text)) return '';
  const candidates = names(text);
  const { 0: begun } = candidates;
  if (begun === undefined || begun.length < SHORTEST_NAME || RegExpTest(/\.$/, begun)) return '';
  for (let index = 2; index < candidates.length; index += 2) {
    if (candidates[index] === begun) return ''; // it is whole
  }
  for (let index = 2; index < candidates.length; index += 2) {
    if (StringStartsWith(candidates[index], begun)) return StringSlice(candidates[index], begun.length);
  }
  return '';
}

/** The text of a value on one line; no code of the program runs. */
function onOneLine(value) {
  const { inspect } = require('internal/inspect/inspect');
  const text = inspect(value, {
    depth: 1,
    breakLength: Infinity,
    compact: true,
    customInspect: false,
    showProxy: true,
    maxArrayLength: 20,
    maxStringLength: WIDEST,
  });
  return RegExpReplace(/\s*\n\s*/g, text, ' ');
}

/** Truncates a text to the width of the terminal. */
function fitted(text) {
  const columns = runtimeParts.process.process.stdout.columns || DEFAULT_COLUMNS; // 0: the terminal's size is unknown
  const { stringWidth } = require('internal/string_width');
  let cut = StringSlice(text, 0, columns);
  while (stringWidth(cut) >= columns) cut = StringSlice(cut, 0, -1);
  return cut;
}

function previewOf(text) {
  const trimmed = StringTrim(text);
  if (trimmed === '' || RegExpTest(OBVIOUS, trimmed)) return '';
  const outcome = evaluateQuietly(trimmed);
  if (outcome === undefined || outcome.value === undefined) return '';
  return fitted(onOneLine(outcome.value));
}

/** Returns [the rest of a name, the preview of the result]. */
function hintFor(session, text) {
  try {
    return [restOfName(text), previewOf(text)];
  } catch {
    return NOTHING; // the program has replaced functions that the hint requires
  }
}

module.exports = { hintFor };
