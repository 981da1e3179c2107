// @ts-check
'use strict';
// Owns: which algorithms crypto.subtle supports for which operation, and the normalization of an algorithm's parameters.

const { mapOf } = require('internal/collections');
const {
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
const { SHAPES } = require('web/crypto/parameters');
const { failure, warnOfExperiment } = require('web/crypto/problems');
const { text, wrong } = require('web/crypto/webidl');

const PREFIX = 'Failed to normalize algorithm: passed algorithm';

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
const kem = {
  'generateKey': null,
  'exportKey': null,
  'importKey': null,
  'encapsulate': null,
  'decapsulate': null,
  'get shared key length': null,
};
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
  'MLKEM768-P256': kem,
  'MLKEM768-X25519': kem,
  'MLKEM1024-P384': kem,
  'SHA-1': digest,
  'SHA-256': digest,
  'SHA-384': digest,
  'SHA-512': digest,
  'SHA3-256': digest,
  'SHA3-384': digest,
  'SHA3-512': digest,
  'cSHAKE128': { digest: 'CShakeParams' },
  'cSHAKE256': { digest: 'CShakeParams' },
  'KT128': { digest: 'KangarooTwelveParams' },
  'KT256': { digest: 'KangarooTwelveParams' },
  'TurboSHAKE128': { digest: 'TurboShakeParams' },
  'TurboSHAKE256': { digest: 'TurboShakeParams' },
};
const EXPERIMENTAL = /^(?:AES-OCB|Argon2|ChaCha20|cSHAKE|Ed448|KMAC|KT|ML|SHA3-|TurboSHAKE|X448)/;

const NAMES = mapOf(ArrayMap(ObjectKeys(OPERATIONS), (name) => [StringToUpperCase(name), name]));

/**
 * Normalizes `algorithm` (a name or an object) for an operation. Returns a fresh object with its canonical name and checked
 * parameters.
 * @returns {any}
 */
function normalize(algorithm, operation) {
  if (typeof algorithm === 'string') algorithm = { name: algorithm };
  const givenName = algorithm.name;
  if (givenName === undefined) {
    throw wrong(`${PREFIX} cannot be converted to 'Algorithm' because 'name' is required in 'Algorithm'.`, 'ERR_MISSING_OPTION');
  }
  const name = MapGet(NAMES, StringToUpperCase(text(givenName, 'Failed to normalize algorithm: name in passed algorithm')));
  const shape = name === undefined ? undefined : OPERATIONS[name][operation];
  if (shape === undefined) throw failure('Unrecognized algorithm name', 'NotSupportedError');
  if (RegExpTest(EXPERIMENTAL, name)) warnOfExperiment(`The ${name} Web Crypto API algorithm`);
  const normal = shape === null ? { name } : parametersOf(algorithm, name, shape);
  if (normal.hash !== undefined) normal.hash = normalize(normal.hash, 'digest');
  return normal;
}

/** @returns {Record<string, any>} */
function parametersOf(algorithm, name, shape) {
  const normal = { name };
  const context = { name, given: algorithm };
  for (const {
    0: key,
    1: { 0: convert, 1: isRequired },
  } of intact(ObjectEntries(SHAPES[shape]))) {
    const value = algorithm[key];
    if (value !== undefined)
      normal[key] = convert(value, `Failed to normalize algorithm: ${key} in passed algorithm`, shape, context);
    else if (isRequired)
      throw wrong(
        `${PREFIX} cannot be converted to '${shape}' because '${key}' is required in '${shape}'.`,
        'ERR_MISSING_OPTION',
      );
  }
  return normal;
}

/** Returns OpenSSL's name of a digest. */
const digestName = (name) =>
  StringStartsWith(name, 'SHA3-') ? StringToLowerCase(name) : StringToLowerCase(StringReplace(name, '-', ''));

module.exports = { normalize, digestName, OPERATIONS };
