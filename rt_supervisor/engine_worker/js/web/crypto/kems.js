// @ts-check
'use strict';
// Owns: encapsulation and decapsulation of shared secrets with CryptoKeys.

const { ArrayIncludes, StringStartsWith, intact } = require('internal/primordials');
const { callAsync } = require('internal/crypto/binding');
const { HybridHandle } = require('internal/crypto/hybrid_key');
const hybrids = require('internal/crypto/hybrid_key');
const { bufferOf } = require('internal/crypto/input');
const { normalize } = require('web/crypto/algorithms');
const { slotsOf } = require('web/crypto/key');
const { awaitOperation, failure, operationError } = require('web/crypto/problems');

const SECRET_BITS = 256;

function checkKey(algorithm, key, usage) {
  const isIn = StringStartsWith(usage, 'encapsulate');
  const normal = normalize(algorithm, isIn ? 'encapsulate' : 'decapsulate');
  const { algorithm: own, usages } = slotsOf(key);
  if (own.name !== normal.name) throw failure('key algorithm mismatch', 'InvalidAccessError');
  if (!ArrayIncludes(usages, usage))
    throw failure(`${isIn ? 'encapsulationKey' : 'decapsulationKey'} does not have ${usage} usage`, 'InvalidAccessError');
}

function handleOf(key, type) {
  const { handle } = slotsOf(key);
  if (handle.type !== type) throw failure(`Key must be a ${type} key`, 'InvalidAccessError');
  return handle;
}

async function encapsulate(key) {
  const handle = handleOf(key, 'public');
  const job = handle instanceof HybridHandle ? hybrids.encapsulate(handle) : callAsync('kem_encapsulate', [handle.number]);
  const [sharedKey, ciphertext] = intact(await awaitOperation(job));
  return { sharedKey: bufferOf(sharedKey), ciphertext: bufferOf(ciphertext) };
}

async function decapsulate(key, ciphertext) {
  const handle = handleOf(key, 'private');
  const job =
    handle instanceof HybridHandle
      ? hybrids.decapsulate(handle, ciphertext)
      : callAsync('kem_decapsulate', [handle.number, ciphertext]);
  const secret = await awaitOperation(job);
  if (secret === undefined) throw operationError();
  return bufferOf(secret);
}

module.exports = { checkKey, encapsulate, decapsulate, SECRET_BITS };
