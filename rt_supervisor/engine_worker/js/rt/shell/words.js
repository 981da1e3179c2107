// @ts-check
'use strict';
// Owns: RT.$.escape and RT.$.braces.

const {
  ArrayFlatMap,
  ArrayMap,
  ArrayPop,
  ArrayPush,
  RegExpReplace,
  RegExpTest,
  StringSlice,
  intact,
} = require('internal/primordials');
const NEEDS_QUOTES = /[\s~[\]#;*{,}`$=()|><&'"\\?0-9]/;
const MOST_WORDS = 200_000;

/** Quotes `text` as one word of a shell command. */
function escape(text) {
  const word = `${text}`;
  if (word !== '' && !RegExpTest(NEEDS_QUOTES, word)) return word;
  return `"${RegExpReplace(/[\\"$`]/g, word, (each) => `\\${each}`)}"`;
}

/** Expands the brace lists of `text`. */
function braces(text) {
  if (typeof text !== 'string') throw new TypeError('braces: expected a string');
  const words = expand(text, 0);
  return words;
}

function expand(text, depth) {
  if (depth > 100) throw new RangeError('braces are nested too deep');
  const openings = [];
  let open = -1;
  let close = -1;
  for (let at = 0; at < text.length && close < 0; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '{') ArrayPush(openings, at);
    else if (text[at] === '}' && openings.length > 0) {
      open = ArrayPop(openings);
      if (openings.length === 0) close = at;
    }
  }
  if (close < 0) return [text];
  const items = split(StringSlice(text, open + 1, close));
  const before = StringSlice(text, 0, open);
  const after = expand(StringSlice(text, close + 1), depth);
  const middle =
    items.length === 1
      ? ArrayMap(expand(items[0], depth + 1), (item) => `{${item}}`)
      : ArrayFlatMap(items, (item) => expand(item, depth + 1));
  if (middle.length * after.length > MOST_WORDS) throw new RangeError(`braces make more than ${MOST_WORDS} words`);
  return ArrayFlatMap(middle, (item) => ArrayMap(after, (rest) => before + item + rest));
}

/** Splits a list at its top-level commas. */
function split(text) {
  const items = [];
  let start = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '{') depth++;
    else if (text[at] === '}') depth--;
    else if (text[at] === ',' && depth === 0) {
      ArrayPush(items, StringSlice(text, start, at));
      start = at + 1;
    }
  }
  return [...intact(items), StringSlice(text, start)];
}

module.exports = { escape, braces };
