// @ts-check
'use strict';
// Owns: which algorithms crypto.subtle has for which operation, and an algorithm's parameters in their normal form.

const { isUint8Array } = require('internal/brands');
const { AnySlice } = require('internal/any_kind');
const { mapOf } = require('internal/collections');
const {
  ArrayIncludes,
  ArrayMap,
  MapGet,
  ObjectEntries,
  ObjectKeys,
  RegExpTest,
  StringReplace,
  StringStartsWith,
  StringToLowerCase,
  StringToUpperCase,
  intact,
} = require('internal/primordials');
const { isCryptoKey } = require('web/crypto/key');
const { failure, warnOfExperiment } = require('web/crypto/problems');
const { bytes, integer, text, wrong } = require('web/crypto/webidl');

const PREFIX = 'Failed to normalize algorithm: passed algorithm';
const USHORT = 2 ** 16 - 1;
const ULONG = 2 ** 32 - 1;
const LEAST_MODULUS = 512;

// Parameters: name -> [kind, is it required]. A kind is a function of the value and the words for its place.
const hash = (value) => normalize(typeof value === 'object' && value !== null ? value : `${value}`, 'digest');
const sha = (value, place, shape) => {
  const name = typeof value === 'object' && value !== null ? value.name : value;
  if (!RegExpTest(/^SHA/i, `${name}`)) throw failure(`Only SHA hashes are supported in ${shape}`, 'NotSupportedError');
  return hash(value);
};
const ushort = (value, place) => integer(value, place, USHORT);
const ulong = (value, place) => integer(value, place, ULONG);
const octet = (value, place) => integer(value, place, 255);
const curve = (value, place) => {
  const name = text(value, place);
  if (!ArrayIncludes(['P-256', 'P-384', 'P-521'], name)) throw failure('Unrecognized namedCurve', 'NotSupportedError');
  return name;
};
const publicKey = (value, place) => {
  if (!isCryptoKey(value)) throw wrong(`${place} is not of type CryptoKey.`);
  if (value.type !== 'public') throw failure('algorithm.public must be a public key', 'InvalidAccessError');
  return value;
};
const aesLength = (value, place) => {
  const length = ushort(value, place);
  if (!ArrayIncludes([128, 192, 256], length)) throw failure('AES key length must be 128, 192, or 256 bits', 'OperationError');
  return length;
};
const sized = (size, name) => (value, place) => {
  const found = bytes(value, place);
  if (found.length !== size) throw failure(`${name} must contain exactly ${size} bytes`, 'OperationError');
  return found;
};
const modulus = (value, place) => {
  const length = ulong(value, place);
  if (length < LEAST_MODULUS) throw failure(`algorithm.modulusLength must be at least ${LEAST_MODULUS}`, 'OperationError');
  return length;
};
const exponent = (value, place) => {
  if (!isUint8Array(value)) throw wrong(`${place} is not an Uint8Array object.`);
  const number = numberOf(value);
  if (number < 3) throw failure('algorithm.publicExponent must be at least 3', 'OperationError');
  if (number % 2 === 0) throw failure('algorithm.publicExponent must be odd', 'OperationError');
  return AnySlice(value);
};
const counterLength = (value, place) => {
  const length = octet(value, place);
  if (length === 0 || length > 128) throw failure('AES-CTR algorithm.length must be between 1 and 128', 'OperationError');
  return length;
};
const iterations = (value, place) => {
  const count = ulong(value, place);
  if (count === 0) throw failure('iterations cannot be zero', 'OperationError');
  return count;
};
const hmacLength = (error) => (value, place) => {
  const length = ulong(value, place);
  if (length === 0) throw failure('HMAC key length cannot be zero', error);
  return length;
};

function numberOf(array) {
  let number = 0;
  for (const byte of intact(array)) number = number * 256 + byte;
  if (number > ULONG) throw failure('algorithm.publicExponent must fit in an unsigned 32-bit integer', 'OperationError');
  return number;
}

const hashed = { hash: [sha, true] };
const onCurve = { namedCurve: [curve, true] };
const aesKey = { length: [aesLength, true] };
const kmacKey = { length: [ulong] };

// By the names of their dictionaries, which errors tell.
const SHAPES = {
  __proto__: null,
  AesKeyGenParams: aesKey,
  AesDerivedKeyParams: aesKey,
  AesCbcParams: { iv: [sized(16, 'algorithm.iv'), true] },
  AesCtrParams: { counter: [sized(16, 'algorithm.counter'), true], length: [counterLength, true] },
  AeadParams: { iv: [bytes, true], additionalData: [bytes], tagLength: [octet] },
  RsaHashedKeyGenParams: { hash: [sha, true], modulusLength: [modulus, true], publicExponent: [exponent, true] },
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
  KmacParams: { outputLength: [ulong, true], customization: [bytes] },
  ContextParams: { context: [bytes] },
  HkdfParams: { hash: [sha, true], info: [bytes, true], salt: [bytes, true] },
  Pbkdf2Params: { hash: [sha, true], iterations: [iterations, true], salt: [bytes, true] },
  Argon2Params: {
    associatedData: [bytes],
    memory: [ulong, true],
    nonce: [bytes, true],
    parallelism: [ulong, true],
    passes: [ulong, true],
    secretValue: [bytes],
    version: [octet],
  },
  EcdhKeyDeriveParams: { public: [publicKey, true] },
  CShakeParams: { customization: [bytes], functionName: [bytes], outputLength: [ulong, true] },
};

const aes = (parameters) => ({
  generateKey: 'AesKeyGenParams',
  exportKey: null,
  importKey: null,
  encrypt: parameters,
  decrypt: parameters,
  'get key length': 'AesDerivedKeyParams',
});
const rsaSign = (parameters) => ({
  generateKey: 'RsaHashedKeyGenParams',
  exportKey: null,
  importKey: 'RsaHashedImportParams',
  sign: parameters,
  verify: parameters,
});
const named = (parameters) => ({ generateKey: null, exportKey: null, importKey: null, sign: parameters, verify: parameters });
const exchange = (generated, imported) => ({
  generateKey: generated,
  exportKey: null,
  importKey: imported,
  deriveBits: 'EcdhKeyDeriveParams',
});
const derivation = (parameters) => ({ importKey: null, deriveBits: parameters, 'get key length': null });
const kem = { generateKey: null, exportKey: null, importKey: null, encapsulate: null, decapsulate: null };
const kmac = {
  generateKey: 'KmacKeyGenParams',
  exportKey: null,
  importKey: 'KmacImportParams',
  sign: 'KmacParams',
  verify: 'KmacParams',
  'get key length': 'KmacImportParams',
};
const digest = { digest: null };

const OPERATIONS = {
  __proto__: null,
  'AES-CBC': aes('AesCbcParams'),
  'AES-CTR': aes('AesCtrParams'),
  'AES-GCM': aes('AeadParams'),
  'AES-OCB': aes('AeadParams'),
  'AES-KW': {
    generateKey: 'AesKeyGenParams',
    exportKey: null,
    importKey: null,
    'get key length': 'AesDerivedKeyParams',
    wrapKey: null,
    unwrapKey: null,
  },
  'ChaCha20-Poly1305': {
    generateKey: null,
    exportKey: null,
    importKey: null,
    encrypt: 'AeadParams',
    decrypt: 'AeadParams',
    'get key length': null,
  },
  'RSASSA-PKCS1-v1_5': rsaSign(null),
  'RSA-PSS': rsaSign('RsaPssParams'),
  'RSA-OAEP': {
    generateKey: 'RsaHashedKeyGenParams',
    exportKey: null,
    importKey: 'RsaHashedImportParams',
    encrypt: 'RsaOaepParams',
    decrypt: 'RsaOaepParams',
  },
  'ECDSA': {
    generateKey: 'EcKeyGenParams',
    exportKey: null,
    importKey: 'EcKeyImportParams',
    sign: 'EcdsaParams',
    verify: 'EcdsaParams',
  },
  'ECDH': exchange('EcKeyGenParams', 'EcKeyImportParams'),
  'X25519': exchange(null, null),
  'X448': exchange(null, null),
  'Ed25519': named(null),
  'Ed448': named('ContextParams'),
  'HMAC': {
    generateKey: 'HmacKeyGenParams',
    exportKey: null,
    importKey: 'HmacImportParams',
    sign: null,
    verify: null,
    'get key length': 'HmacImportParams',
  },
  'KMAC128': kmac,
  'KMAC256': kmac,
  'HKDF': derivation('HkdfParams'),
  'PBKDF2': derivation('Pbkdf2Params'),
  'Argon2d': derivation('Argon2Params'),
  'Argon2i': derivation('Argon2Params'),
  'Argon2id': derivation('Argon2Params'),
  'ML-DSA-44': named('ContextParams'),
  'ML-DSA-65': named('ContextParams'),
  'ML-DSA-87': named('ContextParams'),
  'ML-KEM-512': kem,
  'ML-KEM-768': kem,
  'ML-KEM-1024': kem,
  'SHA-1': digest,
  'SHA-256': digest,
  'SHA-384': digest,
  'SHA-512': digest,
  'SHA3-256': digest,
  'SHA3-384': digest,
  'SHA3-512': digest,
  'cSHAKE128': { digest: 'CShakeParams' },
  'cSHAKE256': { digest: 'CShakeParams' },
};
const EXPERIMENTAL = /^(?:AES-OCB|Argon2|ChaCha20|cSHAKE|Ed448|X448|KMAC|ML-|SHA3-)/;

const NAMES = mapOf(ArrayMap(ObjectKeys(OPERATIONS), (name) => [StringToUpperCase(name), name]));

/** `algorithm` (a name or an object) for an operation: a fresh object with its canonical name and checked parameters. */
function normalize(algorithm, operation) {
  if (typeof algorithm === 'string') algorithm = { name: algorithm };
  const given = algorithm.name;
  if (given === undefined) {
    throw wrong(`${PREFIX} cannot be converted to 'Algorithm' because 'name' is required in 'Algorithm'.`, 'ERR_MISSING_OPTION');
  }
  const name = MapGet(NAMES, StringToUpperCase(text(given, `'name' of 'Algorithm' (${PREFIX})`)));
  const shape = name === undefined ? undefined : OPERATIONS[name][operation];
  if (shape === undefined) throw failure('Unrecognized algorithm name', 'NotSupportedError');
  if (RegExpTest(EXPERIMENTAL, name)) warnOfExperiment(`The ${name} Web Crypto API algorithm`);
  const normal = { name };
  if (shape === null) return normal;
  for (const {
    0: key,
    1: { 0: convert, 1: isRequired },
  } of intact(ObjectEntries(SHAPES[shape]))) {
    const value = algorithm[key];
    if (value !== undefined) normal[key] = convert(value, `'${key}' of '${shape}' (${PREFIX})`, shape);
    else if (isRequired)
      throw wrong(
        `${PREFIX} cannot be converted to '${shape}' because '${key}' is required in '${shape}'.`,
        'ERR_MISSING_OPTION',
      );
  }
  return normal;
}

/** OpenSSL's name of a digest. */
const digestName = (name) =>
  StringStartsWith(name, 'SHA3-') ? StringToLowerCase(name) : StringToLowerCase(StringReplace(name, '-', ''));

module.exports = { normalize, numberOf, digestName, OPERATIONS };
