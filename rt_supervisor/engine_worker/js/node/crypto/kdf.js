// @ts-check
'use strict';
// Owns: key derivation from passwords and keys: PBKDF2, scrypt, HKDF and Argon2, synchronous or on another thread.

const { ObjectAssign, intact } = require('internal/primordials');
const { binding, later } = require('internal/crypto/binding');
const { asBuffer, bufferOf, byteSource, bytesFrom, isAnyArrayBuffer, isView } = require('internal/crypto/input');
const { codes } = require('internal/errors/errors');
const {
  validateFunction,
  validateInt32,
  validateInteger,
  validateObject,
  validateOneOf,
  validateString,
  validateUint32,
} = require('internal/validators');

const LARGEST_UINT32 = 2 ** 32 - 1;
const LARGEST_LENGTH = 2 ** 53 - 1;
const LONGEST_INFO = 1024;

const derive = (name, args, callback, result = asBuffer) =>
  later(name, args, (error, bytes) => {
    if (error) callback(error);
    else callback(null, result(bytes));
  });

// --- PBKDF2

function checkPbkdf2(password, salt, iterations, keylen, digest) {
  validateString(digest, 'digest');
  const args = [bytesFrom(password, 'password'), bytesFrom(salt, 'salt')];
  validateInt32(iterations, 'iterations', 1);
  validateInt32(keylen, 'keylen', 0);
  if (binding().hash_info(digest) === undefined) throw new codes.ERR_CRYPTO_INVALID_DIGEST(digest);
  return [...intact(args), iterations + 0, keylen + 0, digest];
}

function pbkdf2(password, salt, iterations, keylen, digest, callback) {
  if (typeof digest === 'function') [digest, callback] = intact([undefined, digest]);
  const args = checkPbkdf2(password, salt, iterations, keylen, digest);
  validateFunction(callback, 'callback');
  derive('pbkdf2', args, callback);
}

function pbkdf2Sync(password, salt, iterations, keylen, digest) {
  return asBuffer(binding().pbkdf2(...intact(checkPbkdf2(password, salt, iterations, keylen, digest))));
}

// --- scrypt

const SCRYPT = { N: 16384, r: 8, p: 1, maxmem: 32 << 20 };
const SCRYPT_NAMES = [
  ['N', 'cost'],
  ['r', 'blockSize'],
  ['p', 'parallelization'],
];

function scryptParameters(options) {
  const parameters = { ...SCRYPT };
  if (!options || options === SCRYPT) return parameters;
  for (const { 0: short, 1: long } of intact(SCRYPT_NAMES)) {
    if (options[short] !== undefined) {
      parameters[short] = options[short];
      validateUint32(parameters[short], short);
    }
    if (options[long] !== undefined) {
      if (options[short] !== undefined) throw new codes.ERR_INCOMPATIBLE_OPTION_PAIR(short, long);
      parameters[short] = options[long];
      validateUint32(parameters[short], long);
    }
  }
  if (options.maxmem !== undefined) {
    parameters.maxmem = options.maxmem;
    validateInteger(parameters.maxmem, 'maxmem', 0);
  }
  for (const name in SCRYPT) if (parameters[name] === 0) parameters[name] = SCRYPT[name];
  return parameters;
}

function checkScrypt(password, salt, keylen, options) {
  const bytes = [bytesFrom(password, 'password'), bytesFrom(salt, 'salt')];
  validateInt32(keylen, 'keylen', 0);
  const { N, r, p, maxmem } = scryptParameters(options);
  binding().scrypt_check(N, r, p, maxmem);
  return [...intact(bytes), N, r, p, maxmem, keylen + 0];
}

function scrypt(password, salt, keylen, options, callback = SCRYPT) {
  if (callback === SCRYPT) [options, callback] = intact([SCRYPT, options]);
  const parameters = checkScrypt(password, salt, keylen, options);
  validateFunction(callback, 'callback');
  derive('scrypt', parameters, callback);
}

function scryptSync(password, salt, keylen, options = SCRYPT) {
  return asBuffer(binding().scrypt(...intact(checkScrypt(password, salt, keylen, options))));
}

// --- HKDF

function hkdfKey(key) {
  const { secretBytes, isKeyObject } = require('node/crypto/secrets');
  if (isKeyObject(key)) return secretBytes(key);
  if (typeof key === 'string') return bytesFrom(key, 'ikm');
  if (isAnyArrayBuffer(key) || isView(key)) return key;
  throw new codes.ERR_INVALID_ARG_TYPE(
    'ikm',
    ['string', 'SecretKeyObject', 'ArrayBuffer', 'TypedArray', 'DataView', 'Buffer'],
    key,
  );
}

function checkHkdf(digest, key, salt, info, length) {
  validateString(digest, 'digest');
  const bytes = [hkdfKey(key), byteSource(salt, 'salt'), byteSource(info, 'info')];
  validateInteger(length, 'length', 0, LARGEST_LENGTH);
  if (bytes[2].byteLength > LONGEST_INFO) {
    throw new codes.ERR_OUT_OF_RANGE('info', 'must not contain more than 1024 bytes', bytes[2].byteLength);
  }
  return [digest, ...intact(bytes), length + 0];
}

function checkHkdfLength(digest, length) {
  if (length > binding().hkdf_limit(digest)) {
    throw ObjectAssign(new RangeError('Invalid key length'), { code: 'ERR_CRYPTO_INVALID_KEYLEN' });
  }
}

function hkdf(digest, key, salt, info, length, callback) {
  const args = checkHkdf(digest, key, salt, info, length);
  validateFunction(callback, 'callback');
  checkHkdfLength(digest, length);
  derive('hkdf', args, callback, bufferOf);
}

function hkdfSync(digest, key, salt, info, length) {
  const args = checkHkdf(digest, key, salt, info, length);
  checkHkdfLength(digest, length);
  return bufferOf(binding().hkdf(...intact(args)));
}

// --- Argon2

function optionalBytes(parameters, name) {
  if (parameters[name] === undefined) return new Uint8Array(0);
  const bytes = bytesFrom(parameters[name], `parameters.${name}`);
  validateInteger(bytes.byteLength, `parameters.${name}.byteLength`, 0, LARGEST_UINT32);
  return bytes;
}

function checkArgon2(algorithm, parameters) {
  validateString(algorithm, 'algorithm');
  validateOneOf(algorithm, 'algorithm', ['argon2d', 'argon2i', 'argon2id']);
  validateObject(parameters, 'parameters');
  const { parallelism, tagLength, memory, passes } = parameters;
  const message = bytesFrom(parameters.message, 'parameters.message');
  validateInteger(message.byteLength, 'parameters.message.byteLength', 0, LARGEST_UINT32);
  const nonce = bytesFrom(parameters.nonce, 'parameters.nonce');
  validateInteger(nonce.byteLength, 'parameters.nonce.byteLength', 8, LARGEST_UINT32);
  validateInteger(parallelism, 'parameters.parallelism', 1, 2 ** 24 - 1);
  validateInteger(tagLength, 'parameters.tagLength', 4, LARGEST_UINT32);
  validateInteger(memory, 'parameters.memory', 8 * parallelism, LARGEST_UINT32);
  validateUint32(passes, 'parameters.passes', true);
  const secret = optionalBytes(parameters, 'secret');
  const data = optionalBytes(parameters, 'associatedData');
  return [algorithm, message, nonce, parallelism, tagLength, memory, passes, secret, data];
}

function argon2(algorithm, parameters, callback) {
  const args = checkArgon2(algorithm, parameters);
  validateFunction(callback, 'callback');
  derive('argon2', args, callback);
}

function argon2Sync(algorithm, parameters) {
  return asBuffer(binding().argon2(...intact(checkArgon2(algorithm, parameters))));
}

module.exports = { argon2, argon2Sync, hkdf, hkdfSync, pbkdf2, pbkdf2Sync, scrypt, scryptSync };
