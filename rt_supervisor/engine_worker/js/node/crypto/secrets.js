// @ts-check
'use strict';
// Owns: conversion of secret keys (strings, buffers, KeyObjects, CryptoKeys) to bytes.

const { intact } = require('internal/primordials');
const { bytesFrom, isBytes } = require('internal/crypto/input');
const { codes } = require('internal/errors/errors');
const { handleOf, isKeyObject } = require('node/crypto/key_object');
const { isCryptoKey, slotsOf } = require('web/crypto/key');

const BUFFERS = ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'];

function secretBytes(key, encoding) {
  if (typeof key === 'string' || isBytes(key)) return bytesFrom(key, 'key', encoding);
  let handle;
  if (isKeyObject(key)) handle = handleOf(key);
  else if (isCryptoKey(key)) {
    require('node/crypto/crypto_key_warnings').warnOfCryptoKey();
    handle = slotsOf(key).handle;
  } else throw new codes.ERR_INVALID_ARG_TYPE('key', [...intact(BUFFERS), 'string', 'KeyObject', 'CryptoKey'], key);
  if (handle.type !== 'secret') throw new codes.ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE(handle.type, 'secret');
  return handle.bytes();
}

module.exports = { secretBytes, isKeyObject, BUFFERS };
