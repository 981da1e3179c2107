// @ts-check
'use strict';
// Owns: crypto.subtle: its methods check arguments, keys and usages; the files beside this one do the work.

const {
  ArrayIncludes,
  JSONParse,
  JSONStringify,
  MathCeil,
  ObjectDefineProperty,
  ObjectGetOwnPropertyNames,
  StringRepeat,
  StringSlice,
  intact,
} = require('internal/primordials');
const { promised } = require('internal/crypto/binding');
const { bufferOf } = require('internal/crypto/input');
const { codes } = require('internal/errors/errors');
const { OPERATIONS, digestName, normalize } = require('web/crypto/algorithms');
const { decrypt, encrypt } = require('web/crypto/ciphers');
const { deriveBits, keyLength } = require('web/crypto/derive');
const { exportKey } = require('web/crypto/export');
const { generateKey } = require('web/crypto/generate');
const { canonical, importKey, usagesOf, checkUsages } = require('web/crypto/import');
const { cryptoKey, slotsOf } = require('web/crypto/key');
const { done, failure, warnOfExperiment } = require('web/crypto/problems');
const { sign, verify } = require('web/crypto/signatures');
const { Arguments, copied } = require('web/crypto/webidl');

let subtle;
let isMaking = false;

/** The arguments of a method call on `self`. */
function argumentsOf(self, method, count, required) {
  if (self !== subtle) throw new codes.ERR_INVALID_THIS('SubtleCrypto');
  return new Arguments(method, count, required);
}

function checkKey(key, algorithm, usage, words) {
  const slots = slotsOf(key);
  if (slots.algorithm.name !== algorithm.name) throw failure('Key algorithm mismatch', 'InvalidAccessError');
  if (!ArrayIncludes(slots.usages, usage)) throw failure(words ?? `Unable to use this key to ${usage}`, 'InvalidAccessError');
}

/** An operation that needs a key and bytes; `work` takes the algorithm, the key and the bytes. */
function onBytes(args, work, operation, { 0: algorithm, 1: key, 2: data }) {
  const { 0: given, 1: own, 2: bytes } = [args.algorithm(algorithm), args.key(key), args.bytes(data)];
  const normal = normalize(given, operation);
  checkKey(own, normal, operation);
  return work(normal, own, copied(bytes));
}

/** An algorithm for wrapping: normalized for wrapping if it supports that, else for encryption. */
function wrapping(algorithm, operation, otherwise) {
  try {
    return normalize(algorithm, operation);
  } catch {
    return normalize(algorithm, otherwise);
  }
}

async function digest(algorithm, data) {
  const { name, outputLength, customization, functionName } = algorithm;
  if (outputLength === undefined) return bufferOf(await done(promised('hash_once', [digestName(name), data])));
  if (customization?.length > 0 || functionName?.length > 0) {
    throw failure('Non-empty CShakeParams functionName or customization is not supported', 'NotSupportedError');
  }
  const size = MathCeil(outputLength / 8);
  const bytes = await done(promised('hash_once', [`shake${StringSlice(name, 6)}`, data, size]));
  if (outputLength % 8 !== 0) bytes[size - 1] &= (0xff << (8 - (outputLength % 8))) & 0xff;
  return bufferOf(bytes);
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
    if (arguments.length < 2) {
      const { wrong } = require('web/crypto/webidl');
      throw wrong(
        `Failed to execute 'supports' on 'SubtleCrypto': 2 arguments required, but only ${arguments.length} present.`,
        'ERR_MISSING_ARGS',
      );
    }
    const aliases = {
      encapsulateBits: 'encapsulate',
      encapsulateKey: 'encapsulate',
      decapsulateBits: 'decapsulate',
      decapsulateKey: 'decapsulate',
      deriveKey: 'deriveBits',
      getPublicKey: 'exportKey',
    };
    try {
      if (ArrayIncludes(['deriveKey', 'encapsulateKey', 'decapsulateKey', 'unwrapKey'], operation))
        normalize(lengthOrAdditionalAlgorithm, 'importKey');
      if (operation === 'wrapKey') wrapping(algorithm, 'wrapKey', 'encrypt');
      else if (operation === 'unwrapKey') wrapping(algorithm, 'unwrapKey', 'decrypt');
      else normalize(algorithm, aliases[operation] ?? operation);
      return true;
    } catch {
      return false;
    }
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
    return verify(normal, own, copied(signed), copied(bytes));
  }
  async digest(algorithm, data) {
    const args = argumentsOf(this, 'digest', arguments.length, 2);
    const { 0: given, 1: bytes } = [args.algorithm(algorithm), args.bytes(data)];
    return digest(normalize(given, 'digest'), copied(bytes));
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
    const wanted = length === null ? null : args.length(length);
    const normal = normalize(given, 'deriveBits');
    if (!ArrayIncludes(slotsOf(base).usages, 'deriveBits'))
      throw failure('baseKey does not have deriveBits usage', 'InvalidAccessError');
    if (slotsOf(base).algorithm.name !== normal.name) throw failure('Key algorithm mismatch', 'InvalidAccessError');
    return deriveBits(normal, base, wanted);
  }
  async importKey(format, keyData, algorithm, extractable, keyUsages) {
    const args = argumentsOf(this, 'importKey', arguments.length, 5);
    const form = args.format(format);
    const data = form === 'jwk' ? args.jwk(keyData) : args.bytes(keyData);
    const { 0: given, 1: isExtractable, 2: usages } = [args.algorithm(algorithm), args.flag(extractable), args.usages(keyUsages)];
    const normal = normalize(given, 'importKey');
    return importKey(form, form === 'jwk' ? data : copied(data), normal, isExtractable, usages);
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
    const bytes = await decrypt(normal, unwrapper, copied(wrapped));
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
    const args = argumentsOf(this, 'encapsulateBits', arguments.length, 2);
    return encapsulate(args.algorithm(encapsulationAlgorithm), args.key(encapsulationKey), 'encapsulateBits');
  }
  async encapsulateKey(encapsulationAlgorithm, encapsulationKey, sharedKeyAlgorithm, extractable, keyUsages) {
    const args = argumentsOf(this, 'encapsulateKey', arguments.length, 5);
    const {
      0: given,
      1: own,
      2: shared,
    } = [args.algorithm(encapsulationAlgorithm), args.key(encapsulationKey), args.algorithm(sharedKeyAlgorithm)];
    const { 0: isExtractable, 1: usages } = [args.flag(extractable), args.usages(keyUsages)];
    const imported = normalize(shared, 'importKey');
    const { ciphertext, sharedKey } = await encapsulate(given, own, 'encapsulateKey');
    return { ciphertext, sharedKey: importKey('raw-secret', new Uint8Array(sharedKey), imported, isExtractable, usages) };
  }
  async decapsulateBits(decapsulationAlgorithm, decapsulationKey, ciphertext) {
    const args = argumentsOf(this, 'decapsulateBits', arguments.length, 3);
    return decapsulate(
      args.algorithm(decapsulationAlgorithm),
      args.key(decapsulationKey),
      args.bytes(ciphertext),
      'decapsulateBits',
    );
  }
  async decapsulateKey(decapsulationAlgorithm, decapsulationKey, ciphertext, sharedKeyAlgorithm, extractable, keyUsages) {
    const args = argumentsOf(this, 'decapsulateKey', arguments.length, 6);
    const {
      0: given,
      1: own,
      2: bytes,
      3: shared,
    } = [
      args.algorithm(decapsulationAlgorithm),
      args.key(decapsulationKey),
      args.bytes(ciphertext),
      args.algorithm(sharedKeyAlgorithm),
    ];
    const { 0: isExtractable, 1: usages } = [args.flag(extractable), args.usages(keyUsages)];
    const imported = normalize(shared, 'importKey');
    return importKey(
      'raw-secret',
      new Uint8Array(await decapsulate(given, own, bytes, 'decapsulateKey')),
      imported,
      isExtractable,
      usages,
    );
  }
}

function checkKemKey(algorithm, key, operation, usage, role) {
  warnOfExperiment(`The ${usage} Web Crypto API method`);
  const normal = normalize(algorithm, operation);
  const { algorithm: own, usages, handle } = slotsOf(key);
  if (own.name !== normal.name) throw failure('key algorithm mismatch', 'InvalidAccessError');
  if (!ArrayIncludes(usages, usage)) throw failure(`${role} does not have ${usage} usage`, 'InvalidAccessError');
  return handle;
}

async function encapsulate(algorithm, key, usage) {
  const handle = checkKemKey(algorithm, key, 'encapsulate', usage, 'encapsulationKey');
  const [sharedKey, ciphertext] = intact(await done(promised('kem_encapsulate', [handle.number])));
  return { sharedKey: bufferOf(sharedKey), ciphertext: bufferOf(ciphertext) };
}

async function decapsulate(algorithm, key, ciphertext, usage) {
  const handle = checkKemKey(algorithm, key, 'decapsulate', usage, 'decapsulationKey');
  return bufferOf(await done(promised('kem_decapsulate', [handle.number, copied(ciphertext)])));
}

for (const name of intact(ObjectGetOwnPropertyNames(SubtleCrypto.prototype))) {
  if (name !== 'constructor') ObjectDefineProperty(SubtleCrypto.prototype, name, { __proto__: null, enumerable: true });
}
ObjectDefineProperty(SubtleCrypto.prototype, Symbol.toStringTag, { __proto__: null, value: 'SubtleCrypto', configurable: true });
isMaking = true;
subtle = new SubtleCrypto();
isMaking = false;

module.exports = { SubtleCrypto, subtle, OPERATIONS };
