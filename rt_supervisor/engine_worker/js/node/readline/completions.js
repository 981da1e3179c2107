'use strict';
// Owns: displaying completions in columns, and their common prefix.

const { AnyForEach, AnySlice } = require('internal/any_kind');
const { ArrayAt, ArrayMap, ArraySort, MathFloor, MathMax, StringRepeat, intact } = require('internal/primordials');
const { stringWidth } = require('internal/string_width');

function commonPrefix(texts) {
  if (texts.length === 0) return '';
  const sorted = ArraySort([...intact(texts)]);
  const { 0: first, 1: last } = [sorted[0], ArrayAt(sorted, -1)];
  let length = 0;
  while (length < first.length && first[length] === last[length]) length++;
  return AnySlice(first, 0, length);
}

/** Formats completions in columns; an empty one separates groups. */
function table(completions, columns) {
  const widths = ArrayMap(completions, stringWidth);
  const width = MathMax(...intact(widths)) + 2;
  const most = columns === Infinity ? 1 : MathFloor(columns / width) || 1;
  let output = '\r\n';
  let inRow = 0;
  let padding = 0;
  AnyForEach(completions, (completion, index) => {
    if (completion === '' || inRow === most) {
      output += '\r\n';
      inRow = padding = 0;
    } else {
      output += StringRepeat(' ', padding);
    }
    if (completion === '') {
      output += '\r\n';
    } else {
      output += completion;
      padding = width - widths[index];
      inRow++;
    }
  });
  return inRow === 0 ? output : `${output}\r\n\r\n`;
}

module.exports = { commonPrefix, table };
