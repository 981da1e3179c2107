'use strict';
// Owns: crypto.Cipheriv and crypto.Decipheriv, which are also streams, and crypto.getCipherInfo.

const { FunctionCall, ObjectSetPrototypeOf, StringToLowerCase, intact } = require('internal/primordials');
const { binding, watch } = require('internal/crypto/binding');
const { asBuffer, bytesFrom, encodeText, isView, stringOption } = require('internal/crypto/input');
const { codes } = require('internal/errors/errors');
const { normalizeEncoding } = require('internal/encodings');
const { validateEncoding, validateObject, validateString, validateUint32 } = require('internal/validators');
const LazyTransform = require('node/crypto/lazy_transform');
const { secretBytes } = require('node/crypto/secrets');
const { kHandle } = require('node/crypto/symbols');

const MODES = {
  __proto__: null,
  0: 'stream',
  1: 'ecb',
  2: 'cbc',
  3: 'cfb',
  4: 'ofb',
  5: 'ctr',
  6: 'gcm',
  7: 'ccm',
  0x10001: 'xts',
  0x10002: 'wrap',
  0x10003: 'ocb',
  0x10004: 'siv',
  0x10005: 'gcm-siv',
};

/** A cipher of the native module. */
const { CipherBase } = {
  CipherBase: class {
    #number;

    constructor(name, key, iv, tagLength, isEncrypting) {
      this.#number = binding().cipher_new(name, key, iv, tagLength, isEncrypting);
      watch(this, 'cipher_free', this.#number);
    }
    update(data, encoding) {
      return asBuffer(binding().cipher_update(this.#number, typeof data === 'string' ? encodeText(data, encoding) : data));
    }
    final() {
      return asBuffer(binding().cipher_final(this.#number));
    }
    setAutoPadding(isOn) {
      return binding().cipher_set_padding(this.#number, isOn);
    }
    getAuthTag() {
      const tag = binding().cipher_tag(this.#number);
      return tag && asBuffer(tag);
    }
    setAuthTag(tag) {
      return binding().cipher_set_tag(this.#number, tag);
    }
    setAAD(data, plainLength) {
      return binding().cipher_set_aad(this.#number, data, plainLength);
    }
  },
};

function decoderOf(cipher, encoding) {
  const name = normalizeEncoding(encoding);
  if (name === undefined) throw new codes.ERR_UNKNOWN_ENCODING(encoding);
  const { StringDecoder } = require('node/string_decoder');
  cipher._decoder ||= new StringDecoder(encoding);
  const { encoding: first } = cipher._decoder;
  if (first !== name) throw new codes.ERR_INVALID_ARG_VALUE('outputEncoding', encoding, `cannot be changed from '${first}'`);
  return cipher._decoder;
}

function uintOption(options, key) {
  const value = options ? options[key] : undefined;
  if (value == null) return undefined;
  if (value >>> 0 !== value) throw new codes.ERR_INVALID_ARG_VALUE(`options.${key}`, value);
  return value;
}

function start(stream, cipher, key, iv, options, isEncrypting) {
  validateString(cipher, 'cipher');
  const secret = secretBytes(key, stringOption(options, 'encoding'));
  const vector = iv === null ? undefined : bytesFrom(iv, 'iv');
  stream[kHandle] = new CipherBase(cipher, secret, vector, uintOption(options, 'authTagLength'), isEncrypting);
  stream._decoder = null;
  FunctionCall(LazyTransform, stream, options);
}

function Cipheriv(cipher, key, iv, options) {
  if (!(this instanceof Cipheriv)) return new Cipheriv(cipher, key, iv, options);
  start(this, cipher, key, iv, options, true);
}

function Decipheriv(cipher, key, iv, options) {
  if (!(this instanceof Decipheriv)) return new Decipheriv(cipher, key, iv, options);
  start(this, cipher, key, iv, options, false);
}

const shared = {
  _transform(chunk, encoding, callback) {
    this.push(this[kHandle].update(chunk, encoding));
    callback();
  },
  _flush(callback) {
    try {
      this.push(this[kHandle].final());
    } catch (error) {
      callback(error);
      return;
    }
    callback();
  },
  update(data, inputEncoding, outputEncoding) {
    if (typeof data === 'string') validateEncoding(data, inputEncoding);
    else if (!isView(data)) throw new codes.ERR_INVALID_ARG_TYPE('data', ['string', 'Buffer', 'TypedArray', 'DataView'], data);
    const result = this[kHandle].update(data, inputEncoding);
    return outputEncoding && outputEncoding !== 'buffer' ? decoderOf(this, outputEncoding).write(result) : result;
  },
  final(outputEncoding) {
    const result = this[kHandle].final();
    return outputEncoding && outputEncoding !== 'buffer' ? decoderOf(this, outputEncoding).end(result) : result;
  },
  setAutoPadding(ap) {
    if (!this[kHandle].setAutoPadding(!!ap)) throw new codes.ERR_CRYPTO_INVALID_STATE('setAutoPadding');
    return this;
  },
};

function getAuthTag() {
  const tag = this[kHandle].getAuthTag();
  if (tag === undefined) throw new codes.ERR_CRYPTO_INVALID_STATE('getAuthTag');
  return tag;
}

function setAuthTag(tagbuf, encoding) {
  if (!this[kHandle].setAuthTag(bytesFrom(tagbuf, 'buffer', encoding))) throw new codes.ERR_CRYPTO_INVALID_STATE('setAuthTag');
  return this;
}

function setAAD(aadbuf, options) {
  const encoding = stringOption(options, 'encoding');
  const plainLength = uintOption(options, 'plaintextLength');
  if (!this[kHandle].setAAD(bytesFrom(aadbuf, 'aadbuf', encoding), plainLength))
    throw new codes.ERR_CRYPTO_INVALID_STATE('setAAD');
  return this;
}

for (const Class of intact([Cipheriv, Decipheriv])) {
  ObjectSetPrototypeOf(Class.prototype, LazyTransform.prototype);
  ObjectSetPrototypeOf(Class, LazyTransform);
  // Assigned, so that they are enumerable, as in Node.
  for (const name in shared) Class.prototype[name] = shared[name];
  if (Class === Cipheriv) Class.prototype.getAuthTag = getAuthTag;
  else Class.prototype.setAuthTag = setAuthTag;
  Class.prototype.setAAD = setAAD;
}

function getCipherInfo(nameOrNid, options = {}) {
  validateObject(options, 'options');
  const { keyLength, ivLength } = options;
  if (keyLength !== undefined) validateUint32(keyLength, 'options.keyLength');
  if (ivLength !== undefined) validateUint32(ivLength, 'options.ivLength');
  if (typeof nameOrNid !== 'string' && typeof nameOrNid !== 'number') {
    throw new codes.ERR_INVALID_ARG_TYPE('nameOrNid', ['string', 'number'], nameOrNid);
  }
  if (nameOrNid === '' || (typeof nameOrNid === 'number' && nameOrNid !== (nameOrNid | 0))) return undefined;
  const { 0: name, 1: nid } = typeof nameOrNid === 'string' ? [nameOrNid] : [undefined, nameOrNid];
  const details = binding().cipher_info(name, nid, keyLength, ivLength);
  if (details === undefined) return undefined;
  const [fullName, number, mode, blockSize, ivSize, keySize] = intact(details);
  const info = {
    __proto__: null,
    mode: MODES[mode],
    name: StringToLowerCase(fullName),
    nid: number || undefined,
    keyLength: keySize,
  };
  info.blockSize = mode === 0 ? undefined : blockSize;
  info.ivLength = ivSize || undefined;
  return info;
}

module.exports = { Cipheriv, Decipheriv, getCipherInfo };
