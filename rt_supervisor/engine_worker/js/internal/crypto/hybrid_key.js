// @ts-check
'use strict';
// Owns: keys of hybrid KEMs (draft-irtf-cfrg-concrete-hybrid-kems): an ML-KEM key and a key of a group, both derived from one
// seed, and the shared secret combined from both.

const { AnySlice, AnySubarray } = require('internal/any_kind');
const { TypedArraySet, Uint8ArrayFrom, intact } = require('internal/primordials');
const { binding, callAsync } = require('internal/crypto/binding');
const { KeyObjectHandle } = require('internal/crypto/key_handle');

const SEED_BYTES = 32;
const KEM_SEED_BYTES = 64;
const UNCOMPRESSED = 4;
const ORDER_256 = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const ORDER_384 = 0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n;

// Sizes in bytes: the ML-KEM public key, its ciphertext, a scalar and a point of the group, and the expanded seed in which
// scalars are searched.
const HYBRIDS = {
  '__proto__': null,
  'MLKEM768-P256': {
    kem: 'ml-kem-768',
    kemPublic: 1184,
    kemCipher: 1088,
    curve: 'prime256v1',
    order: ORDER_256,
    scalar: 32,
    point: 65,
    seed: 128,
    label: 'MLKEM768-P256',
  },
  'MLKEM768-X25519': { kem: 'ml-kem-768', kemPublic: 1184, kemCipher: 1088, scalar: 32, point: 32, seed: 32, label: '\\.//^\\' },
  'MLKEM1024-P384': {
    kem: 'ml-kem-1024',
    kemPublic: 1568,
    kemCipher: 1568,
    curve: 'secp384r1',
    order: ORDER_384,
    scalar: 48,
    point: 97,
    seed: 48,
    label: 'MLKEM1024-P384',
  },
};

function concatenate(parts) {
  let size = 0;
  for (const part of intact(parts)) size += part.length;
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of intact(parts)) {
    TypedArraySet(all, part, at);
    at += part.length;
  }
  return all;
}

function importPart(kind, format, bytes, curve) {
  const number = binding().key_import_raw(kind, format, bytes, curve);
  if (number === undefined) throw new Error('Invalid key data');
  return new KeyObjectHandle(number, format === 'public' ? 'public' : 'private');
}

const groupKey = ({ curve }, format, bytes) =>
  curve === undefined ? importPart('x25519', format, bytes) : importPart('ec', format, bytes, curve);

function groupPublic(hybrid, bytes) {
  if (hybrid.curve !== undefined && bytes[0] !== UNCOMPRESSED) throw new Error('Invalid key data');
  return groupKey(hybrid, 'public', bytes);
}

function pointOf(handle, { curve }) {
  if (curve === undefined) return handle.raw('public');
  const { x, y } = binding().key_parts(handle.number);
  return concatenate([Uint8ArrayFrom(intact([UNCOMPRESSED])), x, y]);
}

/** Returns the first valid scalar of the group in the bytes, or undefined. */
function scalarIn(bytes, { order, scalar }) {
  if (order === undefined) return bytes;
  for (let at = 0; at + scalar <= bytes.length; at += scalar) {
    const candidate = AnySlice(bytes, at, at + scalar);
    let number = 0n;
    for (const byte of intact(candidate)) number = number * 256n + BigInt(byte);
    if (number !== 0n && number < order) return candidate;
  }
  return undefined;
}

function scalarKey(hybrid, bytes) {
  const scalar = scalarIn(bytes, hybrid);
  if (scalar === undefined) throw new Error('No scalar of the group in the seed');
  return groupKey(hybrid, 'private', scalar);
}

/** Combines both keys behind the interface of a key handle; OpenSSL sees only its ML-KEM key. */
class HybridHandle {
  type;
  name;
  kem;
  group;
  seed;

  constructor(type, name, kem, group, seed) {
    this.type = type;
    this.name = name;
    this.kem = kem;
    this.group = group;
    this.seed = seed;
  }
  get number() {
    return this.kem.number;
  }
  get kind() {
    return this.kem.kind;
  }
  raw(what) {
    if (what === 'seed') return this.seed === undefined ? undefined : AnySlice(this.seed);
    return concatenate([this.kem.raw('public'), pointOf(this.group, HYBRIDS[this.name])]);
  }
  publicHalf() {
    return fromPublic(this.name, this.raw('public'));
  }
  equals(other) {
    return other.name === this.name && this.kem.equals(other.kem) && this.group.equals(other.group);
  }
}

const isHybrid = (name) => name in HYBRIDS;

/** Returns the private key for a seed, or undefined if the seed's size is wrong. Throws if a part cannot be created. */
function fromSeed(name, seed) {
  if (seed.length !== SEED_BYTES) return undefined;
  const hybrid = HYBRIDS[name];
  const expanded = binding().hash_once('shake256', seed, KEM_SEED_BYTES + hybrid.seed);
  const kem = importPart(hybrid.kem, 'seed', AnySlice(expanded, 0, KEM_SEED_BYTES));
  return new HybridHandle('private', name, kem, scalarKey(hybrid, AnySlice(expanded, KEM_SEED_BYTES)), AnySlice(seed));
}

/** Returns the public key for its bytes; errors as in `fromSeed`. */
function fromPublic(name, bytes) {
  const hybrid = HYBRIDS[name];
  if (bytes.length !== hybrid.kemPublic + hybrid.point) return undefined;
  const kem = importPart(hybrid.kem, 'public', AnySlice(bytes, 0, hybrid.kemPublic));
  return new HybridHandle('public', name, kem, groupPublic(hybrid, AnySlice(bytes, hybrid.kemPublic)));
}

const generate = (name) => fromSeed(name, binding().random_bytes(SEED_BYTES));

function combineSecrets(hybrid, kemSecret, groupSecret, groupCipher, point) {
  const label = host.native.encodeUtf8(hybrid.label);
  return callAsync('hash_once', ['sha3-256', concatenate([kemSecret, groupSecret, groupCipher, point, label])]);
}

/** Returns [secret, ciphertext] for a public key. */
async function encapsulate(handle) {
  const hybrid = HYBRIDS[handle.name];
  const [kemSecret, kemCipher] = intact(await callAsync('kem_encapsulate', [handle.kem.number]));
  const own = scalarKey(hybrid, binding().random_bytes(hybrid.seed));
  const groupCipher = pointOf(own, hybrid);
  const groupSecret = await callAsync('key_derive', [own.number, handle.group.number]);
  const secret = await combineSecrets(hybrid, kemSecret, groupSecret, groupCipher, pointOf(handle.group, hybrid));
  return [secret, concatenate([kemCipher, groupCipher])];
}

/** Returns the secret for a ciphertext, or undefined if the ciphertext's size is wrong. */
async function decapsulate(handle, ciphertext) {
  const hybrid = HYBRIDS[handle.name];
  if (ciphertext.length !== hybrid.kemCipher + hybrid.point) return undefined;
  const groupCipher = AnySlice(ciphertext, hybrid.kemCipher);
  const other = groupPublic(hybrid, groupCipher);
  const kemSecret = await callAsync('kem_decapsulate', [handle.kem.number, AnySubarray(ciphertext, 0, hybrid.kemCipher)]);
  const groupSecret = await callAsync('key_derive', [handle.group.number, other.number]);
  return combineSecrets(hybrid, kemSecret, groupSecret, groupCipher, pointOf(handle.group, hybrid));
}

module.exports = { HybridHandle, isHybrid, fromSeed, fromPublic, generate, encapsulate, decapsulate };
