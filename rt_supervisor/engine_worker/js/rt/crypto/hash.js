// @ts-check
'use strict';
// Owns: RT.hash: fast non-cryptographic hashes of bytes and strings with a seed. 64-bit hashes are BigInts, 32-bit ones
// numbers.

const { isAnyArrayBuffer } = require('internal/brands');
const { bytesOfBlob } = require('rt/files/blob_bytes');
const { ArrayBufferIsView, BigIntAsUintN, MathTrunc, NumberIsNaN, ObjectAssign, intact } = require('internal/primordials');
const native = host.native;

const MOST = 2n ** 64n - 1n;
const LONG = ['wyhash', 'cityHash64', 'xxHash64', 'xxHash3', 'murmur64v2', 'rapidhash'];
const SHORT = ['adler32', 'crc32', 'cityHash32', 'xxHash32', 'murmur32v2', 'murmur32v3'];
// The order of enumeration.
const ORDER = [
  'wyhash',
  'adler32',
  'crc32',
  'cityHash32',
  'cityHash64',
  'xxHash32',
  'xxHash64',
  'xxHash3',
  'murmur32v2',
  'murmur32v3',
  'murmur64v2',
  'rapidhash',
];

function bytesOf(data) {
  if (data === undefined || data === null) {
    const error = new TypeError('data must be a string, ArrayBuffer, ArrayBufferView or Blob');
    throw ObjectAssign(error, { code: 'ERR_INVALID_ARG_TYPE' });
  }
  if (typeof data === 'object' && (ArrayBufferIsView(data) || isAnyArrayBuffer(data))) return data;
  return bytesOfBlob(data) ?? native.encodeUtf8(`${data}`);
}

/** Converts a 64-bit seed: BigInts wrap, numbers from 2^64 on become the maximum, and NaN becomes 0. */
function longSeed(seed) {
  if (typeof seed === 'bigint') return BigIntAsUintN(64, seed);
  if (typeof seed !== 'number' || NumberIsNaN(seed) || seed === -Infinity) return 0n;
  if (seed >= 2 ** 64) return MOST;
  return BigIntAsUintN(64, BigInt(MathTrunc(seed)));
}

const shortSeed = (seed) => Number(BigIntAsUintN(32, longSeed(seed)));

const functions = { __proto__: null };
for (const name of intact(LONG)) {
  functions[name] = {
    [name](data, seed) {
      return native.rt_hashLong(name, bytesOf(data), longSeed(seed));
    },
  }[name];
}
for (const name of intact(SHORT)) {
  functions[name] = {
    [name](data, seed) {
      return native.rt_hashShort(name, bytesOf(data), shortSeed(seed));
    },
  }[name];
}

function hash(data, seed) {
  return functions.wyhash(data, seed);
}
for (const name of intact(ORDER)) hash[name] = functions[name];

module.exports = { hash };
