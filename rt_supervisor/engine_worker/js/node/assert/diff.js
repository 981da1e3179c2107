// @ts-check
'use strict';
// Owns: the diff of two printed values in assertion messages: Myers' shortest edit script of their lines, with long runs of
// equal lines omitted.

const { ArrayPush, ArrayReverse, StringEndsWith, StringTrimEnd, TypedArraySlice, intact } = require('internal/primordials');
const SAME = 0;
const ACTUAL_ONLY = 1;
const EXPECTED_ONLY = -1;
const MOST_SAME_LINES = 5;

/** Ignores a trailing comma, which only indicates that another item follows. */
const areLinesEqual = (actual, expected, ignoresComma) =>
  actual === expected || (ignoresComma && (`${actual},` === expected || actual === `${expected},`));

/** Returns the edits from the last line to the first: [kind, line]. */
function diffLines(actual, expected, ignoresComma) {
  const max = actual.length + expected.length;
  const furthest = new Int32Array(2 * max + 3);
  const trace = [];
  const goesDown = (reached, depth, diagonal) =>
    diagonal === -depth || (diagonal !== depth && reached[diagonal + max] < reached[diagonal + max + 2]);
  for (let depth = 0; depth <= max; depth++) {
    ArrayPush(trace, TypedArraySlice(furthest));
    for (let diagonal = -depth; diagonal <= depth; diagonal += 2) {
      const at = diagonal + max + 1;
      let x = goesDown(furthest, depth, diagonal) ? furthest[at + 1] : furthest[at - 1] + 1;
      let y = x - diagonal;
      while (x < actual.length && y < expected.length && areLinesEqual(actual[x], expected[y], ignoresComma)) {
        x++;
        y++;
      }
      furthest[at] = x;
      if (x >= actual.length && y >= expected.length) return backtrack(trace, actual, expected, ignoresComma, goesDown);
    }
  }
  return [];
}

function backtrack(trace, actual, expected, ignoresComma, goesDown) {
  const max = actual.length + expected.length;
  const edits = [];
  let x = actual.length;
  let y = expected.length;
  for (let depth = trace.length - 1; depth >= 0; depth--) {
    const furthest = trace[depth];
    const diagonal = x - y;
    const before = goesDown(furthest, depth, diagonal) ? diagonal + 1 : diagonal - 1;
    const previousX = furthest[before + max + 1];
    const previousY = previousX - before;
    while (x > previousX && y > previousY) {
      const line = actual[x - 1];
      ArrayPush(edits, [SAME, ignoresComma && !StringEndsWith(line, ',') ? expected[y - 1] : line]);
      x--;
      y--;
    }
    if (depth === 0) break;
    if (x > previousX) ArrayPush(edits, [ACTUAL_ONLY, actual[--x]]);
    else ArrayPush(edits, [EXPECTED_ONLY, expected[--y]]);
  }
  return edits;
}

/** { text, isSkipped }: the edits as lines, `+` for actual and `-` for expected. */
function printDiff(edits) {
  let text = '';
  let isSkipped = false;
  let same = 0;
  for (let i = edits.length - 1; i >= 0; i--) {
    const [kind, line] = intact(edits[i]);
    const previous = i < edits.length - 1 ? edits[i + 1][0] : undefined;
    if (previous === SAME && kind !== SAME) {
      // One or two extra lines are printed: a note in their place would not be shorter.
      if (same === MOST_SAME_LINES + 1) {
        text += `  ${edits[i + 1][1]}\n`;
      } else if (same === MOST_SAME_LINES + 2) {
        text += `  ${edits[i + 2][1]}\n  ${edits[i + 1][1]}\n`;
      } else if (same >= MOST_SAME_LINES + 3) {
        text += `...\n  ${edits[i + 1][1]}\n`;
        isSkipped = true;
      }
      same = 0;
    }
    if (kind === ACTUAL_ONLY) text += `+ ${line}\n`;
    else if (kind === EXPECTED_ONLY) text += `- ${line}\n`;
    else if (same++ < MOST_SAME_LINES) text += `  ${line}\n`;
  }
  return { text: `\n${StringTrimEnd(text)}`, isSkipped };
}

/** Edits as returned by util.diff, from the first to the last. */
const diff = (actual, expected) => ArrayReverse(diffLines(actual, expected, false));

module.exports = { diffLines, printDiff, diff };
