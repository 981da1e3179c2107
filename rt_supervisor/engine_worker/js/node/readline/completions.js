'use strict';
// Owns: completions of a line as they are shown: side by side, and what all of them begin with.

const { stringWidth } = require('internal/string_width');

function commonPrefix(texts) {
  if (texts.length === 0) return '';
  const sorted = [...texts].sort();
  const [first, last] = [sorted[0], sorted.at(-1)];
  let length = 0;
  while (length < first.length && first[length] === last[length]) length++;
  return first.slice(0, length);
}

/** Completions side by side; an empty one begins a new group. */
function table(completions, columns) {
  const widths = completions.map(stringWidth);
  const width = Math.max(...widths) + 2;
  const most = columns === Infinity ? 1 : Math.floor(columns / width) || 1;
  let output = '\r\n';
  let inRow = 0;
  let padding = 0;
  completions.forEach((completion, index) => {
    if (completion === '' || inRow === most) {
      output += '\r\n';
      inRow = padding = 0;
    } else {
      output += ' '.repeat(padding);
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
