// @ts-check
'use strict';
// Owns: line breaking of a page of Markdown: text with control sequences is broken between words. A word longer than a line
// starts on a new line and is cut; spaces inside code and before an address do not break (`GLUE`). Styles that are on at a
// break are switched off before it and on again after it.

const { ArrayFlatMap, ArrayMap, ArrayPush, StringReplaceAll, StringSplit, intact } = require('internal/primordials');
const { pieces, widthOf } = require('rt/terminal/text_width');
const { styledRows } = require('rt/terminal/ansi_state');

const GLUE = '\ue000';

/**
 * Splits a line into words: runs of spaces count as one, and leading and trailing ones are dropped. Control sequences belong to
 * the adjacent word.
 */
function wordsOf(text) {
  const words = [[]];
  for (const part of intact(pieces(text))) {
    const last = words[words.length - 1];
    if (part.text !== ' ') ArrayPush(last, part);
    else if (widthOf(last) > 0) ArrayPush(words, []);
  }
  const last = words[words.length - 1];
  if (words.length > 1 && widthOf(last) === 0) {
    words.length--;
    ArrayPush(words[words.length - 1], ...intact(last));
  }
  return words;
}

/** @param {boolean} isInCell whether the space after a word counts if another word follows */
function rowsOf(text, width, isInCell) {
  const rows = [];
  let row = [];
  let used = 0;
  const next = () => {
    ArrayPush(rows, row);
    row = [];
    used = 0;
  };
  const words = wordsOf(text);
  for (let place = 0; place < words.length; place++) {
    const word = words[place];
    const size = widthOf(word);
    const isLonger = row.length > 0;
    const needed = used + (isLonger ? 1 : 0) + size + (isInCell && isLonger && place < words.length - 1 ? 1 : 0);
    if (needed <= width) {
      if (isLonger) ArrayPush(row, { text: ' ', width: 1 });
      ArrayPush(row, ...intact(word));
      used += size + (isLonger ? 1 : 0);
      continue;
    }
    if (isLonger) next();
    for (const part of intact(word)) {
      if (used > 0 && used + (part.width ?? 0) > width) next();
      ArrayPush(row, part);
      used += part.width ?? 0;
    }
  }
  next();
  return rows;
}

/** @param {string} text lines that end where the page's author broke them; @param {number} width columns, or Infinity */
function wrapped(text, width, isInCell = false) {
  const rows = ArrayFlatMap(StringSplit(text, '\n'), (line) => rowsOf(line, width, isInCell));
  return ArrayMap(styledRows(rows), (row) => StringReplaceAll(row, GLUE, ' '));
}

module.exports = { GLUE, wrapped };
