// @ts-check
'use strict';
// Owns: SubtleCrypto.supports: whether an operation with the given parameters could succeed.

const { ArrayIncludes, MathCeil, RegExpTest, StringStartsWith } = require('internal/primordials');
const { normalize } = require('web/crypto/algorithms');
const { checkLength, keyLength } = require('web/crypto/derive');
const { SECRET_BITS } = require('web/crypto/kems');
const { slotsOf } = require('web/crypto/key');

const OPERATIONS = [
  'decapsulateBits',
  'decapsulateKey',
  'decrypt',
  'deriveBits',
  'deriveKey',
  'digest',
  'encapsulateBits',
  'encapsulateKey',
  'encrypt',
  'exportKey',
  'generateKey',
  'getPublicKey',
  'importKey',
  'sign',
  'unwrapKey',
  'verify',
  'wrapKey',
];
/** The length in bits of the longest secret of a key exchange. */
const LONGEST = { '__proto__': null, 'X25519': 256, 'X448': 448, 'P-256': 256, 'P-384': 384, 'P-521': 528 };

/** Returns whether a KEM's secret can become a key of an algorithm. */
function takesSecret({ name, length }, bits) {
  if (RegExpTest(/^(?:HKDF|PBKDF2|Argon2)/, name)) return true;
  if (StringStartsWith(name, 'AES')) return ArrayIncludes([128, 192, 256], bits);
  if (StringStartsWith(name, 'ChaCha')) return bits === 256;
  return RegExpTest(/^[HK]MAC/, name) && (length === undefined || MathCeil(length / 8) * 8 === bits);
}

function canDerive(normal, length) {
  const { name } = normal;
  const longest = LONGEST[name] ?? (name === 'ECDH' ? LONGEST[slotsOf(normal.public).algorithm.namedCurve] : undefined);
  if (longest !== undefined) return !(length > longest);
  checkLength(length, normal);
  return true;
}

/** A call's additional algorithm imports the shared key of a KEM; throws without one. */
const canKeep = (algorithm, further) =>
  normalize(algorithm, 'get shared key length') && takesSecret(normalize(further, 'importKey'), SECRET_BITS);

function canWrap(operation, algorithm) {
  try {
    normalize(algorithm, operation);
  } catch {
    normalize(algorithm, operation === 'wrapKey' ? 'encrypt' : 'decrypt');
  }
  return true;
}

/** Returns whether the operation could succeed; throws if `normalize` or a similar check rejects the parameters. */
function could(operation, algorithm, length, further) {
  switch (operation) {
    case 'deriveKey':
      normalize(further, 'importKey');
      return canDerive(normalize(algorithm, 'deriveBits'), keyLength(normalize(further, 'get key length')));
    case 'deriveBits':
      return canDerive(normalize(algorithm, 'deriveBits'), length);
    case 'wrapKey':
      normalize(further, 'exportKey');
      return canWrap(operation, algorithm);
    case 'unwrapKey':
      normalize(further, 'importKey');
      return canWrap(operation, algorithm);
    case 'getPublicKey':
      return RegExpTest(/^(?:ML|RS|EC|Ed|X2|X4)/, normalize(algorithm, 'exportKey').name);
    case 'encapsulateKey':
    case 'encapsulateBits':
    case 'decapsulateKey':
    case 'decapsulateBits':
      if (further !== undefined && !canKeep(algorithm, further)) return false;
      normalize(algorithm, StringStartsWith(operation, 'encapsulate') ? 'encapsulate' : 'decapsulate');
      return true;
    case 'generateKey': {
      const normal = normalize(algorithm, operation);
      return normal.name !== 'HMAC' || normal.length !== undefined || !StringStartsWith(normal.hash.name, 'SHA3-');
    }
    default:
      normalize(algorithm, operation);
      return true;
  }
}

/** `args` converts the third argument as the operation requires. */
function supports(operation, algorithm, third, args) {
  if (!ArrayIncludes(OPERATIONS, operation)) return false;
  const isWithFurther = RegExpTest(/^(?:deriveKey|wrapKey|unwrapKey|encapsulateKey|decapsulateKey)$/, operation);
  const further = isWithFurther ? args.algorithm(third) : undefined;
  const length = operation === 'deriveBits' && third !== null ? args.length(third) : null;
  try {
    return could(operation, algorithm, length, further);
  } catch {
    return false;
  }
}

module.exports = { supports };
