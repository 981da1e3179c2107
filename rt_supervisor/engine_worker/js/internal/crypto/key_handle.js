// @ts-check
'use strict';
// Owns: handles of the native module's keys: a number, and whether the key is secret, public or private.

const { RegExpMatch } = require('internal/patterns');
const { ArrayJoin, ObjectAssign, Uint8ArrayFrom, intact } = require('internal/primordials');
const { binding, watch } = require('internal/crypto/binding');
const { codes } = require('internal/errors/errors');

class KeyObjectHandle {
  #number;
  type;

  constructor(number, type) {
    this.#number = number;
    this.type = type;
    watch(this, 'key_free', number);
  }
  get number() {
    return this.#number;
  }
  /** 'rsa', 'ec', 'ed25519' …; asymmetric keys only. */
  get kind() {
    return binding().key_kind(this.#number);
  }
  bytes() {
    return binding().key_bytes(this.#number);
  }
  publicHalf() {
    return this.type === 'public' ? this : new KeyObjectHandle(binding().key_public_of(this.#number), 'public');
  }
  equals(other) {
    return binding().key_equals(this.#number, other.number);
  }
  raw(what) {
    return binding().key_export_raw(this.#number, what);
  }
  export(isPem, type, cipher, passphrase) {
    if (this.type === 'public') return binding().key_export_public(this.#number, isPem, type);
    const seeded = type === 'pkcs8' && cipher == null ? seedPkcs8(this) : undefined;
    if (seeded !== undefined) return isPem ? toPem(seeded) : seeded;
    return binding().key_export_private(this.#number, isPem, type, cipher ?? undefined, passphrase ?? undefined);
  }
}

// The last two arcs of the object identifiers of keys that are exported as seeds.
const SEEDED = {
  __proto__: null,
  'ml-dsa-44': [3, 17],
  'ml-dsa-65': [3, 18],
  'ml-dsa-87': [3, 19],
  'ml-kem-512': [4, 1],
  'ml-kem-768': [4, 2],
  'ml-kem-1024': [4, 3],
};

/** Returns PKCS#8 with only the seed, as Node writes it, or undefined for a key without a seed. */
function seedPkcs8(handle) {
  const place = SEEDED[handle.kind];
  const seed = place && handle.raw('seed');
  if (seed === undefined) return undefined;
  const algorithm = [0x30, 11, 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, ...intact(place)];
  const key = [4, seed.length + 2, 0x80, seed.length, ...intact(seed)];
  return Uint8ArrayFrom(intact([0x30, 3 + algorithm.length + key.length, 2, 1, 0, ...intact(algorithm), ...intact(key)]));
}

const toPem = (der) =>
  host.native.encodeUtf8(
    `-----BEGIN PRIVATE KEY-----\n${ArrayJoin(RegExpMatch(/.{1,64}/g, der.toBase64()) ?? [], '\n')}\n-----END PRIVATE KEY-----\n`,
  );

const secretHandle = (bytes) => new KeyObjectHandle(binding().key_secret(bytes), 'secret');

/**
 * Returns a key's parameters for node:crypto and crypto.subtle, such as its modulus length or curve; publicExponent is a
 * BigInt.
 */
function detailsOf(handle) {
  const details = binding().key_details(handle.number);
  if (details.publicExponent !== undefined) {
    let exponent = 0n;
    for (const byte of intact(details.publicExponent)) exponent = exponent * 256n + BigInt(byte);
    details.publicExponent = exponent;
  }
  return details;
}

function nativeError(Class, code, message) {
  return ObjectAssign(new Class(message), { code }); // as Node's native code throws them
}

const incompatible = () =>
  nativeError(Error, 'ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS', 'The selected key encoding is incompatible with the key type');

module.exports = { KeyObjectHandle, secretHandle, detailsOf, nativeError, incompatible, codes };
