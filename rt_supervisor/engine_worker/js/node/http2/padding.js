// @ts-check
'use strict';
// Owns: padding of frames (RFC 9113 §6.1), with the strategies of node:http2: aligned to eight bytes, or the maximum.

const { MathMin, TypedArraySet } = require('internal/primordials');
const { FLAG, frame } = require('node/http2/frames');

const ALIGNED = 1;
const HEAD_BYTES = 9;
const MOST_PADDING = 256; // including the length byte

/** The padded length of a payload of `size` bytes, at most `most`. */
function paddedSize(strategy, size, most) {
  const limit = MathMin(size + MOST_PADDING, most);
  if (size >= most) return size;
  if (strategy !== ALIGNED) return limit;
  const over = (size + HEAD_BYTES) % 8;
  return over === 0 ? size : MathMin(size + 8 - over, limit);
}

/** Encodes a padded frame. */
function paddedFrame(strategy, most, type, flags, id, payload) {
  const size = paddedSize(strategy, payload.length, most);
  const padding = size - payload.length;
  if (padding === 0) return frame(type, flags, id, payload);
  const whole = new Uint8Array(size);
  whole[0] = padding - 1;
  TypedArraySet(whole, payload, 1);
  return frame(type, flags | FLAG.PADDED, id, whole);
}

module.exports = { paddedSize, paddedFrame };
