'use strict';
// Owns: DiffieHellman, DiffieHellmanGroup, ECDH and crypto.diffieHellman.

const { AnyAt, AnySlice } = require('internal/any_kind');
const { setOf } = require('internal/collections');
const {
  ArrayBufferIsView,
  NumberToString,
  ObjectAssign,
  ObjectCreate,
  ObjectDefineProperty,
  RegExpTest,
  SetHas,
  StringPadStart,
  StringReplaceAll,
  StringToUpperCase,
  TypedArrayFindIndex,
  TypedArraySlice,
  TypedArraySome,
  TypedArraySubarray,
  intact,
} = require('internal/primordials');
const { binding, later } = require('internal/crypto/binding');
const { asBuffer, bytesFrom, isBytes, textToBuffer } = require('internal/crypto/input');
const { nativeError } = require('internal/crypto/key_handle');
const { codes } = require('internal/errors/errors');
const { validateFunction, validateInt32, validateObject, validateString } = require('internal/validators');
const { openPrivate, openPublicOrPrivate } = require('node/crypto/key_input');
const { handleOf, isKeyObject } = require('node/crypto/key_object');
const { kHandle } = require('node/crypto/symbols');
const { deprecate } = require('node/util/promisify');

const NUMBERS = ['number', 'string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'];
const BAD_GENERATOR = ['Diffie-Hellman routines', 'bad generator', 101];
const SMALL_MODULUS = ['Diffie-Hellman routines', 'modulus too small', 126];

const operationError = (message) => nativeError(Error, 'ERR_CRYPTO_OPERATION_FAILED', message);
const bytesOf = (value) =>
  TypedArraySlice(
    ArrayBufferIsView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : new Uint8Array(value),
  );

function opensslError({ 0: library, 1: reason, 2: number }) {
  const code = StringToUpperCase(StringPadStart(NumberToString((5 << 23) | number, 16), 8, '0'));
  const error = new Error(`error:${code}:${library}::${reason}`);
  return ObjectAssign(error, { library, reason, code: `ERR_OSSL_DH_${StringReplaceAll(StringToUpperCase(reason), ' ', '_')}` });
}

const significant = (bytes) => {
  const first = TypedArrayFindIndex(bytes, Boolean);
  return first < 0 ? new Uint8Array(0) : TypedArraySubarray(bytes, first);
};

/** The numbers of one party: prime, generator and key pair. */
class DhNumbers {
  prime;
  generator;
  publicKey;
  privateKey;

  constructor(prime, generator) {
    this.prime = prime;
    this.generator = generator;
  }
  get verifyError() {
    return binding().dh_check(this.prime, this.generator);
  }
  generateKeys() {
    const [publicKey, privateKey] = intact(binding().dh_keys(this.prime, this.generator, this.privateKey));
    ObjectAssign(this, { publicKey, privateKey });
    return asBuffer(AnySlice(publicKey));
  }
  computeSecret(key) {
    if (this.privateKey === undefined) {
      if (significant(bytesOf(key)).length === 1 && AnyAt(bytesOf(key), -1) < 2)
        throw nativeError(RangeError, 'ERR_CRYPTO_INVALID_KEYLEN', 'Supplied key is too small');
      throw operationError('Failed to compute shared secret');
    }
    return asBuffer(binding().dh_secret(this.prime, this.privateKey, key));
  }
  known(name, words) {
    if (this[name] === undefined)
      throw nativeError(Error, 'ERR_CRYPTO_INVALID_STATE', `No ${words} - did you forget to generate one?`);
    return asBuffer(AnySlice(this[name]));
  }
  getPrime() {
    return asBuffer(AnySlice(this.prime));
  }
  getGenerator() {
    return asBuffer(AnySlice(this.generator));
  }
  getPublicKey() {
    return this.known('publicKey', 'public key');
  }
  getPrivateKey() {
    return this.known('privateKey', 'private key');
  }
  setPublicKey(key) {
    this.publicKey = bytesOf(key);
  }
  setPrivateKey(key) {
    this.privateKey = bytesOf(key);
  }
}
/** An object around `numbers` whose class has Node's name, which `util.inspect` shows. */
const holder = (name, numbers) =>
  ObjectDefineProperty(ObjectCreate(shells[name].prototype), 'numbers', { __proto__: null, value: numbers });
const shells = { DiffieHellman: class DiffieHellman {}, DiffieHellmanGroup: class DiffieHellmanGroup {}, ECDH: class ECDH {} };

function numbersOf(sizeOrKey, generator) {
  let base;
  if (typeof generator === 'number') {
    if (generator < 2) throw opensslError(BAD_GENERATOR);
    base = significant(new Uint8Array([generator >>> 24, generator >>> 16, generator >>> 8, generator]));
  } else {
    base = significant(bytesOf(generator));
    if (base.length === 0 || (base.length === 1 && base[0] < 2)) throw opensslError(BAD_GENERATOR);
  }
  if (typeof sizeOrKey === 'number') {
    if (sizeOrKey < 512) throw opensslError(SMALL_MODULUS);
    return new DhNumbers(binding().dh_generate_prime(sizeOrKey, Number(generator) || 2), base);
  }
  return new DhNumbers(significant(bytesOf(sizeOrKey)), base);
}

function finish(object, name, numbers) {
  object[kHandle] = holder(name, numbers);
  ObjectDefineProperty(object, 'verifyError', { __proto__: null, enumerable: true, value: numbers.verifyError, writable: false });
}

const isEncoding = (name) => require('node/buffer/buffer').Buffer.isEncoding(name);
const toBytes = (value, encoding) => (typeof value === 'string' ? textToBuffer(value, encoding || undefined) : value);

function DiffieHellman(sizeOrKey, keyEncoding, generator, genEncoding) {
  if (!(this instanceof DiffieHellman)) return new DiffieHellman(sizeOrKey, keyEncoding, generator, genEncoding);
  if (typeof sizeOrKey !== 'number' && typeof sizeOrKey !== 'string' && !isBytes(sizeOrKey)) {
    throw new codes.ERR_INVALID_ARG_TYPE('sizeOrKey', NUMBERS, sizeOrKey);
  }
  if (typeof sizeOrKey === 'number') validateInt32(sizeOrKey, 'sizeOrKey');
  if (keyEncoding && !isEncoding(keyEncoding) && keyEncoding !== 'buffer')
    [keyEncoding, generator, genEncoding] = intact([false, keyEncoding, generator]);
  if (typeof sizeOrKey !== 'number') sizeOrKey = toBytes(sizeOrKey, keyEncoding);
  if (!generator) generator = 2;
  else if (typeof generator === 'number') validateInt32(generator, 'generator');
  else if (typeof generator === 'string') generator = toBytes(generator, genEncoding);
  else if (!isBytes(generator)) throw new codes.ERR_INVALID_ARG_TYPE('generator', NUMBERS, generator);
  finish(this, 'DiffieHellman', numbersOf(sizeOrKey, generator));
}

function DiffieHellmanGroup(name) {
  if (!(this instanceof DiffieHellmanGroup)) return new DiffieHellmanGroup(name);
  if (name === undefined) throw nativeError(TypeError, 'ERR_MISSING_ARGS', 'Group name argument is required');
  const prime = binding().dh_group(`${name}`);
  if (prime === undefined) throw nativeError(Error, 'ERR_CRYPTO_UNKNOWN_DH_GROUP', 'Unknown DH group');
  finish(this, 'DiffieHellmanGroup', new DhNumbers(prime, new Uint8Array([2])));
}

const encode = (buffer, encoding) => (encoding && encoding !== 'buffer' ? buffer.toString(encoding) : buffer);
const numbersIn = (object) => object[kHandle].numbers;

function dhGenerateKeys(encoding) {
  return encode(numbersIn(this).generateKeys(), encoding);
}
function dhComputeSecret(key, inEnc, outEnc) {
  return encode(numbersIn(this).computeSecret(bytesFrom(key, 'key', inEnc)), outEnc);
}
function dhGetPrime(encoding) {
  return encode(numbersIn(this).getPrime(), encoding);
}
function dhGetGenerator(encoding) {
  return encode(numbersIn(this).getGenerator(), encoding);
}
function dhGetPublicKey(encoding) {
  return encode(numbersIn(this).getPublicKey(), encoding);
}
function dhGetPrivateKey(encoding) {
  return encode(numbersIn(this).getPrivateKey(), encoding);
}
for (const Class of intact([DiffieHellmanGroup, DiffieHellman])) {
  ObjectAssign(Class.prototype, {
    generateKeys: dhGenerateKeys,
    computeSecret: dhComputeSecret,
    getPrime: dhGetPrime,
    getGenerator: dhGetGenerator,
    getPublicKey: dhGetPublicKey,
    getPrivateKey: dhGetPrivateKey,
  });
}

DiffieHellman.prototype.setPublicKey = function setPublicKey(key, encoding) {
  numbersIn(this).setPublicKey(bytesFrom(key, 'key', encoding));
  return this;
};
DiffieHellman.prototype.setPrivateKey = function setPrivateKey(key, encoding) {
  numbersIn(this).setPrivateKey(bytesFrom(key, 'key', encoding));
  return this;
};

// --- elliptic curves

const noPoint = () => operationError('Failed to convert Buffer to EC_POINT');
/** Curves have OpenSSL's names here, not NIST's. */
function checkCurve(curve) {
  if (RegExpTest(/^[BKP]-\d+$/, curve) || binding().ec_order_bytes(curve) === undefined) {
    throw nativeError(TypeError, 'ERR_CRYPTO_INVALID_CURVE', 'Invalid EC curve name');
  }
}

class EcNumbers {
  #curve;
  #point;
  #scalar;

  constructor(curve) {
    checkCurve(curve);
    this.#curve = curve;
  }
  generateKeys() {
    this.setPrivateKey(binding().ec_generate(this.#curve));
  }
  computeSecret(key) {
    const own = this.#scalar && binding().ec_public(this.#curve, this.#scalar);
    if (own === undefined || TypedArraySome(own, (byte, i) => byte !== this.#point[i])) throw operationError('Invalid key pair');
    const secret = binding().ec_secret(this.#curve, this.#scalar, key);
    if (secret === undefined) throw nativeErrorOfPoint();
    return asBuffer(secret);
  }
  getPublicKey(form) {
    if (this.#point === undefined) throw operationError('Failed to get ECDH public key');
    return asBuffer(binding().ec_convert(this.#curve, this.#point, form));
  }
  getPrivateKey() {
    if (this.#scalar === undefined) throw operationError('Failed to get ECDH private key');
    return asBuffer(AnySlice(this.#scalar));
  }
  setPrivateKey(key) {
    const point = binding().ec_public(this.#curve, key);
    if (point === undefined)
      throw nativeError(Error, 'ERR_CRYPTO_INVALID_KEYTYPE', 'Private key is not valid for specified curve.');
    // As in Node, this replaces a public key that was set before.
    this.#scalar = bytesOf(key);
    this.#point = point;
  }
  setPublicKey(key) {
    const point = binding().ec_convert(this.#curve, key, 4);
    if (point === undefined) throw noPoint();
    this.#point = point;
  }
}
const nativeErrorOfPoint = () => new codes.ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY();

function ECDH(curve) {
  if (!(this instanceof ECDH)) return new ECDH(curve);
  validateString(curve, 'curve');
  this[kHandle] = holder('ECDH', new EcNumbers(curve));
}

function formOf(format) {
  if (!format || format === 'uncompressed') return 4;
  if (format === 'compressed') return 2;
  if (format === 'hybrid') return 6;
  throw new codes.ERR_CRYPTO_ECDH_INVALID_FORMAT(format);
}

ECDH.prototype.computeSecret = DiffieHellman.prototype.computeSecret;
ECDH.prototype.setPrivateKey = DiffieHellman.prototype.setPrivateKey;
ECDH.prototype.setPublicKey = deprecate(DiffieHellman.prototype.setPublicKey, 'ecdh.setPublicKey() is deprecated.', 'DEP0031');
ECDH.prototype.getPrivateKey = DiffieHellman.prototype.getPrivateKey;
ECDH.prototype.generateKeys = function generateKeys(encoding, format) {
  numbersIn(this).generateKeys();
  return this.getPublicKey(encoding, format);
};
ECDH.prototype.getPublicKey = function getPublicKey(encoding, format) {
  return encode(numbersIn(this).getPublicKey(formOf(format)), encoding);
};
ECDH.convertKey = function convertKey(key, curve, inEnc, outEnc, format) {
  validateString(curve, 'curve');
  const bytes = bytesFrom(key, 'key', inEnc);
  const form = formOf(format);
  checkCurve(curve);
  const converted = binding().ec_convert(curve, bytes, form);
  if (converted === undefined) throw noPoint();
  return encode(asBuffer(converted), outEnc);
};

// --- with keys

const KINDS = setOf(['dh', 'ec', 'x448', 'x25519']);

function checkKinds(privateKey, publicKey) {
  if (isKeyObject(privateKey) && privateKey.type !== 'private')
    throw new codes.ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE(privateKey.type, 'private');
  if (isKeyObject(publicKey) && publicKey.type === 'secret')
    throw new codes.ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE(publicKey.type, 'private or public');
  if (!isKeyObject(privateKey) || !isKeyObject(publicKey)) return;
  const { 0: own, 1: other } = [handleOf(privateKey).kind, handleOf(publicKey).kind];
  if (own !== other || !SetHas(KINDS, own))
    throw new codes.ERR_CRYPTO_INCOMPATIBLE_KEY('key types for Diffie-Hellman', `${own} and ${other}`);
}

function diffieHellman(options, callback) {
  validateObject(options, 'options');
  if (callback !== undefined) validateFunction(callback, 'callback');
  const { privateKey, publicKey } = options;
  if (privateKey == null) throw new codes.ERR_INVALID_ARG_VALUE('options.privateKey', privateKey);
  if (publicKey == null) throw new codes.ERR_INVALID_ARG_VALUE('options.publicKey', publicKey);
  checkKinds(privateKey, publicKey);
  const other = openPublicOrPrivate(publicKey, 'options.publicKey');
  const own = openPrivate(privateKey, 'options.privateKey');
  if (!callback) return asBuffer(binding().key_derive(own.number, other.number));
  later('key_derive', [own.number, other.number], (error, secret) => {
    if (error) callback(error);
    else callback(null, asBuffer(secret));
  });
}

module.exports = { DiffieHellman, DiffieHellmanGroup, ECDH, diffieHellman };
