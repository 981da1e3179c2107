// @ts-check
'use strict';
// Owns: bytes through open TLS connections without a call of Python (native/crypto/src/tls_passing.rs), and the memory that clear
// ones come into.

const { TypedArraySlice } = require('internal/primordials');
const { Buffer } = require('node/buffer/buffer');
const native = host.native;

const BLOCK = 64 * 1024; // of this size, memory is kept for the next one
const LARGE = BLOCK / 4;
const MOST_PUT = 4 * BLOCK;
const NOTHING = new Uint8Array(0);
// Outcomes: nothing has happened; all is done; of two buffers the second is as it was; something else is to be told. Of `put` any
// other says that the rest is to be sent.
const { 0: NOT_NOW, 1: ALL, 2: HALF, 3: NEWS } = [-1, 0, 2, 2 << 20];
const MOST_TAKEN = (1 << 20) - 1;

/** @type {any} */
let room; // until clear bytes have filled a good part of it

/** The first `size` bytes of the room. Many are handed on where they lie, and the next come into another one. */
function takenOut(/** @type {Uint8Array} */ from, /** @type {number} */ size) {
  const whole = new Uint8Array(from.buffer, from.byteOffset, size);
  if (size < LARGE) return TypedArraySlice(whole);
  room = undefined;
  return whole;
}

/**
 * Decrypt a block that has arrived. `deliver` takes blocks of clear bytes, and says whether it wants more.
 * @param {number} number @param {Uint8Array} block @param {(block: Uint8Array) => boolean} deliver
 */
function decrypt(number, block, deliver) {
  for (let bytes = block; ; bytes = NOTHING) {
    const own = (room ??= Buffer.allocUnsafeSlow(BLOCK));
    const outcome = native.tlsTake(number, bytes, own);
    if (outcome < 0) return bytes === block ? NOT_NOW : ALL;
    const size = outcome & MOST_TAKEN;
    if (size > 0 && !deliver(takenOut(own, size))) return ALL;
    if (outcome === size) return ALL;
    if (outcome & NEWS) return NEWS;
  }
}

/**
 * Encrypt one or two buffers and send what comes out through a socket.
 * @param {number} number @param {number} descriptor @param {Uint8Array[]} list
 */
function put(number, descriptor, list) {
  const { 0: first, 1: second } = list;
  if (list.length > 2 || first.length + (second?.length ?? 0) > MOST_PUT) return NOT_NOW;
  return native.tlsPut(number, descriptor, first, second);
}

module.exports = { BLOCK, LARGE, NOTHING, NOT_NOW, ALL, HALF, NEWS, decrypt, put };
