'use strict';
// Owns: asymmetric keys as arguments (strings, buffers, KeyObjects, CryptoKeys, options) and the native key of each.

const { RegExpTest, StringSlice, StringStartsWith, intact } = require('internal/primordials');
const { binding } = require('internal/crypto/binding');
const { isAnyArrayBuffer, isView } = require('internal/crypto/input');
const { importJwk } = require('internal/crypto/jwk');
const { KeyObjectHandle, incompatible, nativeError } = require('internal/crypto/key_handle');
const { codes } = require('internal/errors/errors');
const { validateObject, validateString } = require('internal/validators');
const { encodeText, parseKeyEncoding } = require('node/crypto/key_encoding');
const { handleOf, isKeyObject } = require('node/crypto/key_object');
const { isCryptoKey, slotsOf } = require('web/crypto/key');

// The purpose for which a key is opened.
const CONSUME_PUBLIC = 0;
const CONSUME_PRIVATE = 1;
const CREATE_PUBLIC = 2;
const CREATE_PRIVATE = 3;
const RAW_KINDS =
  /^(?:ec|ed25519|ed448|x25519|x448|ml-(?:dsa-(?:44|65|87)|kem-(?:512|768|1024))|slh-dsa-(?:sha2|shake)-(?:128|192|256)[sf])$/;

function typesOf(context) {
  return [
    'ArrayBuffer',
    'Buffer',
    'TypedArray',
    'DataView',
    'string',
    ...intact(context === CREATE_PRIVATE ? [] : ['KeyObject', 'CryptoKey']),
    ...intact(isPrivateOnly(context) ? ['URL'] : []),
  ];
}

const isPrivateOnly = (context) => context === CONSUME_PRIVATE || context === CREATE_PRIVATE;

/** The handle of a suitable KeyObject or CryptoKey; undefined for other values. */
function handleIn(key, context) {
  let handle;
  if (isKeyObject(key)) handle = handleOf(key);
  else if (isCryptoKey(key)) {
    require('node/crypto/crypto_key_warnings').warnOfCryptoKey();
    handle = slotsOf(key).handle;
  } else return undefined;
  if (context === CREATE_PRIVATE) throw new codes.ERR_INVALID_ARG_TYPE('key', typesOf(context), key);
  if (handle.type !== 'private') {
    if (context !== CONSUME_PUBLIC) throw new codes.ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE(handle.type, 'private');
    if (handle.type !== 'public') throw new codes.ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE(handle.type, 'private or public');
  }
  return handle;
}

function read(data, { format, type, passphrase }, context) {
  const isPem = format === 'pem';
  if (isPrivateOnly(context)) return new KeyObjectHandle(binding().key_import_private(data, isPem, type, passphrase), 'private');
  const [number, isPrivate] = intact(binding().key_import_any(data, isPem, type, passphrase));
  return new KeyObjectHandle(number, isPrivate ? 'private' : 'public');
}

function readRaw(data, options, name) {
  const { asymmetricKeyType, namedCurve, format } = options;
  validateString(asymmetricKeyType, `${name}.asymmetricKeyType`);
  if (asymmetricKeyType === 'ec') validateString(namedCurve, `${name}.namedCurve`);
  if (RegExpTest(/^(?:rsa|rsa-pss|dsa|dh)$/, asymmetricKeyType)) throw incompatible();
  if (!RegExpTest(RAW_KINDS, asymmetricKeyType)) {
    throw nativeError(TypeError, 'ERR_INVALID_ARG_VALUE', `Invalid asymmetricKeyType: ${asymmetricKeyType}`);
  }
  const isSeeded = StringStartsWith(asymmetricKeyType, 'ml-');
  if ((format === 'raw-seed') !== isSeeded && format !== 'raw-public') throw incompatible();
  if (asymmetricKeyType === 'ec' && binding().ec_order_bytes(namedCurve) === undefined) {
    throw nativeError(TypeError, 'ERR_CRYPTO_INVALID_CURVE', 'Invalid EC curve name');
  }
  const number = binding().key_import_raw(asymmetricKeyType, StringSlice(format, 4), data, namedCurve ?? undefined);
  if (number === undefined) throw nativeError(TypeError, 'ERR_INVALID_ARG_VALUE', 'Invalid key data');
  return new KeyObjectHandle(number, format === 'raw-public' ? 'public' : 'private');
}

/** The native key of `key`; errors call it `name`. */
function openKey(key, context, name = 'key') {
  if (typeof key === 'string') return read(encodeText(key), { format: 'pem' }, context);
  if (isView(key)) return read(key, { format: 'pem' }, context);
  const handle = handleIn(key, context);
  if (handle !== undefined) return handle;
  if (isAnyArrayBuffer(key)) return read(key, { format: 'pem' }, context);
  if (typeof key === 'object') return openOptions(key, context, name); // throws TypeError for null, as Node does
  throw new codes.ERR_INVALID_ARG_TYPE(name, typesOf(context), key);
}

function openOptions(options, context, name) {
  const { key: data, encoding, format } = options;
  const handle = handleIn(data, context);
  if (handle !== undefined) return handle;
  const isBytes = isView(data) || isAnyArrayBuffer(data);
  if (format === 'jwk') {
    validateObject(data, `${name}.key`);
    return importJwk(data, isPrivateOnly(context));
  }
  if (format === 'raw-public' || format === 'raw-private' || format === 'raw-seed') {
    if (isPrivateOnly(context) && format === 'raw-public') throw new codes.ERR_INVALID_ARG_VALUE(`${name}.format`, format);
    if (!isBytes) throw new codes.ERR_INVALID_ARG_TYPE(`${name}.key`, ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], data);
    return readRaw(data, options, name);
  }
  if (!isBytes && typeof data !== 'string') throw new codes.ERR_INVALID_ARG_TYPE(`${name}.key`, typesOf(context), data);
  const parsed = parseKeyEncoding(options, undefined, isPrivateOnly(context) ? false : undefined, name);
  return read(typeof data === 'string' ? encodeText(data, encoding) : data, parsed, context);
}

const openPrivate = (key, name) => openKey(key, CONSUME_PRIVATE, name);
const openPublicOrPrivate = (key, name) => openKey(key, CONSUME_PUBLIC, name);

module.exports = { openKey, openPrivate, openPublicOrPrivate, CREATE_PUBLIC, CREATE_PRIVATE };
