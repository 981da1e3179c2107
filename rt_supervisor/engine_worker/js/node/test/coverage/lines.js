// @ts-check
'use strict';
// Owns: the lines of a source for coverage: their start and end offsets, which ones a comment excludes (`node:coverage ignore
// next 3`, `disable`, `enable`), and which ones a V8 range covers.

const { ArrayPush, MathFloor, MathMax, NumberParseInt, RegExpExec, StringIndexOf, StringSlice } = require('internal/primordials');

const STATUS = /\/\* node:coverage (enable|disable) \*\//;
const NEXT = /\/\* node:coverage ignore next (?:(\d+) )?\*\//;

/** `[{ line, start, end, count, isIgnored }]`: offsets exclude the line terminator; an empty line counts as covered. */
function linesOf(source) {
  const lines = [];
  let isEnabled = true;
  let ignoredNext = 0;
  for (let start = 0; start < source.length;) {
    const newline = StringIndexOf(source, '\n', start);
    const next = newline < 0 ? source.length : newline + 1;
    let end = newline < 0 ? next : newline;
    if (newline > start && source[newline - 1] === '\r') end--;
    const text = StringSlice(source, start, end);
    ArrayPush(lines, {
      line: lines.length + 1,
      start,
      end,
      count: start === end ? 1 : 0,
      isIgnored: !isEnabled || ignoredNext > 0,
    });
    if (ignoredNext > 0) ignoredNext--;
    const status = RegExpExec(STATUS, text);
    if (status !== null) {
      isEnabled = status[1] === 'enable';
      ignoredNext = 0;
    } else {
      const following = RegExpExec(NEXT, text);
      if (following !== null) ignoredNext = NumberParseInt(following[1] ?? '1', 10);
    }
    start = next;
  }
  return lines;
}

/** The index of the line that contains `offset`, or of the last one that starts before it. */
function placeOf(lines, offset) {
  let low = 0;
  let high = lines.length - 1;
  while (low < high) {
    const middle = MathFloor((low + high + 1) / 2);
    if (lines[middle].start <= offset) low = middle;
    else high = middle - 1;
  }
  return MathMax(0, low);
}

/** Sets the count of the lines fully inside `range`. Returns its first line and whether all of its lines are ignored. */
function cover(lines, { startOffset, endOffset, count }) {
  if (lines.length === 0) return { first: undefined, isIgnored: false };
  const begin = placeOf(lines, startOffset);
  let total = 0;
  let ignored = 0;
  for (let place = begin; place < lines.length && endOffset > lines[place].start; place++) {
    const line = lines[place];
    if (startOffset <= line.start && endOffset >= line.end) line.count = count;
    total++;
    if (line.isIgnored) ignored++;
  }
  return { first: total > 0 ? lines[begin].line : undefined, isIgnored: total === ignored };
}

module.exports = { linesOf, placeOf, cover };
