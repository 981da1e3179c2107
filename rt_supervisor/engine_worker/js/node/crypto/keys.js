// @ts-check
'use strict';
// Owns: import of keys: createSecretKey, createPublicKey, createPrivateKey.

const { secretHandle } = require('internal/crypto/key_handle');
const { bytesFrom, isBytes } = require('internal/crypto/input');
const { codes } = require('internal/errors/errors');
const { CREATE_PRIVATE, CREATE_PUBLIC, openKey } = require('node/crypto/key_input');
const { PrivateKeyObject, PublicKeyObject, SecretKeyObject } = require('node/crypto/key_object');
const { BUFFERS } = require('node/crypto/secrets');

function createSecretKey(key, encoding) {
  if (typeof key !== 'string' && !isBytes(key)) throw new codes.ERR_INVALID_ARG_TYPE('key', BUFFERS, key);
  return new SecretKeyObject(secretHandle(bytesFrom(key, 'key', encoding)));
}

function createPublicKey(key) {
  return new PublicKeyObject(openKey(key, CREATE_PUBLIC).publicHalf());
}
function createPrivateKey(key) {
  return new PrivateKeyObject(openKey(key, CREATE_PRIVATE));
}

module.exports = { createSecretKey, createPublicKey, createPrivateKey };
