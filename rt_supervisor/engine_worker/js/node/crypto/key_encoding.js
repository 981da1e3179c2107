// @ts-check
'use strict';
// Owns: key encoding options for import and export: format, type, cipher, passphrase.

const { setOf } = require('internal/collections');
const { SetHas } = require('internal/primordials');
const { isBytes, textToBuffer } = require('internal/crypto/input');
const { codes } = require('internal/errors/errors');
const { validateObject } = require('internal/validators');

const FORMATS = setOf(['pem', 'der', 'jwk', 'raw-public', 'raw-private', 'raw-seed']);

const optionName = (name, prefix) => (prefix === undefined ? `options.${name}` : `${prefix}.${name}`);
const encodeText = (text, encoding) => textToBuffer(text, encoding);

function formatOf(format, fallback, prefix) {
  if (format === undefined && fallback !== undefined) return fallback;
  if (SetHas(FORMATS, format)) return format;
  throw new codes.ERR_INVALID_ARG_VALUE(optionName('format', prefix), format);
}

function typeOf(type, isRequired, keyKind, isPublic, prefix) {
  if (type === undefined && !isRequired) return undefined;
  if (type === 'pkcs1') {
    if (keyKind !== undefined && keyKind !== 'rsa') {
      throw new codes.ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS(type, 'can only be used for RSA keys');
    }
    return type;
  }
  if (type === 'spki' && isPublic !== false) return type;
  if (type === 'pkcs8' && isPublic !== true) return type;
  if (type === 'sec1' && isPublic !== true) {
    if (keyKind !== undefined && keyKind !== 'ec') {
      throw new codes.ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS(type, 'can only be used for EC keys');
    }
    return type;
  }
  throw new codes.ERR_INVALID_ARG_VALUE(optionName('type', prefix), type);
}

function formatAndType(options, keyKind, isPublic, prefix) {
  const isInput = keyKind === undefined;
  const format = formatOf(options.format, isInput ? 'pem' : undefined, prefix);
  const { type } = options;
  if (format === 'raw-public') {
    if (isPublic === false) throw new codes.ERR_INVALID_ARG_VALUE(optionName('format', prefix), format);
    if (type !== undefined && type !== 'uncompressed' && type !== 'compressed') {
      throw new codes.ERR_INVALID_ARG_VALUE(optionName('type', prefix), type);
    }
    return { format, type: type ?? 'uncompressed' };
  }
  if (format === 'raw-private' || format === 'raw-seed') {
    if (isPublic === true) throw new codes.ERR_INVALID_ARG_VALUE(optionName('format', prefix), format);
    if (type !== undefined) throw new codes.ERR_INVALID_ARG_VALUE(optionName('type', prefix), type);
    return { format };
  }
  const isRequired = (!isInput || format === 'der') && format !== 'jwk';
  return { format, type: typeOf(type, isRequired, keyKind, isPublic, prefix) };
}

const isTextOrBytes = (value) => typeof value === 'string' || isBytes(value);

/** `keyKind` is undefined when importing a key. */
function parseKeyEncoding(options, keyKind, isPublic, prefix) {
  validateObject(options, 'options');
  const isInput = keyKind === undefined;
  const { format, type } = formatAndType(options, keyKind, isPublic, prefix);
  if (isPublic === true) return { format, type };
  const { cipher, encoding } = options;
  let { passphrase } = options;
  if (format === 'raw-private' || format === 'raw-seed') {
    if (cipher != null || passphrase !== undefined) {
      throw new codes.ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS('raw format', 'does not support encryption');
    }
    return { format, type };
  }
  if (!isInput) {
    if (cipher != null) {
      if (typeof cipher !== 'string') throw new codes.ERR_INVALID_ARG_VALUE(optionName('cipher', prefix), cipher);
      if (format === 'der' && (type === 'pkcs1' || type === 'sec1')) {
        throw new codes.ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS(type, 'does not support encryption');
      }
    } else if (passphrase !== undefined) {
      throw new codes.ERR_INVALID_ARG_VALUE(optionName('cipher', prefix), cipher, 'is required when a passphrase is specified');
    }
  }
  if (
    (isInput && passphrase !== undefined && !isTextOrBytes(passphrase)) ||
    (!isInput && cipher != null && !isTextOrBytes(passphrase))
  ) {
    throw new codes.ERR_INVALID_ARG_VALUE(optionName('passphrase', prefix), passphrase);
  }
  if (typeof passphrase === 'string') passphrase = encodeText(passphrase, encoding);
  return { format, type, cipher, passphrase };
}

const parsePublicKeyEncoding = (options, keyKind, prefix) =>
  parseKeyEncoding(options, keyKind, keyKind ? true : undefined, prefix);
const parsePrivateKeyEncoding = (options, keyKind, prefix) => parseKeyEncoding(options, keyKind, false, prefix);

module.exports = { parseKeyEncoding, parsePublicKeyEncoding, parsePrivateKeyEncoding, encodeText };
