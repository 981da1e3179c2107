// @ts-check
'use strict';
// Owns: key generation: generateKeyPair, generateKey and their Sync forms.

const { ArrayIncludes, MathFloor, ObjectDefineProperty, RegExpTest, intact } = require('internal/primordials');
const { binding, later } = require('internal/crypto/binding');
const { isView } = require('internal/crypto/input');
const { KeyObjectHandle, nativeError, secretHandle } = require('internal/crypto/key_handle');
const { codes } = require('internal/errors/errors');
const {
  validateBuffer,
  validateFunction,
  validateInt32,
  validateInteger,
  validateObject,
  validateOneOf,
  validateString,
  validateUint32,
} = require('internal/validators');
const { parsePrivateKeyEncoding, parsePublicKeyEncoding } = require('node/crypto/key_encoding');
const { SecretKeyObject, inEncoding } = require('node/crypto/key_object');

const NAMED =
  /^(?:ed25519|ed448|x25519|x448|ml-dsa-(?:44|65|87)|ml-kem-(?:512|768|1024)|slh-dsa-(?:sha2|shake)-(?:128|192|256)[sf])$/;
const LONGEST_SECRET = 2 ** 31 - 1;

function encodingOf(name, options, kind, parse) {
  const encoding = options?.[name];
  if (encoding == null) return undefined;
  if (typeof encoding !== 'object') throw new codes.ERR_INVALID_ARG_VALUE(`options.${name}`, encoding);
  return parse(encoding, kind, `options.${name}`);
}

function rsaJob(type, options) {
  const { modulusLength, hashAlgorithm, mgf1HashAlgorithm, saltLength } = options;
  validateUint32(modulusLength, 'options.modulusLength');
  let { publicExponent } = options;
  if (publicExponent == null) publicExponent = 0x10001;
  else validateUint32(publicExponent, 'options.publicExponent');
  if (type === 'rsa') return ['generate_rsa', [modulusLength + 0, publicExponent + 0]];
  if (saltLength !== undefined) validateInt32(saltLength, 'options.saltLength', 0);
  if (hashAlgorithm !== undefined) validateString(hashAlgorithm, 'options.hashAlgorithm');
  if (mgf1HashAlgorithm !== undefined) validateString(mgf1HashAlgorithm, 'options.mgf1HashAlgorithm');
  for (const name of intact(['hash', 'mgf1Hash'])) {
    if (options[name] !== undefined)
      throw new codes.ERR_INVALID_ARG_VALUE(`options.${name}`, options[name], 'is no longer supported');
  }
  for (const { 0: name, 1: words } of intact([
    [hashAlgorithm, ''],
    [mgf1HashAlgorithm, 'MGF1 '],
  ])) {
    if (name !== undefined && binding().hash_info(name) === undefined) {
      throw nativeError(TypeError, 'ERR_CRYPTO_INVALID_DIGEST', `Invalid ${words}digest: ${name}`);
    }
  }
  return ['generate_rsa', [modulusLength + 0, publicExponent + 0, true, hashAlgorithm, mgf1HashAlgorithm, saltLength]];
}

function dhJob(options) {
  const { group, prime, primeLength, generator } = options;
  if (group != null) {
    for (const { 0: name, 1: value } of intact([
      ['prime', prime],
      ['primeLength', primeLength],
      ['generator', generator],
    ])) {
      if (value != null) throw new codes.ERR_INCOMPATIBLE_OPTION_PAIR('group', name);
    }
    validateString(group, 'options.group');
    const modp = binding().dh_group(group);
    if (modp === undefined) throw nativeError(Error, 'ERR_CRYPTO_UNKNOWN_DH_GROUP', 'Unknown DH group');
    return ['generate_dh', [modp, 0, 2]];
  }
  if (prime != null) {
    if (primeLength != null) throw new codes.ERR_INCOMPATIBLE_OPTION_PAIR('prime', 'primeLength');
    validateBuffer(prime, 'options.prime');
  } else if (primeLength != null) validateInt32(primeLength, 'options.primeLength', 0);
  else throw new codes.ERR_MISSING_OPTION('At least one of the group, prime, or primeLength options');
  if (generator != null) validateInt32(generator, 'options.generator', 0);
  return ['generate_dh', [isView(prime) ? prime : undefined, primeLength ?? 0, generator ?? 2]];
}

/** The native function and its arguments. */
function jobOf(type, options) {
  if (RegExpTest(NAMED, type)) return ['generate_named', [type]];
  if (!ArrayIncludes(['rsa', 'rsa-pss', 'dsa', 'ec', 'dh'], type)) {
    throw new codes.ERR_INVALID_ARG_VALUE('type', type, 'must be a supported key type');
  }
  validateObject(options, 'options');
  if (type === 'rsa' || type === 'rsa-pss') return rsaJob(type, options);
  if (type === 'dh') return dhJob(options);
  if (type === 'dsa') {
    const { modulusLength, divisorLength } = options;
    validateUint32(modulusLength, 'options.modulusLength');
    if (divisorLength != null) validateInt32(divisorLength, 'options.divisorLength', 0);
    return ['generate_dsa', [modulusLength + 0, divisorLength ?? undefined]];
  }
  const { namedCurve, paramEncoding } = options;
  validateString(namedCurve, 'options.namedCurve');
  if (paramEncoding != null && paramEncoding !== 'named' && paramEncoding !== 'explicit') {
    throw new codes.ERR_INVALID_ARG_VALUE('options.paramEncoding', paramEncoding);
  }
  if (binding().ec_order_bytes(namedCurve) === undefined)
    throw nativeError(TypeError, 'ERR_CRYPTO_INVALID_CURVE', 'Invalid EC curve name');
  return ['generate_ec', [namedCurve, paramEncoding !== 'explicit']];
}

function prepare(type, options) {
  validateString(type, 'type');
  if (options !== undefined) validateObject(options, 'options');
  const publicForm = encodingOf('publicKeyEncoding', options, type, parsePublicKeyEncoding);
  const privateForm = encodingOf('privateKeyEncoding', options, type, parsePrivateKeyEncoding);
  const [name, args] = intact(jobOf(type, options));
  const result = ({ 0: publicNumber, 1: privateNumber }) => [
    inEncoding(new KeyObjectHandle(publicNumber, 'public'), publicForm),
    inEncoding(new KeyObjectHandle(privateNumber, 'private'), privateForm),
  ];
  return { name, args, result };
}

function generateKeyPair(type, options, callback) {
  if (typeof options === 'function') [options, callback] = intact([undefined, options]);
  validateFunction(callback, 'callback');
  const { name, args, result } = prepare(type, options);
  later(name, args, (error, numbers) => {
    if (error) return callback(error);
    let keys;
    try {
      keys = result(numbers);
    } catch (problem) {
      return callback(problem);
    }
    callback(null, ...intact(keys));
  });
}
ObjectDefineProperty(generateKeyPair, require('node/util/promisify').kArgumentNames, {
  __proto__: null,
  value: ['publicKey', 'privateKey'],
});

function generateKeyPairSync(type, options) {
  const { name, args, result } = prepare(type, options);
  const [publicKey, privateKey] = intact(result(binding()[name](...intact(args))));
  return { publicKey, privateKey };
}

function secretLength(type, options) {
  validateString(type, 'type');
  validateObject(options, 'options');
  const { length } = options;
  if (type === 'hmac') validateInteger(length, 'options.length', 8, LONGEST_SECRET);
  else if (type === 'aes') validateOneOf(length, 'options.length', [128, 192, 256]);
  else throw new codes.ERR_INVALID_ARG_VALUE('type', type, 'must be a supported key type');
  return MathFloor(length / 8);
}

const secretOf = (bytes) => new SecretKeyObject(secretHandle(bytes));

function generateKey(type, options, callback) {
  if (typeof options === 'function') [options, callback] = intact([undefined, options]);
  validateFunction(callback, 'callback');
  later('random_bytes', [secretLength(type, options)], (error, bytes) => {
    if (error) callback(error);
    else callback(null, secretOf(bytes));
  });
}

function generateKeySync(type, options) {
  return secretOf(binding().random_bytes(secretLength(type, options)));
}

module.exports = { generateKeyPair, generateKeyPairSync, generateKey, generateKeySync };
