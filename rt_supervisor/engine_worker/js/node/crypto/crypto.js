'use strict';
// Owns: the exports of node:crypto, in Node's order.

const { ObjectDefineProperties, ObjectDefineProperty, StringReplace, StringSplit, intact } = require('internal/primordials');

require('node/buffer/buffer'); // results are Buffers
const random = require('internal/crypto/random');
const kdf = require('node/crypto/kdf');
const lists = require('node/crypto/lists');
const { Hash, Hmac, hash } = require('node/crypto/hash');
const { Cipheriv, Decipheriv, getCipherInfo } = require('node/crypto/cipher');
const keys = require('node/crypto/keys');
const generation = require('node/crypto/key_generation');
const signatures = require('node/crypto/sign');
const asymmetric = require('node/crypto/asymmetric');
const exchange = require('node/crypto/diffie_hellman');
const { X509Certificate, parsePKCS12 } = require('node/crypto/x509');
const { Certificate } = require('node/crypto/certificate');
const { KeyObject } = require('node/crypto/key_object');
const { constants } = require('node/crypto/constants');
const { deprecate } = require('node/util/promisify');

function createHash(algorithm, options) {
  return new Hash(algorithm, options);
}
function createHmac(hmac, key, options) {
  return new Hmac(hmac, key, options);
}
function createCipheriv(cipher, key, iv, options) {
  return new Cipheriv(cipher, key, iv, options);
}
function createDecipheriv(cipher, key, iv, options) {
  return new Decipheriv(cipher, key, iv, options);
}

function createMac(algorithm, key, options) {
  throw new (require('internal/errors/errors').codes.ERR_NOT_IMPLEMENTED)('crypto', 'createMac');
}
function createSign(algorithm, options) {
  return new signatures.Sign(algorithm, options);
}
function createVerify(algorithm, options) {
  return new signatures.Verify(algorithm, options);
}
function createECDH(curve) {
  return new exchange.ECDH(curve);
}
function createDiffieHellmanGroup(name) {
  return new exchange.DiffieHellmanGroup(name);
}
function createDiffieHellman(sizeOrKey, keyEncoding, generator, genEncoding) {
  return new exchange.DiffieHellman(sizeOrKey, keyEncoding, generator, genEncoding);
}

const built = {
  createMac,
  ...keys,
  ...generation,
  ...signatures,
  ...asymmetric,
  ...exchange,
  KeyObject,
  X509Certificate,
  Certificate,
  parsePKCS12,
  createSign,
  createVerify,
  createECDH,
  createDiffieHellman,
  createDiffieHellmanGroup,
  getDiffieHellman: createDiffieHellmanGroup,
  ...random,
  ...kdf,
  ...lists,
  hash,
  getCipherInfo,
  createHash,
  createHmac,
  createCipheriv,
  createDecipheriv,
  Cipheriv,
  Decipheriv,
  Hash: deprecate(Hash, 'crypto.Hash constructor is deprecated.', 'DEP0179'),
  Hmac: deprecate(Hmac, 'crypto.Hmac constructor is deprecated.', 'DEP0181'),
};
const ORDER =
  'argon2 argon2Sync checkPrime checkPrimeSync createCipheriv createDecipheriv createDiffieHellman createDiffieHellmanGroup createECDH ' +
  'createHash createHmac createMac createPrivateKey createPublicKey createSecretKey createSign createVerify diffieHellman generatePrime ' +
  'generatePrimeSync getCiphers getCipherInfo getCurves getDiffieHellman getHashes getMacs hkdf hkdfSync parsePKCS12 pbkdf2 pbkdf2Sync ' +
  'generateKeyPair generateKeyPairSync generateKey generateKeySync privateDecrypt privateEncrypt publicDecrypt publicEncrypt randomBytes ' +
  'randomFill randomFillSync randomInt randomUUID randomUUIDv7 scrypt scryptSync sign setEngine timingSafeEqual getFips setFips verify ' +
  'hash encapsulate decapsulate Certificate Cipheriv Decipheriv DiffieHellman DiffieHellmanGroup ECDH Hash Hmac KeyObject Sign Verify ' +
  'X509Certificate secureHeapUsed';
for (const name of intact(StringSplit(ORDER, ' '))) exports[name] = built[name];

function getRandomValues(array) {
  return require('web/crypto/crypto').crypto.getRandomValues(array);
}

const FIPS = 'The crypto.fips is deprecated. Please use crypto.getFips()';
const hiddenProperty = (value) => ({ __proto__: null, enumerable: false, configurable: true, writable: true, value });
const alias = (name) => ({
  __proto__: null,
  enumerable: false,
  configurable: true,
  get() {
    ObjectDefineProperty(this, name, hiddenProperty(random.randomBytes));
    return random.randomBytes;
  },
  set(value) {
    ObjectDefineProperty(this, name, { __proto__: null, ...hiddenProperty(value), enumerable: true });
  },
});
ObjectDefineProperties(exports, {
  fips: {
    __proto__: null,
    get: deprecate(lists.getFips, FIPS, 'DEP0093'),
    set: deprecate(lists.setFips, StringReplace(FIPS, 'getFips', 'setFips'), 'DEP0093'),
  },
  constants: { __proto__: null, configurable: false, enumerable: true, value: constants },
  webcrypto: {
    __proto__: null,
    configurable: false,
    enumerable: true,
    get() {
      return require('web/crypto/crypto').crypto;
    },
    set: undefined,
  },
  subtle: {
    __proto__: null,
    configurable: false,
    enumerable: true,
    get() {
      return require('web/crypto/crypto').crypto.subtle;
    },
    set: undefined,
  },
  getRandomValues: { __proto__: null, configurable: false, enumerable: true, get: () => getRandomValues, set: undefined },
  prng: alias('prng'),
  pseudoRandomBytes: alias('pseudoRandomBytes'),
  rng: alias('rng'),
});
