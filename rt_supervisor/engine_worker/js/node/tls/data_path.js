// @ts-check
'use strict';
// Owns: the native data path of open TLS connections, which does not call Python (native/crypto/src/tls_passing.rs), and the
// memory for decrypted bytes.

const { TypedArraySlice } = require('internal/primordials');
const { Buffer } = require('node/buffer/buffer');
const numbers = require('internal/http_numbers');
const native = host.native;

const BLOCK = 64 * 1024; // memory of this size is kept for the next block
const LARGE = BLOCK / 4;
const MOST_PUT = 4 * BLOCK;
const NOTHING = new Uint8Array(0);
// Results: not possible now; everything is done; of two buffers, the second is untouched; there is something else to report.
// For `put`, any other value means that the rest must be sent.
const { 0: NOT_NOW, 1: ALL, 2: HALF } = [-1, 0, 2];
const NEWS = numbers.TLS_NEWS;
const MOST_TAKEN = numbers.TLS_MORE - 1;

/** @type {any} */
let room; // until decrypted bytes have filled a large part of it

/** The first `size` bytes of the buffer. A large amount is passed on in place, and a new buffer is used next. */
function takeBytes(/** @type {Uint8Array} */ from, /** @type {number} */ size) {
  const whole = new Uint8Array(from.buffer, from.byteOffset, size);
  if (size < LARGE) return TypedArraySlice(whole);
  room = undefined;
  return whole;
}

/**
 * Decrypts a received block. `deliver` receives decrypted bytes and returns whether it accepts more.
 * @param {number} number @param {Uint8Array} block @param {(block: Uint8Array) => boolean} deliver
 */
function decrypt(number, block, deliver) {
  for (let bytes = block; ; bytes = NOTHING) {
    const own = (room ??= Buffer.allocUnsafeSlow(BLOCK));
    const outcome = native.tlsTake(number, bytes, own);
    if (outcome < 0) return bytes === block ? NOT_NOW : ALL;
    const size = outcome & MOST_TAKEN;
    if (size > 0 && !deliver(takeBytes(own, size))) return ALL;
    if (outcome === size) return ALL;
    if (outcome & NEWS) return NEWS;
  }
}

/**
 * Encrypts one or two buffers and sends the result through a socket.
 * @param {number} number @param {number} descriptor @param {Uint8Array[]} list
 */
function put(number, descriptor, list) {
  const { 0: first, 1: second } = list;
  if (list.length > 2 || first.length + (second?.length ?? 0) > MOST_PUT) return NOT_NOW;
  return native.tlsPut(number, descriptor, first, second);
}

module.exports = { BLOCK, LARGE, NOTHING, NOT_NOW, ALL, HALF, NEWS, decrypt, put };
