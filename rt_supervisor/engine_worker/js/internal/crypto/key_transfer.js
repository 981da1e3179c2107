// @ts-check
'use strict';
// Owns: the transfer of keys to other threads. They are sent as bytes, because the native key is freed after its holder.

const { intact } = require('internal/primordials');
const { binding } = require('internal/crypto/binding');
const { HybridHandle, fromPublic, fromSeed } = require('internal/crypto/hybrid_key');
const { KeyObjectHandle, secretHandle } = require('internal/crypto/key_handle');

function factsOf(handle) {
  const { type } = handle;
  if (handle instanceof HybridHandle)
    return { type, hybrid: handle.name, bytes: handle.raw(type === 'public' ? 'public' : 'seed') };
  if (type === 'secret') return { type, bytes: handle.bytes() };
  return { type, bytes: handle.export(false, type === 'public' ? 'spki' : 'pkcs8') };
}

function handleOf({ type, bytes, hybrid }) {
  if (hybrid !== undefined) return (type === 'public' ? fromPublic : fromSeed)(hybrid, bytes);
  if (type === 'secret') return secretHandle(bytes);
  const [number] = intact(binding().key_import_any(bytes, false, type === 'public' ? 'spki' : 'pkcs8'));
  return new KeyObjectHandle(number, type);
}

module.exports = { factsOf, handleOf };
