// @ts-check
'use strict';
// Owns: crypto.subtle.digest: fixed-length digests and extendable-output functions, both OpenSSL's.

const { AnySlice } = require('internal/any_kind');
const { RegExpTest, StringSlice, StringStartsWith } = require('internal/primordials');
const { callAsync } = require('internal/crypto/binding');
const { bufferOf } = require('internal/crypto/input');
const { digestName } = require('web/crypto/algorithms');
const { awaitOperation } = require('web/crypto/problems');

const EMPTY = new Uint8Array(0);
const PLAIN_SUFFIX = 0x1f;
const isGiven = (bytes) => bytes !== undefined && bytes.length > 0;

/** Returns the native function and its arguments. */
function job({ name, outputLength, customization = EMPTY, functionName = EMPTY, domainSeparation = PLAIN_SUFFIX }, data) {
  if (StringStartsWith(name, 'Turbo')) return ['turboshake', [name, domainSeparation, data, outputLength / 8]];
  if (StringStartsWith(name, 'KT')) return ['kangaroo', [name, data, customization, outputLength / 8]];
  if (isGiven(functionName) || isGiven(customization)) return ['cshake', [name, data, functionName, customization, outputLength]];
  if (RegExpTest(/^cSHAKE/, name)) return ['hash_once', [`shake${StringSlice(name, 6)}`, data, wholeBytes(outputLength)]];
  return ['hash_once', [digestName(name), data]];
}

const wholeBytes = (bits) => (bits + 7 - ((bits + 7) % 8)) / 8;

/** Truncates `bytes` to `bits` bits; the unused bits of the last byte are zero. */
function cutToBits(bytes, bits) {
  const cut = AnySlice(bytes, 0, wholeBytes(bits));
  if (bits % 8 !== 0) cut[cut.length - 1] &= (0xff << (8 - (bits % 8))) & 0xff;
  return cut;
}

async function digest(algorithm, data) {
  const { 0: name, 1: args } = job(algorithm, data);
  const bytes = await awaitOperation(callAsync(name, args));
  const { outputLength = 0 } = algorithm;
  return bufferOf(outputLength % 8 === 0 ? bytes : cutToBits(bytes, outputLength));
}

module.exports = { digest, cutToBits };
