// @ts-check
'use strict';
// Owns: crypto.subtle.generateKey.

const { MathCeil, RegExpTest, StringSlice, StringStartsWith, intact } = require('internal/primordials');
const { callAsync } = require('internal/crypto/binding');
const { KeyObjectHandle, secretHandle } = require('internal/crypto/key_handle');
const hybrids = require('internal/crypto/hybrid_key');
const { CURVES } = require('internal/crypto/jwk');
const { numberOf } = require('web/crypto/parameters');
const { canonical, checkUsages, usagesOf } = require('web/crypto/import');
const { cryptoKey } = require('web/crypto/key');
const { awaitOperation, failure } = require('web/crypto/problems');

const HMAC_BLOCKS = { __proto__: null, 'SHA-1': 512, 'SHA-256': 512, 'SHA-384': 1024, 'SHA-512': 1024 };

/** Returns the default length of an HMAC key: the block size of its digest. */
function hmacLength(hash) {
  const length = HMAC_BLOCKS[hash];
  if (length === undefined) throw failure('Explicit algorithm length member is required', 'NotSupportedError');
  return length;
}

function checkNotEmpty(usages) {
  if (usages.length === 0) throw failure('Usages cannot be empty when creating a key.', 'SyntaxError');
}

async function secret(algorithm, extractable, usages) {
  const { name, hash } = algorithm;
  let { length } = algorithm;
  if (name === 'HMAC') length ??= hmacLength(hash.name);
  else if (StringStartsWith(name, 'KMAC')) length ??= Number(StringSlice(name, 4));
  else if (StringStartsWith(name, 'ChaCha')) length = 256;
  checkUsages(name, usages, usagesOf(name));
  checkNotEmpty(usages);
  const bytes = await awaitOperation(callAsync('random_bytes', [MathCeil(length / 8)]));
  if (length % 8 !== 0) bytes[bytes.length - 1] &= (0xff << (8 - (length % 8))) & 0xff;
  const own = name === 'HMAC' ? { name, length, hash } : StringStartsWith(name, 'ChaCha') ? { name } : { name, length };
  return cryptoKey(secretHandle(bytes), own, extractable, canonical(usages));
}

function job({ name, namedCurve, modulusLength, publicExponent, hash }) {
  if (namedCurve !== undefined) return ['generate_ec', [CURVES[namedCurve][0], true], { name, namedCurve }];
  if (modulusLength !== undefined) {
    return ['generate_rsa', [modulusLength, numberOf(publicExponent)], { name, modulusLength, publicExponent, hash }];
  }
  return ['generate_named', [name], { name }];
}

async function pair(algorithm, extractable, usages) {
  const [forPublic, forPrivate] = intact(usagesOf(algorithm.name));
  checkUsages(algorithm.name, usages, [...intact(forPublic), ...intact(forPrivate)]);
  const own = canonical(usages, forPrivate);
  checkNotEmpty(own);
  const { 0: described, 1: publicHandle, 2: privateHandle } = await generate(algorithm);
  return {
    publicKey: cryptoKey(publicHandle, described, true, canonical(usages, forPublic)),
    privateKey: cryptoKey(privateHandle, described, extractable, own),
  };
}

/** Returns [the algorithm members of the key, public key, private key]. */
async function generate(algorithm) {
  if (hybrids.isHybrid(algorithm.name)) {
    const handle = hybrids.generate(algorithm.name);
    return [algorithm, handle?.publicHalf(), handle];
  }
  const [name, args, described] = intact(job(algorithm));
  const [publicNumber, privateNumber] = intact(await awaitOperation(callAsync(name, args)));
  return [described, new KeyObjectHandle(publicNumber, 'public'), new KeyObjectHandle(privateNumber, 'private')];
}

const generateKey = (algorithm, extractable, usages) =>
  (RegExpTest(/^(?:AES|ChaCha|HMAC|KMAC)/, algorithm.name) ? secret : pair)(algorithm, extractable, usages);

module.exports = { generateKey, hmacLength };
