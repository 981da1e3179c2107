'use strict';
// Owns: RT.CryptoHasher (any algorithm, HMAC with a key) and the classes of single algorithms. The host computes the digests.

const { setOf } = require('internal/collections');
const {
  ArrayIncludes,
  FinalizationRegistryRegister,
  FinalizationRegistryUnregister,
  ObjectAssign,
  ObjectDefineProperty,
  SetHas,
  StringToLowerCase,
  TypedArraySet,
  intact,
} = require('internal/primordials');
const native = host.native;
const { bytesOf } = require('internal/bytes');
const { bytesOfBlob } = require('rt/files/blob_bytes');

const KNOWN = [
  'blake2b256',
  'blake2b512',
  'blake2s256',
  'md4',
  'md5',
  'ripemd160',
  'sha1',
  'sha224',
  'sha256',
  'sha384',
  'sha512',
  'sha512-224',
  'sha512-256',
  'sha3-224',
  'sha3-256',
  'sha3-384',
  'sha3-512',
  'shake128',
  'shake256',
];
const SPELLINGS = {
  __proto__: null,
  'sha-1': 'sha1',
  'sha-224': 'sha224',
  'sha-256': 'sha256',
  'sha-384': 'sha384',
  'sha-512': 'sha512',
  'sha128': 'sha1',
  'sha512_256': 'sha512-256',
  'sha512_224': 'sha512-224',
  'sha-512/256': 'sha512-256',
  'sha-512/224': 'sha512-224',
  'sha-512_256': 'sha512-256',
  'sha-512_224': 'sha512-224',
  'sha-512256': 'sha512-256',
  'sha-512224': 'sha512-224',
  'rmd160': 'ripemd160',
};
let available;
/** Returns the algorithms that the host's library supports; it may lack legacy ones. */
const algorithms = () => (available ??= native.digests_algorithms(KNOWN));
// Releases unfinished digests with their hashers.
let abandoned;

const WITHOUT_HMAC = setOf(['blake2s256', 'shake128', 'shake256']);

const { wrongType } = require('internal/errors/errors');

function algorithmOf(name) {
  if (typeof name !== 'string') throw wrongType('algorithm must be a string');
  const lower = StringToLowerCase(name);
  const canonical = SPELLINGS[lower] ?? lower;
  if (!ArrayIncludes(algorithms(), canonical)) throw wrongType(`Unsupported algorithm ${name}`);
  return canonical;
}

function inputOf(input, encoding) {
  if (typeof input === 'string') {
    if (encoding === undefined || encoding === 'utf8' || encoding === 'utf-8') return native.encodeUtf8(input);
    return require('node/buffer/buffer').Buffer.from(input, encoding);
  }
  const bytes = bytesOf(input) ?? bytesOfBlob(input);
  if (bytes === undefined) throw wrongType('input must be a string, ArrayBuffer, ArrayBufferView or Blob');
  return bytes;
}

/** Returns a digest in the requested form: a string in an encoding, written to an array, or `empty` by default. */
function outputOf(bytes, form, empty) {
  if (form === undefined) return empty === 'Buffer' ? require('node/fs/values').bytesAs(bytes) : bytes;
  if (typeof form === 'string') {
    const { Buffer } = require('node/buffer/buffer');
    if (form === 'buffer') return Buffer.from(bytes);
    if (!Buffer.isEncoding(form))
      throw ObjectAssign(new TypeError(`Unknown encoding: ${form}`), { code: 'ERR_INVALID_ARG_VALUE' });
    return Buffer.from(bytes).toString(form);
  }
  const target = bytesOf(form);
  if (target === undefined) throw wrongType('output must be a string or a TypedArray');
  if (target.length < bytes.length) throw wrongType(`TypedArray must be at least ${bytes.length} bytes`);
  TypedArraySet(target, bytes);
  return form;
}

class CryptoHasher {
  #algorithm;
  #key;
  #state;
  #isSpent = false;

  constructor(algorithm, key) {
    this.#algorithm = algorithmOf(algorithm);
    if (key !== undefined && key !== null) {
      if (SetHas(WITHOUT_HMAC, this.#algorithm)) throw new Error('HMAC is not supported for this algorithm yet');
      this.#key = inputOf(key);
    }
    this.#start();
  }

  #start() {
    this.#hold(native.digests_start(this.#algorithm, this.#key ?? null));
  }
  #hold(state) {
    abandoned ??= new FinalizationRegistry((each) => native.digests_finish(each));
    FinalizationRegistryUnregister(abandoned, this);
    this.#state = state;
    FinalizationRegistryRegister(abandoned, this, state, this);
  }
  #checkUnspent() {
    if (this.#isSpent) throw new Error('HMAC has been consumed and is no longer usable');
  }

  get algorithm() {
    this.#checkUnspent();
    return this.#algorithm;
  }
  get byteLength() {
    this.#checkUnspent();
    return native.digests_size(this.#algorithm);
  }
  update(input, encoding) {
    this.#checkUnspent();
    native.digests_update(this.#state, inputOf(input, encoding));
    return this;
  }
  /** Returns the digest. Afterwards the hasher is reset, unless it has a key. */
  digest(form) {
    this.#checkUnspent();
    const bytes = native.digests_finish(this.#state);
    if (this.#key === undefined) this.#start();
    else this.#isSpent = true;
    return outputOf(bytes, form, 'Buffer');
  }
  copy() {
    this.#checkUnspent();
    const other = new CryptoHasher(this.#algorithm, this.#key);
    native.digests_finish(other.#state);
    other.#hold(native.digests_copy(this.#state));
    return other;
  }

  static get algorithms() {
    return [...intact(algorithms())];
  }
  static hash(algorithm, input, form) {
    return outputOf(native.digests_digest(algorithmOf(algorithm), inputOf(input)), form, 'Buffer');
  }
}
ObjectDefineProperty(CryptoHasher.prototype, Symbol.toStringTag, { __proto__: null, value: 'CryptoHasher', configurable: true });

const hasherClass = (name, algorithm) =>
  ({
    [name]: class {
      #hasher = new CryptoHasher(algorithm);
      #isDigested = false;

      #check(wish) {
        if (!this.#isDigested) return;
        const error = new Error(`${name} hasher already digested, create a new instance to ${wish}`);
        throw ObjectAssign(error, { code: 'ERR_INVALID_STATE' });
      }
      get byteLength() {
        return native.digests_size(algorithm);
      }
      update(input) {
        this.#check('update');
        this.#hasher.update(input);
        return this;
      }
      digest(form) {
        this.#check('digest again');
        this.#isDigested = true;
        return outputOf(new Uint8Array(this.#hasher.digest()), form);
      }
      static get byteLength() {
        return native.digests_size(algorithm);
      }
      static hash(input, form) {
        return outputOf(native.digests_digest(algorithm, inputOf(input)), form);
      }
    },
  })[name];

const SHA512_256 = hasherClass('SHA512_256', 'sha512-256');

module.exports = {
  CryptoHasher,
  MD4: hasherClass('MD4', 'md4'),
  MD5: hasherClass('MD5', 'md5'),
  SHA1: hasherClass('SHA1', 'sha1'),
  SHA224: hasherClass('SHA224', 'sha224'),
  SHA256: hasherClass('SHA256', 'sha256'),
  SHA384: hasherClass('SHA384', 'sha384'),
  SHA512: hasherClass('SHA512', 'sha512'),
  SHA512_256,
  sha: (input, form) => SHA512_256.hash(input, form),
};
