// @ts-check
'use strict';
// Owns: crypto.subtle: its methods check arguments, keys and usages; the other files of this folder perform the operations.

const {
  ArrayIncludes,
  JSONParse,
  JSONStringify,
  ObjectDefineProperty,
  ObjectGetOwnPropertyNames,
  ReflectApply,
  StringRepeat,
  intact,
} = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { OPERATIONS, normalize } = require('web/crypto/algorithms');
const { decrypt, encrypt } = require('web/crypto/ciphers');
const { deriveBits, keyLength } = require('web/crypto/derive');
const { digest } = require('web/crypto/digests');
const { exportKey } = require('web/crypto/export');
const { generateKey } = require('web/crypto/generate');
const { canonical, importKey, usagesOf, checkUsages } = require('web/crypto/import');
const kems = require('web/crypto/kems');
const { cryptoKey, slotsOf } = require('web/crypto/key');
const { failure, warnOfExperiment } = require('web/crypto/problems');
const { sign, verify } = require('web/crypto/signatures');
const { Arguments, copyBytes } = require('web/crypto/webidl');

let subtle;
let isMaking = false;

/** Wraps the arguments of a method call on `self`. */
function argumentsOf(self, method, count, required) {
  if (self !== subtle) throw new codes.ERR_INVALID_THIS('SubtleCrypto');
  return new Arguments(method, count, required);
}

function checkKey(key, algorithm, usage, words) {
  const slots = slotsOf(key);
  if (slots.algorithm.name !== algorithm.name) throw failure('Key algorithm mismatch', 'InvalidAccessError');
  if (!ArrayIncludes(slots.usages, usage)) throw failure(words ?? `Unable to use this key to ${usage}`, 'InvalidAccessError');
}

/** Runs an operation on a key and bytes; `work` receives the algorithm, the key and the bytes. */
function onBytes(args, work, operation, { 0: algorithm, 1: key, 2: data }) {
  const { 0: given, 1: own, 2: bytes } = [args.algorithm(algorithm), args.key(key), args.bytes(data)];
  const normal = normalize(given, operation);
  checkKey(own, normal, operation);
  return work(normal, own, copyBytes(bytes));
}

/** Normalizes an algorithm for wrapping if it supports that, otherwise for encryption. */
function wrapping(algorithm, operation, otherwise) {
  try {
    return normalize(algorithm, operation);
  } catch {
    return normalize(algorithm, otherwise);
  }
}

function jwkText(jwk, isPadded) {
  const text = JSONStringify(jwk);
  const rest = text.length % 8;
  return host.native.encodeUtf8(isPadded && rest !== 0 ? text + StringRepeat(' ', 8 - rest) : text);
}

function parseJwk(bytes) {
  let jwk;
  try {
    jwk = JSONParse(host.native.decodeUtf8(new Uint8Array(bytes)));
  } catch (error) {
    throw failure('Invalid wrapped JWK key', 'DataError', error);
  }
  if (jwk?.kty === undefined) throw failure('Invalid wrapped JWK key', 'DataError');
  return jwk;
}

class SubtleCrypto {
  constructor() {
    if (!isMaking) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
  }
  static supports(operation, algorithm, lengthOrAdditionalAlgorithm = null) {
    warnOfExperiment('The supports Web Crypto API method');
    if (this !== SubtleCrypto) throw new codes.ERR_INVALID_THIS('SubtleCrypto constructor');
    const args = new Arguments('supports', arguments.length, 2);
    const { 0: wanted, 1: given } = [args.text(operation), args.algorithm(algorithm)];
    return require('web/crypto/supports').supports(wanted, given, lengthOrAdditionalAlgorithm, args);
  }
  async encrypt(algorithm, key, data) {
    return onBytes(argumentsOf(this, 'encrypt', arguments.length, 3), encrypt, 'encrypt', [algorithm, key, data]);
  }
  async decrypt(algorithm, key, data) {
    return onBytes(argumentsOf(this, 'decrypt', arguments.length, 3), decrypt, 'decrypt', [algorithm, key, data]);
  }
  async sign(algorithm, key, data) {
    return onBytes(argumentsOf(this, 'sign', arguments.length, 3), sign, 'sign', [algorithm, key, data]);
  }
  async verify(algorithm, key, signature, data) {
    const args = argumentsOf(this, 'verify', arguments.length, 4);
    const {
      0: given,
      1: own,
      2: signed,
      3: bytes,
    } = [args.algorithm(algorithm), args.key(key), args.bytes(signature), args.bytes(data)];
    const normal = normalize(given, 'verify');
    checkKey(own, normal, 'verify');
    return verify(normal, own, copyBytes(signed), copyBytes(bytes));
  }
  async digest(algorithm, data) {
    const args = argumentsOf(this, 'digest', arguments.length, 2);
    const { 0: given, 1: bytes } = [args.algorithm(algorithm), args.bytes(data)];
    return digest(normalize(given, 'digest'), copyBytes(bytes));
  }
  async generateKey(algorithm, extractable, keyUsages) {
    const args = argumentsOf(this, 'generateKey', arguments.length, 3);
    const { 0: given, 1: isExtractable, 2: usages } = [args.algorithm(algorithm), args.flag(extractable), args.usages(keyUsages)];
    return generateKey(normalize(given, 'generateKey'), isExtractable, usages);
  }
  async deriveKey(algorithm, baseKey, derivedKeyType, extractable, keyUsages) {
    const args = argumentsOf(this, 'deriveKey', arguments.length, 5);
    const { 0: given, 1: base, 2: derived } = [args.algorithm(algorithm), args.key(baseKey), args.algorithm(derivedKeyType)];
    const { 0: isExtractable, 1: usages } = [args.flag(extractable), args.usages(keyUsages)];
    const normal = normalize(given, 'deriveBits');
    const imported = normalize(derived, 'importKey');
    const length = keyLength(normalize(derived, 'get key length'));
    if (!ArrayIncludes(slotsOf(base).usages, 'deriveKey'))
      throw failure('baseKey does not have deriveKey usage', 'InvalidAccessError');
    if (slotsOf(base).algorithm.name !== normal.name) throw failure('Key algorithm mismatch', 'InvalidAccessError');
    return importKey('raw-secret', new Uint8Array(await deriveBits(normal, base, length)), imported, isExtractable, usages);
  }
  async deriveBits(algorithm, baseKey, length = null) {
    const args = argumentsOf(this, 'deriveBits', arguments.length, 2);
    const { 0: given, 1: base } = [args.algorithm(algorithm), args.key(baseKey)];
    const bits = length === null ? null : args.length(length);
    const normal = normalize(given, 'deriveBits');
    if (!ArrayIncludes(slotsOf(base).usages, 'deriveBits'))
      throw failure('baseKey does not have deriveBits usage', 'InvalidAccessError');
    if (slotsOf(base).algorithm.name !== normal.name) throw failure('Key algorithm mismatch', 'InvalidAccessError');
    return deriveBits(normal, base, bits);
  }
  async importKey(format, keyData, algorithm, extractable, keyUsages) {
    const args = argumentsOf(this, 'importKey', arguments.length, 5);
    const form = args.format(format);
    const data = form === 'jwk' ? args.jwk(keyData) : args.bytes(keyData);
    const { 0: given, 1: isExtractable, 2: usages } = [args.algorithm(algorithm), args.flag(extractable), args.usages(keyUsages)];
    const normal = normalize(given, 'importKey');
    return importKey(form, form === 'jwk' ? data : copyBytes(data), normal, isExtractable, usages);
  }
  async exportKey(format, key) {
    const args = argumentsOf(this, 'exportKey', arguments.length, 2);
    return exportKey(args.format(format), args.key(key));
  }
  async wrapKey(format, key, wrappingKey, wrapAlgorithm) {
    const args = argumentsOf(this, 'wrapKey', arguments.length, 4);
    const {
      0: form,
      1: own,
      2: wrapper,
      3: given,
    } = [args.format(format), args.key(key), args.key(wrappingKey), args.algorithm(wrapAlgorithm)];
    const normal = wrapping(given, 'wrapKey', 'encrypt');
    checkKey(wrapper, normal, 'wrapKey');
    const exported = exportKey(form, own);
    return encrypt(normal, wrapper, form === 'jwk' ? jwkText(exported, normal.name === 'AES-KW') : new Uint8Array(exported));
  }
  async unwrapKey(format, wrappedKey, unwrappingKey, unwrapAlgorithm, unwrappedKeyAlgorithm, extractable, keyUsages) {
    const args = argumentsOf(this, 'unwrapKey', arguments.length, 7);
    const { 0: form, 1: wrapped, 2: unwrapper } = [args.format(format), args.bytes(wrappedKey), args.key(unwrappingKey)];
    const { 0: given, 1: inner } = [args.algorithm(unwrapAlgorithm), args.algorithm(unwrappedKeyAlgorithm)];
    const { 0: isExtractable, 1: usages } = [args.flag(extractable), args.usages(keyUsages)];
    const normal = wrapping(given, 'unwrapKey', 'decrypt');
    const imported = normalize(inner, 'importKey');
    checkKey(unwrapper, normal, 'unwrapKey');
    const bytes = await decrypt(normal, unwrapper, copyBytes(wrapped));
    return importKey(form, form === 'jwk' ? parseJwk(bytes) : new Uint8Array(bytes), imported, isExtractable, usages);
  }
  async getPublicKey(key, keyUsages) {
    warnOfExperiment('The getPublicKey Web Crypto API method');
    const args = argumentsOf(this, 'getPublicKey', arguments.length, 2);
    const { 0: own, 1: usages } = [args.key(key), args.usages(keyUsages)];
    const { handle, algorithm } = slotsOf(own);
    if (handle.type !== 'private') {
      throw failure('key must be a private key', handle.type === 'secret' ? 'NotSupportedError' : 'InvalidAccessError');
    }
    checkUsages(algorithm.name, usages, usagesOf(algorithm.name)[0]);
    return cryptoKey(handle.publicHalf(), algorithm, true, canonical(usages));
  }
  async encapsulateBits(encapsulationAlgorithm, encapsulationKey) {
    warnOfExperiment('The encapsulateBits Web Crypto API method');
    const args = argumentsOf(this, 'encapsulateBits', arguments.length, 2);
    const { 0: given, 1: own } = [args.algorithm(encapsulationAlgorithm), args.key(encapsulationKey)];
    kems.checkKey(given, own, 'encapsulateBits');
    return kems.encapsulate(own);
  }
  async encapsulateKey(encapsulationAlgorithm, encapsulationKey, sharedKeyAlgorithm, extractable, keyUsages) {
    warnOfExperiment('The encapsulateKey Web Crypto API method');
    const args = argumentsOf(this, 'encapsulateKey', arguments.length, 5);
    const { 0: given, 1: own } = [args.algorithm(encapsulationAlgorithm), args.key(encapsulationKey)];
    const { 0: shared, 1: isExtractable, 2: usages } = shareArguments(args, sharedKeyAlgorithm, extractable, keyUsages);
    normalize(given, 'encapsulate');
    const imported = normalize(shared, 'importKey');
    kems.checkKey(given, own, 'encapsulateKey');
    const { ciphertext, sharedKey } = await kems.encapsulate(own);
    return { ciphertext, sharedKey: importKey('raw-secret', new Uint8Array(sharedKey), imported, isExtractable, usages) };
  }
  async decapsulateBits(decapsulationAlgorithm, decapsulationKey, ciphertext) {
    warnOfExperiment('The decapsulateBits Web Crypto API method');
    const args = argumentsOf(this, 'decapsulateBits', arguments.length, 3);
    const {
      0: given,
      1: own,
      2: bytes,
    } = [args.algorithm(decapsulationAlgorithm), args.key(decapsulationKey), args.bytes(ciphertext)];
    kems.checkKey(given, own, 'decapsulateBits');
    return kems.decapsulate(own, copyBytes(bytes));
  }
  async decapsulateKey(decapsulationAlgorithm, decapsulationKey, ciphertext, sharedKeyAlgorithm, extractable, keyUsages) {
    warnOfExperiment('The decapsulateKey Web Crypto API method');
    const args = argumentsOf(this, 'decapsulateKey', arguments.length, 6);
    const {
      0: given,
      1: own,
      2: bytes,
    } = [args.algorithm(decapsulationAlgorithm), args.key(decapsulationKey), args.bytes(ciphertext)];
    const { 0: shared, 1: isExtractable, 2: usages } = shareArguments(args, sharedKeyAlgorithm, extractable, keyUsages);
    normalize(given, 'decapsulate');
    const imported = normalize(shared, 'importKey');
    kems.checkKey(given, own, 'decapsulateKey');
    return importKey(
      'raw-secret',
      new Uint8Array(await kems.decapsulate(own, copyBytes(bytes))),
      imported,
      isExtractable,
      usages,
    );
  }
}

/** Returns the arguments for the key that a shared secret becomes. */
const shareArguments = (args, algorithm, extractable, usages) => [
  args.algorithm(algorithm),
  args.flag(extractable),
  args.usages(usages),
];

/** As in Node, methods are plain functions that return promises. */
function plain(name) {
  const run = SubtleCrypto.prototype[name];
  const method = function () {
    return ReflectApply(run, this, arguments);
  };
  ObjectDefineProperty(method, 'name', { __proto__: null, value: name, configurable: true });
  return ObjectDefineProperty(method, 'length', { __proto__: null, value: run.length, configurable: true });
}

for (const name of intact(ObjectGetOwnPropertyNames(SubtleCrypto.prototype))) {
  if (name !== 'constructor')
    ObjectDefineProperty(SubtleCrypto.prototype, name, { __proto__: null, value: plain(name), enumerable: true });
}
ObjectDefineProperty(SubtleCrypto, 'supports', { __proto__: null, enumerable: true });
ObjectDefineProperty(SubtleCrypto.prototype, Symbol.toStringTag, { __proto__: null, value: 'SubtleCrypto', configurable: true });
isMaking = true;
subtle = new SubtleCrypto();
isMaking = false;

module.exports = { SubtleCrypto, subtle, OPERATIONS };
