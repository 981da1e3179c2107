// @ts-check
'use strict';
// Owns: public-key encryption and key encapsulation.

const { ObjectDefineProperties, intact } = require('internal/primordials');
const { binding, later } = require('internal/crypto/binding');
const { asBuffer, bytesFrom } = require('internal/crypto/input');
const { nativeError } = require('internal/crypto/key_handle');
const { validateFunction, validateString } = require('internal/validators');
const { openPrivate, openPublicOrPrivate } = require('node/crypto/key_input');

const PKCS1 = 1;
const OAEP = 4;

function rsaFunction(what, defaultPadding, open) {
  const run = (...args) => {
    const [options, buffer] = intact(args);
    const { oaepHash, oaepLabel, encoding } = options ?? {};
    if (oaepHash !== undefined) validateString(oaepHash, 'key.oaepHash');
    const label = oaepLabel === undefined ? undefined : bytesFrom(oaepLabel, 'key.oaepLabel', encoding);
    const isKnown = oaepHash === undefined || binding().hash_info(oaepHash) !== undefined;
    // The order of errors is Node's: a value that is not a key, then an unknown digest, then a key of the wrong kind.
    const key = (isKnown ? open : openPublicOrPrivate)(options);
    const padding = options.padding || defaultPadding;
    const data = bytesFrom(buffer, 'buffer', encoding);
    if (!isKnown) {
      throw nativeError(Error, 'ERR_OSSL_EVP_INVALID_DIGEST', 'Invalid digest used');
    }
    return asBuffer(binding().asymmetric(what, key.number, data, padding, oaepHash, label));
  };
  ObjectDefineProperties(run, {
    name: { __proto__: null, value: '', configurable: true },
    length: { __proto__: null, value: 2, configurable: true },
  });
  return run;
}

const publicEncrypt = rsaFunction('publicEncrypt', OAEP, openPublicOrPrivate);
const publicDecrypt = rsaFunction('publicDecrypt', PKCS1, openPublicOrPrivate);
const privateEncrypt = rsaFunction('privateEncrypt', PKCS1, openPrivate);
const privateDecrypt = rsaFunction('privateDecrypt', OAEP, openPrivate);

function run(name, args, callback, result) {
  if (callback === undefined) return result(binding()[name](...intact(args)));
  later(name, args, (error, value) => {
    if (error) callback(error);
    else callback(null, result(value));
  });
}

function encapsulate(key, callback) {
  if (callback !== undefined) validateFunction(callback, 'callback');
  const handle = openPublicOrPrivate(key);
  return run('kem_encapsulate', [handle.number], callback, ({ 0: sharedKey, 1: ciphertext }) => ({
    sharedKey: asBuffer(sharedKey),
    ciphertext: asBuffer(ciphertext),
  }));
}

function decapsulate(key, ciphertext, callback) {
  if (callback !== undefined) validateFunction(callback, 'callback');
  const handle = openPrivate(key);
  const bytes = bytesFrom(ciphertext, 'ciphertext');
  return run('kem_decapsulate', [handle.number, bytes], callback, asBuffer);
}

module.exports = { publicEncrypt, publicDecrypt, privateEncrypt, privateDecrypt, encapsulate, decapsulate };
