// @ts-check
'use strict';
// Owns: permessage-deflate (RFC 7692) without context takeover: each message is compressed separately.

const { AnySubarray } = require('internal/any_kind');
const { MathMin, TypedArraySet } = require('internal/primordials');
const builtins = require('node/module/builtins');

const TAIL = [0x00, 0x00, 0xff, 0xff];

/** The codec of a connection: `deflate` and `inflate` for whole messages. */
function createCodec() {
  const zlib = builtins.load('zlib');
  const flush = zlib.constants.Z_SYNC_FLUSH;
  return {
    deflate(bytes) {
      const deflated = zlib.deflateRawSync(bytes, { finishFlush: flush });
      return AnySubarray(deflated, 0, deflated.length - 4); // the tail is never sent (RFC 7692)
    },
    /** Decompresses up to `limit` bytes, as a guard against decompression bombs. */
    inflate(bytes, limit) {
      const whole = new Uint8Array(bytes.length + 4);
      TypedArraySet(whole, bytes);
      TypedArraySet(whole, TAIL, bytes.length);
      const plain = zlib.inflateRawSync(whole, { finishFlush: flush, maxOutputLength: MathMin(limit, 2 ** 31 - 1) });
      return new Uint8Array(plain.buffer, plain.byteOffset, plain.byteLength);
    },
  };
}

function isZlibThere() {
  try {
    builtins.load('zlib').deflateRawSync(new Uint8Array(0));
    return true;
  } catch {
    return false;
  }
}

module.exports = { isZlibThere, createCodec };
