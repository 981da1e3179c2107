'use strict';
// Owns: KeyObject and its three kinds.

const { setOf } = require('internal/collections');
const {
  ObjectDefineProperty,
  SetHas,
  StringSlice,
  StringStartsWith,
  Uint8ArrayFrom,
  WeakMapGet,
  WeakMapHas,
  WeakMapSet,
  intact,
} = require('internal/primordials');
const { asBuffer } = require('internal/crypto/input');
const { exportJwk } = require('internal/crypto/jwk');
const { KeyObjectHandle, detailsOf, incompatible } = require('internal/crypto/key_handle');
const { binding } = require('internal/crypto/binding');
const { codes } = require('internal/errors/errors');
const { validateObject, validateOneOf } = require('internal/validators');
const { parsePrivateKeyEncoding, parsePublicKeyEncoding } = require('node/crypto/key_encoding');
const { isCryptoKey, slotsOf } = require('web/crypto/key');

const WITH_DETAILS = setOf(['rsa', 'rsa-pss', 'dsa', 'ec']);
const FORMS = { __proto__: null, compressed: 2, uncompressed: 4 };
let handleOf;
let isKeyObject;

class KeyObject {
  #handle;

  constructor(type, handle) {
    if (type !== 'secret' && type !== 'public' && type !== 'private') throw new codes.ERR_INVALID_ARG_VALUE('type', type);
    if (typeof handle !== 'object' || !(handle instanceof KeyObjectHandle))
      throw new codes.ERR_INVALID_ARG_TYPE('handle', 'object', handle);
    this.#handle = handle;
  }
  static {
    isKeyObject = (value) => typeof value === 'object' && value !== null && #handle in value;
    handleOf = (key) => {
      if (!isKeyObject(key)) throw new codes.ERR_INVALID_THIS('KeyObject');
      return key.#handle;
    };
  }

  get type() {
    return handleOf(this).type;
  }
  toCryptoKey(algorithm, extractable, keyUsages) {
    return require('web/crypto/import').fromHandle(handleOf(this), algorithm, extractable, keyUsages);
  }
  static from(key) {
    if (!isCryptoKey(key)) throw new codes.ERR_INVALID_ARG_TYPE('key', 'CryptoKey', key);
    const { handle, extractable } = slotsOf(key);
    if (!extractable) require('node/crypto/crypto_key_warnings').warnOfHiddenKey();
    if (handle instanceof require('internal/crypto/hybrid_key').HybridHandle)
      throw new codes.ERR_INVALID_ARG_VALUE('key', key, 'cannot be represented by a single KeyObject');
    return wrap(handle);
  }
  equals(otherKeyObject) {
    if (!isKeyObject(otherKeyObject)) throw new codes.ERR_INVALID_ARG_TYPE('otherKeyObject', 'KeyObject', otherKeyObject);
    return handleOf(this).equals(handleOf(otherKeyObject));
  }
}
ObjectDefineProperty(KeyObject.prototype, Symbol.toStringTag, { __proto__: null, configurable: true, value: 'KeyObject' });

class SecretKeyObject extends KeyObject {
  constructor(handle) {
    super('secret', handle);
  }

  get symmetricKeySize() {
    return handleOf(this).bytes().length;
  }
  export(options) {
    const handle = handleOf(this);
    if (options !== undefined) {
      validateObject(options, 'options');
      validateOneOf(options.format, 'options.format', [undefined, 'buffer', 'jwk']);
      if (options.format === 'jwk') return exportJwk(handle);
    }
    return asBuffer(handle.bytes());
  }
}

const kinds = new WeakMap();
class AsymmetricKeyObject extends KeyObject {
  get asymmetricKeyType() {
    const handle = handleOf(this);
    if (!WeakMapHas(kinds, handle)) WeakMapSet(kinds, handle, handle.kind);
    return WeakMapGet(kinds, handle);
  }
  get asymmetricKeyDetails() {
    return SetHas(WITH_DETAILS, this.asymmetricKeyType) ? detailsOf(handleOf(this)) : {};
  }
}

/** Exports a key as a string or bytes; format and type were validated. */
function exportKey(handle, { format, type, cipher, passphrase }) {
  const bytes = asBuffer(handle.export(format === 'pem', type, cipher, passphrase));
  return format === 'pem' ? bytes.toString('latin1') : bytes;
}

/** Exports a raw form (`public`, `private`, `seed`); throws for keys without one. */
function rawBytes(handle, what, form) {
  const { kind } = handle;
  if (kind === 'ec' && what !== 'seed') {
    const { x, y, d } = binding().key_parts(handle.number);
    if (what === 'private') return asBuffer(d);
    const { namedCurve } = binding().key_details(handle.number);
    return asBuffer(binding().ec_convert(namedCurve, Uint8ArrayFrom(intact([4, ...intact(x), ...intact(y)])), FORMS[form]));
  }
  const isSeeded = StringStartsWith(kind, 'ml-');
  const bytes =
    SetHas(WITH_DETAILS, kind) || kind === 'dh' || (what === 'seed' && !isSeeded) || (what === 'private' && isSeeded)
      ? undefined
      : handle.raw(what);
  if (bytes === undefined) throw incompatible();
  return asBuffer(bytes);
}

class PublicKeyObject extends AsymmetricKeyObject {
  constructor(handle) {
    super('public', handle);
  }

  export(options) {
    const handle = handleOf(this);
    if (options?.format === 'jwk') return exportJwk(handle);
    if (options?.format === 'raw-public') {
      const { type = 'uncompressed' } = options;
      if (this.asymmetricKeyType === 'ec') validateOneOf(type, 'options.type', ['compressed', 'uncompressed']);
      return rawBytes(handle, 'public', type);
    }
    return exportKey(handle, parsePublicKeyEncoding(options, this.asymmetricKeyType));
  }
}

class PrivateKeyObject extends AsymmetricKeyObject {
  constructor(handle) {
    super('private', handle);
  }

  export(options) {
    const handle = handleOf(this);
    if (options?.passphrase !== undefined && options.format !== 'pem' && options.format !== 'der') {
      throw new codes.ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS(options.format, 'does not support encryption');
    }
    if (options?.format === 'jwk') return exportJwk(handle);
    if (options?.format === 'raw-private') return rawBytes(handle, 'private');
    if (options?.format === 'raw-seed') return rawBytes(handle, 'seed');
    return exportKey(handle, parsePrivateKeyEncoding(options, this.asymmetricKeyType));
  }
}

/** The KeyObject of a handle. */
function wrap(handle) {
  if (handle.type === 'secret') return new SecretKeyObject(handle);
  return handle.type === 'public' ? new PublicKeyObject(handle) : new PrivateKeyObject(handle);
}

require('internal/cloneable').registerSerializable(
  isKeyObject,
  (key) => wrap(handleOf(key)),
  'KeyObject',
  (key) => require('internal/crypto/key_transfer').factsOf(handleOf(key)),
);

/** Recreates a key received from another thread. */
const unpack = (name, { facts }) => wrap(require('internal/crypto/key_transfer').handleOf(facts));

/** Exports a handle with an encoding, or as a KeyObject without one. */
function inEncoding(handle, encoding) {
  if (encoding === undefined) return wrap(handle);
  if (encoding.format === 'jwk') return exportJwk(handle);
  if (StringStartsWith(encoding.format, 'raw-')) return rawBytes(handle, StringSlice(encoding.format, 4), encoding.type);
  return exportKey(handle, encoding);
}

module.exports = {
  unpack,
  KeyObject,
  SecretKeyObject,
  PublicKeyObject,
  PrivateKeyObject,
  handleOf,
  isKeyObject,
  wrap,
  inEncoding,
};
