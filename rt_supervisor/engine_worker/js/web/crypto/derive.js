// @ts-check
'use strict';
// Owns: derivation of bits from CryptoKeys, and the number of bits that a derived key takes.

const { AnySlice } = require('internal/any_kind');
const { MathCeil, RegExpTest, StringSlice, StringStartsWith, StringToLowerCase } = require('internal/primordials');
const { binding, callAsync } = require('internal/crypto/binding');
const { bufferOf } = require('internal/crypto/input');
const { digestName } = require('web/crypto/algorithms');
const { hmacLength } = require('web/crypto/generate');
const { slotsOf } = require('web/crypto/key');
const { awaitOperation, failure } = require('web/crypto/problems');

/** Throws for a length that a derivation cannot produce. */
function checkLength(length, { name, hash }) {
  if (length === null) throw failure('length cannot be null', 'OperationError');
  if (length % 8 !== 0) throw failure('length must be a multiple of 8', 'OperationError');
  if (name === 'HKDF' && length / 8 > binding().hkdf_limit(digestName(hash.name)))
    throw failure('length exceeds the maximum derived bit length', 'OperationError');
  if (StringStartsWith(name, 'Argon2') && length < 32) throw failure('length must be >= 32', 'OperationError');
}

async function exchange(algorithm, baseKey, length) {
  const { 0: own, 1: other } = [slotsOf(baseKey), slotsOf(algorithm.public)];
  if (own.handle.type !== 'private') throw failure('baseKey must be a private key', 'InvalidAccessError');
  if (own.algorithm.namedCurve !== other.algorithm.namedCurve) throw failure('Named curve mismatch', 'InvalidAccessError');
  const secret = await awaitOperation(callAsync('key_derive', [own.handle.number, other.handle.number]));
  if (length === null) return secret;
  const size = MathCeil(length / 8);
  if (secret.length < size) throw failure('derived bit length is too small', 'OperationError');
  const cut = AnySlice(secret, 0, size);
  if (length % 8 !== 0) cut[size - 1] &= (0xff << (8 - (length % 8))) & 0xff;
  return cut;
}

function derivation(algorithm, baseKey, length) {
  const secret = slotsOf(baseKey).handle.bytes();
  const { name, salt } = algorithm;
  checkLength(length, algorithm);
  if (StringStartsWith(name, 'Argon2')) {
    const { nonce, parallelism, memory, passes, secretValue, associatedData } = algorithm;
    return awaitOperation(
      callAsync('argon2', [
        StringToLowerCase(name),
        secret,
        nonce,
        parallelism,
        length / 8,
        memory,
        passes,
        secretValue,
        associatedData,
      ]),
    );
  }
  const digest = digestName(algorithm.hash.name);
  if (name === 'PBKDF2') {
    if (length === 0) return new Uint8Array(0);
    return awaitOperation(callAsync('pbkdf2', [secret, salt, algorithm.iterations, length / 8, digest]));
  }
  if (length === 0) return new Uint8Array(0);
  return awaitOperation(callAsync('hkdf', [digest, secret, salt, algorithm.info, length / 8]));
}

async function deriveBits(algorithm, baseKey, length) {
  const run = RegExpTest(/^(?:ECDH|X25519|X448)$/, algorithm.name) ? exchange : derivation;
  return bufferOf(await run(algorithm, baseKey, length));
}

/** Returns the number of bits that a key of an algorithm takes; null means all that are available. */
/** @param {{ name: string, length?: number, hash?: any }} algorithm */
function keyLength({ name, length, hash }) {
  if (name === 'HMAC') return length ?? hmacLength(hash.name);
  if (StringStartsWith(name, 'KMAC')) return length ?? Number(StringSlice(name, 4));
  if (StringStartsWith(name, 'ChaCha')) return 256;
  return StringStartsWith(name, 'AES') ? length : null;
}

module.exports = { deriveBits, keyLength, checkLength };
