// RT.stringWidth, stripANSI, sliceAnsi, wrapAnsi.
import { RT, outcome, sequence, show } from './table.mjs';

const WORDS = ['the', 'quick', '\x1b[31mred\x1b[39m', '日本語', 'supercalifragilistic', 'a', 'x y', '👨‍👩‍👧', '  ', 'fox', 'over.', '🇩🇪', '☆', '⚠️', '한글', '\x1b[1mbold\x1b[22m'];
const next = sequence(42);
const rows = [];
for (let round = 0; round < 150; round++) {
  const text = Array.from({ length: next(7) + 1 }, () => WORDS[next(WORDS.length)]).join(' ');
  const plain = RT.stripANSI(text);
  const [start, size, columns] = [next(12), next(12), next(14) + 4];
  const options = { hard: next(2) === 1, trim: next(3) > 0 };
  rows.push([text, [
    RT.stringWidth(text), RT.stringWidth(text, { countAnsiEscapeCodes: true }), RT.stringWidth(text, { ambiguousIsNarrow: false }), plain,
    RT.sliceAnsi(plain, start, start + size), RT.sliceAnsi(plain, -size), RT.wrapAnsi(plain, columns, options),
  ]]);
}
const SLICES = [
  ['\x1b[31mhello\x1b[0m world', 2, 8], ['hello', 1, -1], ['日本語', 1, 3], ['\x1b[1m\x1b[31mhello\x1b[39m\x1b[22m', 0, 2], ['hello world', 0, 5, '…'], ['hello world', 2, 8, { ellipsis: '…' }],
  ['a\x1b]8;;http://x\x07link\x1b]8;;\x07b', 1, 3], ['hello', 3, 2], ['hello', 9], [5, 0],
];
for (const [text, ...rest] of SLICES) rows.push([`slice ${text}`, outcome(() => RT.sliceAnsi(text, ...rest))]);
const WRAPS = [
  ['the quick brown fox', 10], ['\x1b[31mthe quick brown fox\x1b[0m', 10], ['abcdefghijklmnop', 5, { hard: true }], ['abcdefghijklmnop', 5], ['a b c d e f', 3, { trim: false }],
  ['abc def', 5, { wordWrap: false }], ['x', 0], ['日本語 日本語', 5, { hard: true }], ['a\n\nb  c', 3], ['a', -1], ['abc def'], ['a\r\nb', 5], ['\x1b]8;;http://x\x07a link\x1b]8;;\x07', 3],
];
for (const [text, ...rest] of WRAPS) rows.push([`wrap ${text}`, outcome(() => RT.wrapAnsi(text, ...rest))]);
for (const value of [undefined, null, 5, {}, true]) rows.push([`width ${value}`, outcome(() => RT.stringWidth(value))]);
show(rows);
