// @ts-check
'use strict';
// Owns: the parameter dictionaries of algorithms, under the names that errors show: how each member is converted and validated.
// Values that an algorithm can never use are rejected here, so that SubtleCrypto.supports() returns false for them.

const { isUint8Array } = require('internal/brands');
const { ArrayIncludes, RegExpTest, intact } = require('internal/primordials');
const { isCryptoKey, slotsOf } = require('web/crypto/key');
const { failure } = require('web/crypto/problems');
const { bytes, integer, text, wrong } = require('web/crypto/webidl');

const USHORT = 2 ** 16 - 1;
const ULONG = 2 ** 32 - 1;
const INT = 2 ** 31 - 1;
const MOST_BYTES = 2 ** 31 - 1;
const LEAST_MODULUS = 512;

const operationError = (message) => failure(message, 'OperationError');

// A converter takes the value, a description of its position, the dictionary's name, and the known parameters of the algorithm.
const sha = (value, place, shape) => {
  const identifier = typeof value === 'object' || typeof value === 'function' ? (value ?? 'null') : text(value, place);
  const name = typeof identifier === 'string' ? identifier : identifier.name;
  if (typeof name !== 'string' || !RegExpTest(/^sha/i, name))
    throw failure(`Only SHA hashes are supported in ${shape}`, 'NotSupportedError');
  return identifier;
};
const ushort = (value, place) => integer(value, place, USHORT);
const ulong = (value, place) => integer(value, place, ULONG);
const octet = (value, place) => integer(value, place, 255);
const curve = (value, place) => {
  const name = text(value, place);
  if (!ArrayIncludes(['P-256', 'P-384', 'P-521'], name)) throw failure('Unrecognized namedCurve', 'NotSupportedError');
  return name;
};
const publicKey = (value, place, shape, { name }) => {
  if (!isCryptoKey(value)) throw wrong(`${place} is not of type CryptoKey.`);
  if (slotsOf(value).handle.type !== 'public') throw failure('algorithm.public must be a public key', 'InvalidAccessError');
  if (slotsOf(value).algorithm.name !== name) throw failure('key algorithm mismatch', 'InvalidAccessError');
  return value;
};
const aesLength = (value, place) => {
  const length = ushort(value, place);
  if (!ArrayIncludes([128, 192, 256], length)) throw operationError('AES key length must be 128, 192, or 256 bits');
  return length;
};
const sized = (size, name) => (value, place) => {
  const result = bytes(value, place);
  if (result.length !== size) throw operationError(`${name} must contain exactly ${size} bytes`);
  return result;
};
const atMost = (size, name) => (value, place) => {
  const result = bytes(value, place);
  if (result.length > size) throw operationError(`${name} must be at most ${size} bytes`);
  return result;
};
const modulus = (value, place) => {
  const length = ulong(value, place);
  if (length < LEAST_MODULUS) throw operationError(`algorithm.modulusLength must be at least ${LEAST_MODULUS}`);
  return length;
};
const exponent = (value, place) => {
  if (!isUint8Array(value)) throw wrong(`${place} is not an Uint8Array object.`);
  const number = numberOf(value);
  if (number < 3) throw operationError('algorithm.publicExponent must be at least 3');
  if (number % 2 === 0) throw operationError('algorithm.publicExponent must be odd');
  return bytes(value, place);
};
const counterLength = (value, place) => {
  const length = octet(value, place);
  if (length === 0 || length > 128) throw operationError('AES-CTR algorithm.length must be between 1 and 128');
  return length;
};
const iterations = (value, place) => {
  const count = ulong(value, place);
  if (count === 0) throw operationError('iterations cannot be zero');
  if (count > INT) throw failure('iterations exceeds the implementation limit', 'NotSupportedError');
  return count;
};
const hmacLength = (error) => (value, place, shape) => {
  const length = ulong(value, place);
  if (length === 0) throw failure(`${shape}.length cannot be 0`, error);
  return length;
};

const TAGS = {
  '__proto__': null,
  'AES-GCM': [32, 64, 96, 104, 112, 120, 128],
  'AES-OCB': [64, 96, 128],
  'ChaCha20-Poly1305': [128],
};
const aeadVector = (value, place, shape, { name }) => {
  const result = bytes(value, place);
  if (name === 'ChaCha20-Poly1305' && result.length !== 12) throw operationError('algorithm.iv must contain exactly 12 bytes');
  if (name === 'AES-OCB' && result.length > 15) throw operationError('AES-OCB algorithm.iv must be no more than 15 bytes');
  return result;
};
const aeadTag = (value, place, shape, { name }) => {
  const length = octet(value, place);
  if (!ArrayIncludes(TAGS[name], length)) throw operationError(`${length} is not a valid ${name} tag length`);
  return length;
};

const argonNonce = (value, place) => {
  const result = bytes(value, place);
  if (result.length < 8) throw operationError('nonce must be at least 8 bytes');
  return result;
};
const argonParallelism = (value, place) => {
  const count = ulong(value, place);
  if (count === 0 || count > 2 ** 24 - 1) throw operationError('parallelism must be > 0 and <= 16777215');
  return count;
};
const argonMemory = (value, place, shape, { given }) => {
  const size = ulong(value, place);
  if (size < 8 * given.parallelism) throw operationError('memory must be at least 8 times the degree of parallelism');
  return size;
};
const argonPasses = (value, place) => {
  const count = ulong(value, place);
  if (count === 0) throw operationError('passes must be > 0');
  return count;
};
const argonVersion = (value, place) => {
  const version = octet(value, place);
  if (version !== 0x13) throw operationError(`${version} is not a valid Argon2 version`);
  return version;
};

const FUNCTIONS = ['KMAC', 'TupleHash', 'ParallelHash'];
const shakeFunction = (value, place) => {
  const result = bytes(value, place);
  if (result.length > 0 && !ArrayIncludes(FUNCTIONS, host.native.decodeUtf8(result)))
    throw failure('Unsupported CShakeParams functionName', 'NotSupportedError');
  return result;
};
const shakeLength = (value, place, shape) => {
  const length = ulong(value, place);
  if (length > ULONG - 7) throw operationError(`Invalid ${shape} outputLength`);
  return length;
};
const wholeLength = (value, place, shape) => {
  const length = ulong(value, place);
  if (length === 0 || length % 8 !== 0) throw operationError(`Invalid ${shape} outputLength`);
  return length;
};
const separation = (value, place, shape) => {
  const result = octet(value, place);
  if (result < 0x01 || result > 0x7f) throw operationError(`${shape}.domainSeparation must be in range 0x01-0x7f`);
  return result;
};

/** Returns the number that a big-endian array encodes. */
function numberOf(array) {
  let number = 0;
  for (const byte of intact(array)) number = number * 256 + byte;
  if (number > ULONG) throw operationError('algorithm.publicExponent must fit in an unsigned 32-bit integer');
  return number;
}

const hashed = { hash: [sha, true] };
const onCurve = { namedCurve: [curve, true] };
const aesKey = { length: [aesLength, true] };
const kmacKey = { length: [ulong] };

// Members sorted by name, which is the order of conversion: name -> [converter, whether it is required].
const SHAPES = {
  __proto__: null,
  AesKeyGenParams: aesKey,
  AesDerivedKeyParams: aesKey,
  AesCbcParams: { iv: [sized(16, 'algorithm.iv'), true] },
  AesCtrParams: { counter: [sized(16, 'algorithm.counter'), true], length: [counterLength, true] },
  AeadParams: { additionalData: [atMost(MOST_BYTES, 'algorithm.additionalData')], iv: [aeadVector, true], tagLength: [aeadTag] },
  RsaHashedKeyGenParams: { modulusLength: [modulus, true], publicExponent: [exponent, true], hash: [sha, true] },
  RsaHashedImportParams: hashed,
  EcdsaParams: hashed,
  EcKeyGenParams: onCurve,
  EcKeyImportParams: onCurve,
  RsaPssParams: { saltLength: [ulong, true] },
  RsaOaepParams: { label: [bytes] },
  HmacKeyGenParams: { hash: [sha, true], length: [hmacLength('OperationError')] },
  HmacImportParams: { hash: [sha, true], length: [hmacLength('DataError')] },
  KmacKeyGenParams: kmacKey,
  KmacImportParams: kmacKey,
  KmacParams: { customization: [bytes], outputLength: [ulong, true] },
  ContextParams: { context: [atMost(255, 'ContextParams.context')] },
  HkdfParams: { hash: [sha, true], info: [atMost(1024, 'algorithm.info'), true], salt: [bytes, true] },
  Pbkdf2Params: { hash: [sha, true], iterations: [iterations, true], salt: [bytes, true] },
  Argon2Params: {
    associatedData: [bytes],
    memory: [argonMemory, true],
    nonce: [argonNonce, true],
    parallelism: [argonParallelism, true],
    passes: [argonPasses, true],
    secretValue: [bytes],
    version: [argonVersion],
  },
  EcdhKeyDeriveParams: { public: [publicKey, true] },
  CShakeParams: {
    customization: [atMost(512, 'CShakeParams.customization')],
    functionName: [shakeFunction],
    outputLength: [shakeLength, true],
  },
  KangarooTwelveParams: { customization: [atMost(512, 'KangarooTwelveParams.customization')], outputLength: [wholeLength, true] },
  TurboShakeParams: { domainSeparation: [separation], outputLength: [wholeLength, true] },
};

module.exports = { SHAPES, numberOf };
