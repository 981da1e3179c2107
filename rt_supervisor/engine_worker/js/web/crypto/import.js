// @ts-check
'use strict';
// Owns: the creation of CryptoKeys from bytes, JSON Web Keys, and existing keys.

const { AnyIncludes } = require('internal/any_kind');
const { setOf } = require('internal/collections');
const {
  ArrayFilter,
  ArrayIncludes,
  ArrayIsArray,
  ArraySome,
  MathCeil,
  RegExpTest,
  StringReplace,
  StringSlice,
  StringStartsWith,
  StringToLowerCase,
  intact,
} = require('internal/primordials');
const { binding } = require('internal/crypto/binding');
const { KeyObjectHandle, detailsOf, secretHandle } = require('internal/crypto/key_handle');
const hybrids = require('internal/crypto/hybrid_key');
const { CURVES, fromBase64Url, importJwk } = require('internal/crypto/jwk');
const { normalize } = require('web/crypto/algorithms');
const { cryptoKey } = require('web/crypto/key');
const { failure, operationError } = require('web/crypto/problems');
const { USAGES, wrong } = require('web/crypto/webidl');

const CIPHER = ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'];
const MAC = ['sign', 'verify'];
const SIGNATURE = [['verify'], ['sign']];
const EXCHANGE = [[], ['deriveKey', 'deriveBits']];
const KEM = [
  ['encapsulateKey', 'encapsulateBits'],
  ['decapsulateKey', 'decapsulateBits'],
];

/** The usages that keys of an algorithm may have: [public, private], or one list for secret keys. */
function usagesOf(name) {
  if (name === 'AES-KW') return ['wrapKey', 'unwrapKey'];
  if (RegExpTest(/^(?:AES|ChaCha)/, name)) return CIPHER;
  if (RegExpTest(/^[HK]MAC/, name)) return MAC;
  if (name === 'RSA-OAEP')
    return [
      ['encrypt', 'wrapKey'],
      ['decrypt', 'unwrapKey'],
    ];
  if (RegExpTest(/^(?:ECDH|X25519|X448)$/, name)) return EXCHANGE;
  if (RegExpTest(/^ML-?KEM/, name)) return KEM;
  return RegExpTest(/^(?:HKDF|PBKDF2|Argon2)/, name) ? EXCHANGE[1] : SIGNATURE;
}

function checkUsages(name, usages, allowed) {
  if (ArraySome(usages, (usage) => !AnyIncludes(allowed, usage)))
    throw failure(`Unsupported key usage for ${name} key`, 'SyntaxError');
}

/** Returns the allowed ones of `usages`, without duplicates and in canonical order. */
const canonical = (usages, allowed = USAGES) =>
  ArrayFilter(USAGES, (usage) => ArrayIncludes(usages, usage) && ArrayIncludes(allowed, usage));

const mismatch = (what) => failure(`JWK "${what}" does not match the requested algorithm`, 'DataError');
const invalid = (cause) => failure('Invalid keyData', 'DataError', cause);

const TEXTS = {
  __proto__: null,
  RSA: [
    ['n', 'e'],
    ['d', 'p', 'q', 'dp', 'dq', 'qi'],
  ],
  EC: [['crv', 'x', 'y'], ['d']],
  OKP: [['crv', 'x'], ['d']],
  AKP: [['alg', 'pub'], ['priv']],
  oct: [['k'], []],
};

function checkJwk(jwk, kty, extractable, usages, use) {
  if (typeof jwk.kty !== 'string') throw invalid();
  if (jwk.kty !== kty) throw failure('Invalid JWK "kty" Parameter', 'DataError');
  const [needed, secret] = intact(TEXTS[kty]);
  const isPrivate = secret.length > 0 && jwk[secret[0]] !== undefined;
  for (const name of intact(isPrivate ? [...intact(needed), ...intact(secret)] : needed))
    if (typeof jwk[name] !== 'string') throw invalid();
  if (usages.length > 0 && jwk.use !== undefined && jwk.use !== use) throw failure('Invalid JWK "use" Parameter', 'DataError');
  if (jwk.key_ops !== undefined) {
    if (!ArrayIsArray(jwk.key_ops)) throw wrong('The "keyData.key_ops" property must be an instance of Array.');
    const operations = ArrayFilter(jwk.key_ops, (operation) => ArrayIncludes(USAGES, operation));
    if (setOf(operations).size !== operations.length) throw failure('Duplicate key operation', 'DataError');
    if (ArraySome(usages, (usage) => !ArrayIncludes(operations, usage)))
      throw failure('Key operations and usage mismatch', 'DataError');
  }
  if (jwk.ext === false && extractable) throw failure('JWK "ext" Parameter and extractable mismatch', 'DataError');
}

/**
 * Returns the `alg` of a JSON Web Key for an algorithm, or undefined.
 * @param {{ name: string, length?: number, hash?: { name: string } }} algorithm
 */
function jwkName({ name, hash, length }) {
  const bits = hash === undefined ? undefined : StringReplace(hash.name, 'SHA-', '');
  const isSha = RegExpTest(/^SHA-/, hash?.name ?? '');
  switch (name) {
    case 'RSASSA-PKCS1-v1_5':
      return isSha ? `RS${bits}` : undefined;
    case 'RSA-PSS':
      return isSha ? `PS${bits}` : undefined;
    case 'RSA-OAEP':
      return isSha ? (bits === '1' ? 'RSA-OAEP' : `RSA-OAEP-${bits}`) : undefined;
    case 'HMAC':
      return isSha ? `HS${bits}` : undefined;
    case 'KMAC128':
      return 'K128';
    case 'KMAC256':
      return 'K256';
    case 'ChaCha20-Poly1305':
      return 'C20P';
    case 'Ed25519':
    case 'Ed448':
      return name;
    default:
      return StringStartsWith(name, 'AES-') ? `A${length}${StringSlice(name, 4)}` : undefined;
  }
}
const rsaAlg = (name) => (name === 'RS1' || name === 'PS1' ? name : name);

function secretFrom(format, data, algorithm, extractable, usages, use) {
  const { name } = algorithm;
  const hasRaw = !RegExpTest(/^(?:AES-OCB|ChaCha20|KMAC)/, name);
  if (format === 'raw-secret' || (format === 'raw' && hasRaw)) return secretHandle(data);
  if (format !== 'jwk') return undefined;
  checkJwk(data, 'oct', extractable, usages, use);
  return secretHandle(fromBase64Url(data.k));
}

function importCipher(format, data, algorithm, extractable, usages) {
  const { name } = algorithm;
  checkUsages(name, usages, usagesOf(name));
  const handle = format === 'handle' ? data : secretFrom(format, data, algorithm, extractable, usages, 'enc');
  if (handle === undefined) return undefined;
  const length = handle.bytes().length * 8;
  const isChaCha = StringStartsWith(name, 'ChaCha');
  if (isChaCha ? length !== 256 : !ArrayIncludes([128, 192, 256], length)) throw failure('Invalid key length', 'DataError');
  const own = isChaCha ? { name } : { name, length };
  if (format === 'jwk' && data.alg !== undefined && data.alg !== jwkName({ name, length })) throw mismatch('alg');
  return cryptoKey(handle, own, extractable, canonical(usages));
}

function importMac(format, data, algorithm, extractable, usages) {
  const { name, hash } = algorithm;
  checkUsages(name, usages, MAC);
  let handle = format === 'handle' ? data : secretFrom(format, data, algorithm, extractable, usages, 'sig');
  if (handle === undefined) return undefined;
  if (format === 'jwk' && data.alg !== undefined) {
    const expected = jwkName(algorithm);
    if (expected !== undefined && data.alg !== expected) throw mismatch('alg');
  }
  const bytes = handle.bytes();
  let length = bytes.length * 8;
  if (length === 0 && name === 'HMAC') throw failure('Zero-length key is not supported', 'DataError');
  if (algorithm.length !== undefined) {
    if (MathCeil(algorithm.length / 8) !== bytes.length) throw failure('Invalid key length', 'DataError');
    if (algorithm.length % 8 !== 0) {
      bytes[bytes.length - 1] &= (0xff << (8 - (algorithm.length % 8))) & 0xff;
      handle = secretHandle(bytes);
    }
    length = algorithm.length;
  }
  return cryptoKey(handle, name === 'HMAC' ? { name, length, hash } : { name, length }, extractable, canonical(usages));
}

function importDerivation(format, data, algorithm, extractable, usages) {
  const { name } = algorithm;
  const isArgon = StringStartsWith(name, 'Argon2');
  if (format !== 'handle' && format !== 'raw-secret' && (format !== 'raw' || isArgon)) return undefined;
  checkUsages(name, usages, EXCHANGE[1]);
  if (extractable) throw failure(`${name} keys are not extractable`, 'SyntaxError');
  const handle = format === 'handle' ? data : secretHandle(data);
  return cryptoKey(handle, { name }, false, canonical(usages));
}

/** Returns a handle for DER, a JSON Web Key or raw bytes, or undefined for a format that the algorithm does not support. */
function asymmetricFrom(format, data, kind, kty, curve) {
  try {
    switch (format) {
      case 'spki': {
        const [number] = intact(binding().key_import_any(data, false, 'spki'));
        return new KeyObjectHandle(number, 'public');
      }
      case 'pkcs8':
        return new KeyObjectHandle(binding().key_import_private(data, false, 'pkcs8'), 'private');
      case 'jwk':
        return importJwk(data, false);
      case 'raw':
      case 'raw-public':
      case 'raw-seed': {
        const number = binding().key_import_raw(kind, format === 'raw-seed' ? 'seed' : 'public', data, curve);
        if (number === undefined) throw new Error('Invalid key data');
        return new KeyObjectHandle(number, format === 'raw-seed' ? 'private' : 'public');
      }
      default:
        return undefined;
    }
  } catch (error) {
    throw invalid(error);
  }
}

const KTY = (name) =>
  StringStartsWith(name, 'RSA') ? 'RSA' : StringStartsWith(name, 'EC') ? 'EC' : StringStartsWith(name, 'ML') ? 'AKP' : 'OKP';

function formatsOf(name) {
  if (StringStartsWith(name, 'RSA')) return ['spki', 'pkcs8', 'jwk'];
  return StringStartsWith(name, 'ML')
    ? ['spki', 'pkcs8', 'jwk', 'raw-public', 'raw-seed']
    : ['spki', 'pkcs8', 'jwk', 'raw', 'raw-public'];
}

function checkJwkAlgorithm(jwk, algorithm) {
  const { name, namedCurve } = algorithm;
  if (StringStartsWith(name, 'EC') && jwk.crv !== namedCurve) throw mismatch('crv');
  if (KTY(name) === 'OKP' && jwk.crv !== name) throw failure('JWK "crv" Parameter and algorithm name mismatch', 'DataError');
  if (StringStartsWith(name, 'ML') && jwk.alg !== name)
    throw failure('JWK "alg" Parameter and algorithm name mismatch', 'DataError');
  if (jwk.alg === undefined) return;
  if (StringStartsWith(name, 'RSA')) {
    const expected = rsaAlg(jwkName(algorithm));
    if (expected !== undefined && jwk.alg !== expected) throw mismatch('alg');
  } else if (name === 'ECDSA') {
    if ({ ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' }[jwk.alg] !== namedCurve) throw mismatch('alg');
  } else if (StringStartsWith(name, 'Ed') && jwk.alg !== name && jwk.alg !== 'EdDSA') throw mismatch('alg');
}

function importAsymmetric(format, data, algorithm, extractable, usages) {
  const { name, namedCurve } = algorithm;
  const [forPublic, forPrivate] = intact(usagesOf(name));
  if (format !== 'handle' && !ArrayIncludes(formatsOf(name), format)) return undefined;
  const isPrivate =
    format === 'handle'
      ? data.type === 'private'
      : format === 'pkcs8' || format === 'raw-seed' || (format === 'jwk' && (data.d !== undefined || data.priv !== undefined));
  checkUsages(name, usages, isPrivate ? forPrivate : forPublic);
  const kind = StringStartsWith(name, 'EC') ? 'ec' : StringStartsWith(name, 'RSA') ? 'rsa' : StringToLowerCase(name);
  if (format === 'jwk') {
    const isForSecrecy = RegExpTest(/^(?:RSA-OAEP|ECDH|X25519|X448|ML-KEM)/, name);
    checkJwk(data, KTY(name), extractable, usages, isForSecrecy ? 'enc' : 'sig');
    checkJwkAlgorithm(data, algorithm);
  }
  const handle = format === 'handle' ? data : asymmetricFrom(format, data, kind, KTY(name), namedCurve && CURVES[namedCurve][0]);
  if (handle.kind !== kind) throw failure('Invalid key type', 'DataError');
  let own = { name };
  if (kind === 'rsa') own = { name, ...rsaFacts(handle), hash: algorithm.hash };
  else if (kind === 'ec') {
    if (detailsOf(handle).namedCurve !== CURVES[namedCurve][0]) throw failure('Named curve mismatch', 'DataError');
    own = { name, namedCurve };
  }
  return cryptoKey(handle, own, extractable, canonical(usages));
}

function rsaFacts(handle) {
  const { modulusLength, publicExponent } = binding().key_details(handle.number);
  return { modulusLength, publicExponent };
}

/** Imports a hybrid key from a public key or a seed. */
function hybridFrom(name, format, bytes) {
  let handle;
  try {
    handle = (format === 'public' ? hybrids.fromPublic : hybrids.fromSeed)(name, bytes);
  } catch (error) {
    throw format === 'public' ? invalid(error) : operationError(error);
  }
  if (handle === undefined) throw invalid();
  return handle;
}

function importHybrid(format, data, { name }, extractable, usages) {
  if (!ArrayIncludes(['raw-public', 'raw-seed', 'jwk'], format)) return undefined;
  const [forPublic, forPrivate] = intact(usagesOf(name));
  const isPublic = format === 'raw-public' || (format === 'jwk' && data.priv === undefined);
  checkUsages(name, usages, isPublic ? forPublic : forPrivate);
  if (format !== 'jwk')
    return cryptoKey(hybridFrom(name, isPublic ? 'public' : 'seed', data), { name }, extractable, canonical(usages));
  checkJwk(data, 'AKP', extractable, usages, 'enc');
  if (data.alg !== name) throw failure('JWK "alg" Parameter and algorithm name mismatch', 'DataError');
  const publicHandle = hybridFrom(name, 'public', fromBase64Url(data.pub));
  if (isPublic) return cryptoKey(publicHandle, { name }, extractable, canonical(usages));
  const handle = hybridFrom(name, 'seed', fromBase64Url(data.priv));
  if (!binding().timing_safe_equal(handle.raw('public'), publicHandle.raw('public'))) throw invalid();
  return cryptoKey(handle, { name }, extractable, canonical(usages));
}

/** Imports a CryptoKey; `format` is one of the Web Cryptography API, or 'handle' for a key of the native module. */
function importKey(format, data, algorithm, extractable, usages) {
  const { name } = algorithm;
  const make = RegExpTest(/^(?:AES|ChaCha)/, name)
    ? importCipher
    : RegExpTest(/^[HK]MAC/, name)
      ? importMac
      : RegExpTest(/^(?:HKDF|PBKDF2|Argon2)/, name)
        ? importDerivation
        : hybrids.isHybrid(name)
          ? importHybrid
          : importAsymmetric;
  const key = make(format, data, algorithm, extractable, usages);
  if (key === undefined) throw failure(`Unable to import ${name} using ${format} format`, 'NotSupportedError');
  const { type } = key;
  if (type !== 'public' && key.usages.length === 0)
    throw failure(`Usages cannot be empty when importing a ${type} key.`, 'SyntaxError');
  return key;
}

/** Implements KeyObject.toCryptoKey. */
function fromHandle(handle, algorithm, extractable, usages) {
  const { Arguments } = require('web/crypto/webidl');
  const args = new Arguments('toCryptoKey', 3, 3);
  const normal = normalize(args.algorithm(algorithm), 'importKey');
  const isSecret = !RegExpTest(/^(?:RSA|EC|Ed|X|ML)/, normal.name);
  if ((handle.type === 'secret') !== isSecret) throw failure('Unrecognized algorithm name', 'NotSupportedError');
  return importKey('handle', handle, normal, args.flag(extractable), args.usages(usages));
}

module.exports = { importKey, fromHandle, usagesOf, checkUsages, canonical, jwkName };
