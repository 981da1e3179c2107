// @ts-check
'use strict';
// Owns: the Huffman code of HPACK (RFC 7541, appendix B), derived from its code lengths: codes of one length are in the order
// of their bytes.

const {
  ArrayMap,
  ArrayPush,
  ArraySort,
  MathFloor,
  MathMin,
  StringCharCodeAt,
  StringFromCharCode,
  intact,
} = require('internal/primordials');
const LENGTHS = [
  13,
  23,
  28,
  28,
  28,
  28,
  28,
  28,
  28,
  24,
  30,
  28,
  28,
  30,
  28,
  28,
  28,
  28,
  28,
  28,
  28,
  28,
  30,
  28,
  28,
  28,
  28,
  28,
  28,
  28,
  28,
  28,
  6,
  10,
  10,
  12,
  13,
  6,
  8,
  11,
  10,
  10,
  8,
  11,
  8,
  6,
  6,
  6,
  5,
  5,
  5,
  6,
  6,
  6,
  6,
  6,
  6,
  6,
  7,
  8,
  15,
  6,
  12,
  10,
  13,
  6,
  7,
  7,
  7,
  7,
  7,
  7,
  7,
  7,
  7,
  7,
  7,
  7,
  7,
  7,
  7,
  7,
  7,
  7,
  7,
  7,
  7,
  7,
  8,
  7,
  8,
  13,
  19,
  13,
  14,
  6,
  15,
  5,
  6,
  5,
  6,
  5,
  6,
  6,
  6,
  5,
  7,
  7,
  6,
  6,
  6,
  5,
  6,
  7,
  6,
  5,
  5,
  6,
  7,
  7,
  7,
  7,
  7,
  15,
  11,
  14,
  13,
  28,
  20,
  22,
  20,
  20,
  22,
  22,
  22,
  23,
  22,
  23,
  23,
  23,
  23,
  23,
  24,
  23,
  24,
  24,
  22,
  23,
  24,
  23,
  23,
  23,
  23,
  21,
  22,
  23,
  22,
  23,
  23,
  24,
  22,
  21,
  20,
  22,
  22,
  23,
  23,
  21,
  23,
  22,
  22,
  24,
  21,
  22,
  23,
  23,
  21,
  21,
  22,
  21,
  23,
  22,
  23,
  23,
  20,
  22,
  22,
  22,
  23,
  22,
  22,
  23,
  26,
  26,
  20,
  19,
  22,
  23,
  22,
  25,
  26,
  26,
  26,
  27,
  27,
  26,
  24,
  25,
  19,
  21,
  26,
  27,
  27,
  26,
  27,
  24,
  21,
  21,
  26,
  26,
  28,
  27,
  27,
  27,
  20,
  24,
  20,
  21,
  22,
  21,
  21,
  23,
  22,
  22,
  25,
  25,
  24,
  24,
  26,
  23,
  26,
  27,
  26,
  26,
  27,
  27,
  27,
  27,
  27,
  28,
  27,
  27,
  27,
  27,
  27,
  26,
  30, // EOS, the end of a string; its first bits are the padding
];
const END = 256;

const codes = new Uint32Array(257);
// The tree: node * 2 + bit -> the next node, or -1 - byte for a leaf.
const tree = [0, 0];

function build() {
  let code = 0;
  let before = 0;
  const order = ArraySort(
    ArrayMap(LENGTHS, (length, byte) => [length, byte]),
    (a, b) => a[0] - b[0] || a[1] - b[1],
  );
  for (const { 0: length, 1: byte } of intact(order)) {
    code *= 2 ** (length - before);
    before = length;
    codes[byte] = code;
    let node = 0;
    for (let bit = length - 1; bit >= 0; bit--) {
      const place = node * 2 + (MathFloor(code / 2 ** bit) % 2);
      if (bit === 0) tree[place] = -1 - byte;
      else {
        if (tree[place] === 0) {
          tree[place] = tree.length / 2;
          ArrayPush(tree, 0, 0);
        }
        node = tree[place];
      }
    }
    code++;
  }
}
build();

/** The encoded length of a Latin-1 string, in bytes. */
function encodedLength(text) {
  let bits = 0;
  for (let i = 0; i < text.length; i++) bits += LENGTHS[StringCharCodeAt(text, i) & 255];
  return (bits + 7) >> 3;
}

/** Appends the encoded string to a list of bytes. */
function encode(text, bytes) {
  let bits = 0;
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const byte = StringCharCodeAt(text, i) & 255;
    let remaining = LENGTHS[byte];
    while (remaining > 0) {
      const take = MathMin(remaining, 8 - count);
      bits = (bits << take) | ((codes[byte] >>> (remaining - take)) & ((1 << take) - 1));
      remaining -= take;
      count += take;
      if (count === 8) {
        ArrayPush(bytes, bits);
        bits = count = 0;
      }
    }
  }
  if (count > 0) ArrayPush(bytes, (bits << (8 - count)) | ((1 << (8 - count)) - 1));
}

// Decodes four bits at a time: node * 16 + bits -> the transition. Codes have at least five bits, so a step ends at most one.
const NEXT_BITS = 10; // the next node; the bits above are the completed byte plus one
const FAILS = -1;
let steps;
const isPadding = []; // nodes at which a string may end: fewer than eight bits deep, all of them ones
function buildSteps() {
  const count = tree.length / 2;
  steps = new Int32Array(count * 16);
  for (let from = 0; from < count; from++) {
    for (let bits = 0; bits < 16; bits++) {
      let node = from;
      let outcome = 0;
      for (let bit = 3; bit >= 0 && outcome !== FAILS; bit--) {
        const next = tree[node * 2 + ((bits >> bit) & 1)];
        if (next < 0) {
          outcome = next === -1 - END ? FAILS : -next;
          node = 0;
        } else node = next;
      }
      steps[from * 16 + bits] = outcome === FAILS ? FAILS : (outcome << NEXT_BITS) | node;
    }
  }
  for (let node = 0, depth = 0; depth < 8; depth++) {
    isPadding[node] = true;
    node = tree[node * 2 + 1];
  }
}

/** Decodes a string; undefined if it is invalid. */
function decode(bytes, start, end) {
  if (steps === undefined) buildSteps();
  let text = '';
  let node = 0;
  for (let i = start; i < end; i++) {
    const byte = bytes[i];
    const first = steps[node * 16 + (byte >> 4)];
    if (first === FAILS) return undefined;
    if (first >> NEXT_BITS !== 0) text += StringFromCharCode((first >> NEXT_BITS) - 1);
    const second = steps[(first & ((1 << NEXT_BITS) - 1)) * 16 + (byte & 15)];
    if (second === FAILS) return undefined;
    if (second >> NEXT_BITS !== 0) text += StringFromCharCode((second >> NEXT_BITS) - 1);
    node = second & ((1 << NEXT_BITS) - 1);
  }
  return isPadding[node] === true ? text : undefined;
}

module.exports = { encode, encodedLength, decode };
