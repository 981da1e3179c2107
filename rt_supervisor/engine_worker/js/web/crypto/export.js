// @ts-check
'use strict';
// Owns: the export of extractable CryptoKeys as bytes and JSON Web Keys.

const { RegExpTest, StringStartsWith, Uint8ArrayFrom, intact } = require('internal/primordials');
const { binding } = require('internal/crypto/binding');
const { bufferOf } = require('internal/crypto/input');
const { HybridHandle } = require('internal/crypto/hybrid_key');
const { KeyObjectHandle } = require('internal/crypto/key_handle');
const { exportJwk, toBase64Url } = require('internal/crypto/jwk');
const { normalize } = require('web/crypto/algorithms');
const { jwkName } = require('web/crypto/import');
const { slotsOf } = require('web/crypto/key');
const { failure, operationError } = require('web/crypto/problems');

function rawPublic(handle, { name }, format) {
  if (StringStartsWith(name, 'RSA') || (StringStartsWith(name, 'ML') && format === 'raw')) return undefined;
  if (!StringStartsWith(name, 'EC')) return handle.raw('public');
  const { x, y } = binding().key_parts(handle.number);
  return Uint8ArrayFrom(intact([4, ...intact(x), ...intact(y)]));
}

/** Returns an EC key with its point in the form that Web Crypto exports; OpenSSL preserves that of the import. */
function uncompressed(handle, algorithm) {
  const number = binding().key_import_raw('ec', 'public', rawPublic(handle, algorithm, 'raw'), algorithm.namedCurve);
  return new KeyObjectHandle(number, 'public');
}

function bytesOf(format, { handle, algorithm }) {
  const { name } = algorithm;
  const { type } = handle;
  if (handle instanceof HybridHandle)
    return format === `raw-${type === 'public' ? 'public' : 'seed'}`
      ? handle.raw(type === 'public' ? 'public' : 'seed')
      : undefined;
  if (format === 'spki' || format === 'pkcs8') {
    if (type === 'secret') return undefined;
    const kind = format === 'spki' ? 'public' : 'private';
    if (type !== kind) throw failure(`Key must be a ${kind} key`, 'InvalidAccessError');
    try {
      return (format === 'spki' && StringStartsWith(name, 'EC') ? uncompressed(handle, algorithm) : handle).export(false, format);
    } catch (error) {
      throw operationError(error);
    }
  }
  if (type === 'secret' && (format === 'raw-secret' || (format === 'raw' && !RegExpTest(/^(?:AES-OCB|ChaCha|KMAC)/, name))))
    return handle.bytes();
  if (type === 'public' && (format === 'raw' || format === 'raw-public')) return rawPublic(handle, algorithm, format);
  if (type === 'private' && format === 'raw-seed' && StringStartsWith(name, 'ML')) return handle.raw('seed');
  return undefined;
}

function exportKey(format, key) {
  const slots = slotsOf(key);
  const { handle, algorithm, extractable, usages } = slots;
  try {
    normalize(algorithm.name, 'exportKey');
  } catch {
    throw failure(`${algorithm.name} key export is not supported`, 'NotSupportedError');
  }
  if (!extractable) throw failure('key is not extractable', 'InvalidAccessError');
  if (format === 'jwk' && handle instanceof HybridHandle) {
    const jwk = {
      kty: 'AKP',
      alg: algorithm.name,
      pub: toBase64Url(handle.raw('public')),
      key_ops: [...intact(usages)],
      ext: extractable,
    };
    return handle.type === 'private' ? { ...jwk, priv: toBase64Url(handle.raw('seed')) } : jwk;
  }
  if (format === 'jwk') {
    const alg = jwkName(algorithm);
    return { key_ops: [...intact(usages)], ext: extractable, ...(alg === undefined ? {} : { alg }), ...exportJwk(handle) };
  }
  const bytes = bytesOf(format, slots);
  if (bytes === undefined)
    throw failure(`Unable to export ${algorithm.name} ${handle.type} key using ${format} format`, 'NotSupportedError');
  return bufferOf(bytes);
}

module.exports = { exportKey };
