// @ts-check
'use strict';
// Owns: text as a terminal displays it: user-perceived characters and their column widths, with control sequences separated.
// RT.stringWidth, RT.stripANSI, RT.sliceAnsi and RT.wrapAnsi are built on it.

const { RegExpMatchAll } = require('internal/patterns');

const native = host.native;
const {
  ArrayPush,
  ArrayReduce,
  MathMin,
  RegExpTest,
  StringCharCodeAt,
  StringCodePointAt,
  StringIncludes,
  StringSlice,
  intact,
} = require('internal/primordials');
const { stripControls, pointWidth, CONTROLS } = require('internal/string_width');

const EMOJI = /^\p{RGI_Emoji}$/v;
const PLAIN = /^[\x20-\x7e]*$/;
const EMOJI_VARIATION = '\ufe0f';
let segmenter;

function clusters(text) {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return segmenter.segment(text);
}

/** Returns the columns of one user-perceived character. */
function clusterWidth(cluster) {
  if (cluster.length === 1) return pointWidth(StringCharCodeAt(cluster, 0));
  if (StringIncludes(cluster, EMOJI_VARIATION) || RegExpTest(EMOJI, cluster)) return 2;
  let width = 0;
  for (const character of intact(cluster)) width += pointWidth(StringCodePointAt(character, 0));
  return MathMin(width, 2);
}

/** Returns the columns of a text, counting control sequences as ordinary characters. */
function visibleWidth(text, isAmbiguousWide = false) {
  if (RegExpTest(PLAIN, text)) return text.length;
  let width = 0;
  for (const { segment } of intact(clusters(text))) width += clusterWidth(segment);
  return isAmbiguousWide ? width + native.rt_ambiguousCount(text) : width;
}

/** Implements RT.stringWidth. */
function stringWidth(text, options) {
  if (text === undefined) return 0;
  const whole = `${text}`;
  return visibleWidth(options?.countAnsiEscapeCodes ? whole : stripControls(whole), options?.ambiguousIsNarrow === false);
}

/** Splits a text into control sequences, `{ control }`, and characters, `{ text, width }`, in order. */
function pieces(text) {
  const list = [];
  const add = (part) => {
    for (const { segment } of intact(clusters(part))) ArrayPush(list, { text: segment, width: clusterWidth(segment) });
  };
  let place = 0;
  for (const match of intact(RegExpMatchAll(CONTROLS, text))) {
    add(StringSlice(text, place, match.index));
    ArrayPush(list, { control: match[0] });
    place = match.index + match[0].length;
  }
  add(StringSlice(text, place));
  return list;
}

/** The total columns of such pieces. @returns {any} */
const widthOf = (parts) => ArrayReduce(parts, (sum, part) => sum + (part.width ?? 0), 0);

module.exports = { stringWidth, visibleWidth, pieces, widthOf, stripANSI: (text) => stripControls(`${text}`) };
