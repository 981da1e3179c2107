// @ts-check
'use strict';
// Owns: the number of terminal columns of a text, and removal of control sequences. East Asian wide and full-width characters
// take two columns; combining marks, format characters and controls take none.

const { RegExpSplit } = require('internal/patterns');
const {
  ArrayMap,
  RegExpExec,
  RegExpReplace,
  StringCharCodeAt,
  StringCodePointAt,
  StringFromCodePoint,
  StringNormalize,
  StringSlice,
} = require('internal/primordials');

// Pairs (gap since the last range's end, length - 1) in base 36: Unicode's East_Asian_Width W and F.
const WIDE = `3cw 2n 3i3 1 e 1 5b 3 4 0 3 0 ei 1 m 1 r 7 h b 18 0 b 5 4 0 e 0 9 1 i 1 6 1 9 0 6 0 m 0 8 1 2 0 5 0 3 0 8 0 5 1 t 0
10 0 2 0 5 2 2 0 1q 2 p 0 f 0 nw 1 1g 0 5 0 mj p 2 2g d 5x r 26 3 2d 3 2u 6 16 2 2l 2 2d a 1b 2 13 9 mkc 4 1i wq s hw 8mb
6l9 e7 lt 9 n y 2 i 2 3 46 2n 3k 6 m4a 4 c 6 a 5p1 16 v 2q 36 6pq 3 2 6 2 1 2 82 g 0 u 2 3 0 f 3 9 az 6bp 2e a m 5n2 0 5n
0 5b 0 3 9 24 s e 17 5 8 8 1 f 5 4b w d 8 2 1x 2 l d 16 5 4 d g 4 0 4 1y 2 0 2 56 3 1q e 3 2 n j 0 r 1 e 0 2f 2c 1d 1x 7 0
4 2 3 3 4 3 c 1 8 8 6c b 5 0 7w 1a 2 9 2 54 35 c 4 a 4 1k 2 0 5 f 3 b 5 9 zs 1ekd 3 1ekd`;

const wideRanges = (() => {
  const numbers = ArrayMap(RegExpSplit(/\s/, WIDE), (text) => parseInt(text, 36));
  const ranges = new Uint32Array(numbers.length);
  let end = 0;
  for (let i = 0; i < numbers.length; i += 2) {
    ranges[i] = end + numbers[i];
    end = ranges[i + 1] = ranges[i] + numbers[i + 1];
  }
  return ranges;
})();

const ZERO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]/u;

function isWide(point) {
  let low = 0;
  let high = wideRanges.length / 2 - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (point < wideRanges[middle * 2]) high = middle - 1;
    else if (point > wideRanges[middle * 2 + 1]) low = middle + 1;
    else return true;
  }
  return false;
}

function pointWidth(point) {
  if (point < 0x20 || (point >= 0x7f && point < 0xa0)) return 0;
  if (point < 0x300) return 1;
  if (isWide(point)) return 2;
  return RegExpExec(ZERO_WIDTH, StringFromCodePoint(point)) === null ? 1 : 0;
}

/** Returns the columns of `text`; control sequences take none unless `keepControls`. */
function stringWidth(text, keepControls = false) {
  if (!keepControls) text = stripControls(text);
  let width = 0;
  for (let i = 0; i < text.length; i++) {
    const code = StringCharCodeAt(text, i);
    if (code >= 127) return width + wideTextWidth(StringNormalize(StringSlice(text, i), 'NFC'));
    if (code >= 32) width++;
  }
  return width;
}

function wideTextWidth(text) {
  let width = 0;
  for (let i = 0; i < text.length; i++) {
    const point = /** @type {number} */ (StringCodePointAt(text, i));
    if (point > 0xffff) i++;
    width += pointWidth(point);
  }
  return width;
}

// ECMA-48: CSI sequences, OSC up to BEL or ST, and two-character escapes.
const CONTROLS = new RegExp(
  '[\\u001B\\u009B][[\\]()#;?]*' +
    '(?:(?:(?:(?:;[-a-zA-Z\\d\\/\\#&.:=?%@~_]+)*|[a-zA-Z\\d]+(?:;[-a-zA-Z\\d\\/\\#&.:=?%@~_]*)*)?(?:\\u0007|\\u001B\\u005C|\\u009C))' +
    '|(?:(?:\\d{1,4}(?:;\\d{0,4})*)?[\\dA-PR-TZcf-nq-uy=><~]))',
  'g',
);
const MAY_HAVE_CONTROLS = /[\u001B\u009B]/;

function stripControls(text) {
  return RegExpExec(MAY_HAVE_CONTROLS, text) === null ? text : RegExpReplace(CONTROLS, text, '');
}

module.exports = { stringWidth, stripControls, pointWidth, CONTROLS };
