'use strict';
// Owns: RT.$.escape and RT.$.braces.

const NEEDS_QUOTES = /[\s~[\]#;*{,}`$=()|><&'"\\?0-9]/;
const MOST_WORDS = 200_000;

/** `text` as one word of a shell line. */
function escape(text) {
  const word = `${text}`;
  if (word !== '' && !NEEDS_QUOTES.test(word)) return word;
  return `"${word.replace(/[\\"$`]/g, '\\$&')}"`;
}

/** The words that the brace lists of `text` stand for. */
function braces(text) {
  if (typeof text !== 'string') throw new TypeError('braces: expected a string');
  const words = expand(text, 0);
  return words;
}

function expand(text, depth) {
  if (depth > 100) throw new RangeError('braces are nested too deep');
  const opened = [];
  let open = -1;
  let close = -1;
  for (let at = 0; at < text.length && close < 0; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '{') opened.push(at);
    else if (text[at] === '}' && opened.length > 0) {
      open = opened.pop();
      if (opened.length === 0) close = at;
    }
  }
  if (close < 0) return [text];
  const items = split(text.slice(open + 1, close));
  const before = text.slice(0, open);
  const after = expand(text.slice(close + 1), depth);
  const middle =
    items.length === 1
      ? expand(items[0], depth + 1).map((item) => `{${item}}`)
      : items.flatMap((item) => expand(item, depth + 1));
  if (middle.length * after.length > MOST_WORDS) throw new RangeError(`braces make more than ${MOST_WORDS} words`);
  return middle.flatMap((item) => after.map((rest) => before + item + rest));
}

/** The items of a list, at its own commas. */
function split(text) {
  const items = [];
  let start = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '{') depth++;
    else if (text[at] === '}') depth--;
    else if (text[at] === ',' && depth === 0) {
      items.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...items, text.slice(start)];
}

module.exports = { escape, braces };
