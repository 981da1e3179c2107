// @ts-check
'use strict';
// Owns: signing and verifying with CryptoKeys.

const { StringStartsWith, intact } = require('internal/primordials');
const { binding, callAsync } = require('internal/crypto/binding');
const { bufferOf } = require('internal/crypto/input');
const { digestName } = require('web/crypto/algorithms');
const { slotsOf } = require('web/crypto/key');
const { awaitOperation, failure, operationError } = require('web/crypto/problems');

const PKCS1 = 1;
const PSS = 6;
/** The longest key and customization that OpenSSL's KMAC supports. */
const MOST_KMAC_BYTES = 512;

/** Returns the native arguments after the key: digest, data, then padding, salt, form and context. */
function way(algorithm, { hash }) {
  switch (algorithm.name) {
    case 'RSASSA-PKCS1-v1_5':
      return [digestName(hash.name), PKCS1];
    case 'RSA-PSS':
      return [digestName(hash.name), PSS, algorithm.saltLength];
    case 'ECDSA':
      return [digestName(algorithm.hash.name), undefined, undefined, true];
    default:
      return [undefined, undefined, undefined, false, algorithm.context?.length > 0 ? algorithm.context : undefined];
  }
}

const mac = async (algorithm, { handle, algorithm: own }, data) => {
  if (own.name === 'HMAC') return awaitOperation(callAsync('hmac_once', [digestName(own.hash.name), handle.bytes(), data]));
  const { customization = new Uint8Array(0), outputLength } = algorithm;
  const key = handle.bytes();
  if (key.length > MOST_KMAC_BYTES || customization.length > MOST_KMAC_BYTES)
    throw operationError(new Error('Deriving bits failed'));
  return awaitOperation(callAsync('kmac', [own.name, key, own.length, data, customization, outputLength]));
};

const isMac = (name) => name === 'HMAC' || StringStartsWith(name, 'KMAC');

function checkType(handle, type) {
  if (handle.type !== type) throw failure(`Key must be a ${type} key`, 'InvalidAccessError');
}

async function sign(algorithm, key, data) {
  const slots = slotsOf(key);
  if (isMac(algorithm.name)) return bufferOf(await mac(algorithm, slots, data));
  checkType(slots.handle, 'private');
  const [digest, ...rest] = intact(way(algorithm, slots.algorithm));
  return bufferOf(await awaitOperation(callAsync('sign_data', [slots.handle.number, digest, data, ...intact(rest)])));
}

async function verify(algorithm, key, signature, data) {
  const slots = slotsOf(key);
  if (isMac(algorithm.name)) {
    const expected = await mac(algorithm, slots, data);
    return expected.length > 0 && expected.length === signature.length && binding().timing_safe_equal(expected, signature);
  }
  checkType(slots.handle, 'public');
  const [digest, ...rest] = intact(way(algorithm, slots.algorithm));
  return awaitOperation(callAsync('verify_data', [slots.handle.number, digest, data, signature, ...intact(rest)]));
}

module.exports = { sign, verify };
