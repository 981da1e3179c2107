'use strict';
// Owns: crypto.Hash and crypto.Hmac, which are also streams, and the one-shot crypto.hash.

const { AnySlice } = require('internal/any_kind');
const {
  FunctionCall,
  ObjectCreate,
  ObjectGetOwnPropertyDescriptors,
  ObjectSetPrototypeOf,
  RegExpTest,
  StringToLowerCase,
  Uint8ArrayFromHex,
  intact,
} = require('internal/primordials');
const { binding, watch } = require('internal/crypto/binding');
const { encodeText, encodeBytes, isView, stringOption } = require('internal/crypto/input');
const { codes } = require('internal/errors/errors');
const { normalizeEncoding } = require('internal/encodings');
const { validateEncoding, validateObject, validateString, validateUint32 } = require('internal/validators');
const LazyTransform = require('node/crypto/lazy_transform');
const { kHandle, kState, kFinalized } = require('node/crypto/symbols');

const DATA = ['string', 'Buffer', 'TypedArray', 'DataView'];

// The native functions encode strings as UTF-8 themselves.
const textInput = (text, encoding) => (encoding === undefined || encoding === 'utf8' ? text : encodeText(text, encoding));

/** A digest or an HMAC of the native module. */
class Running {
  #number;
  #result; // once it is known

  constructor(number) {
    this.#number = number;
    watch(this, 'hash_free', number);
  }
  get number() {
    return this.#number;
  }
  /** Returns false once the digest has been computed. */
  update(data, encoding) {
    if (this.#result !== undefined) return false;
    return binding().hash_update(this.#number, typeof data === 'string' ? textInput(data, encoding) : data);
  }
  digest(encoding) {
    if (this.#result === undefined) {
      if (encoding === 'hex') return (this.#result = binding().hash_digest(this.#number, true));
      this.#result = binding().hash_digest(this.#number);
    } else if (typeof this.#result === 'string') {
      this.#result = Uint8ArrayFromHex(this.#result);
    }
    return encodeBytes(AnySlice(this.#result), encoding);
  }
}
// Their names are Node's: `util.inspect` shows them.
const handles = { Hash: class Hash extends Running {}, Hmac: class Hmac extends Running {} };
for (const Handle of intact([handles.Hash, handles.Hmac]))
  ObjectSetPrototypeOf(Handle.prototype, ObjectCreate(Object.prototype, ObjectGetOwnPropertyDescriptors(Running.prototype)));

let hasWarned = false;
function warnOfShake(algorithm, size) {
  if (size !== undefined || hasWarned || !RegExpTest(/^shake-?(?:128|256)$/i, algorithm)) return;
  hasWarned = true;
  host.emitWarning(
    'Creating SHAKE128/256 digests without an explicit options.outputLength is deprecated.',
    'DeprecationWarning',
    'DEP0198',
  );
}

function Hash(algorithm, options) {
  if (!new.target) return new Hash(algorithm, options);
  const isCopy = algorithm instanceof handles.Hash;
  if (!isCopy) validateString(algorithm, 'algorithm');
  let size = typeof options === 'object' && options !== null ? options.outputLength : undefined;
  if (size !== undefined) {
    validateUint32(size, 'options.outputLength');
    size += 0; // converts -0 to 0
  }
  if (isCopy) {
    this[kHandle] = new handles.Hash(binding().hash_copy(algorithm.number, size));
  } else {
    const number = binding().hash_new(algorithm, size);
    warnOfShake(algorithm, size);
    this[kHandle] = new handles.Hash(number);
  }
  this[kState] = { [kFinalized]: false };
  FunctionCall(LazyTransform, this, options);
}
ObjectSetPrototypeOf(Hash.prototype, LazyTransform.prototype);
ObjectSetPrototypeOf(Hash, LazyTransform);

Hash.prototype.copy = function copy(options) {
  if (this[kState][kFinalized]) throw new codes.ERR_CRYPTO_HASH_FINALIZED();
  return new Hash(this[kHandle], options);
};

Hash.prototype._transform = function _transform(chunk, encoding, callback) {
  if (!this[kHandle].update(chunk, encoding)) return callback(new codes.ERR_CRYPTO_HASH_UPDATE_FAILED());
  callback();
};

Hash.prototype._flush = function _flush(callback) {
  this.push(this[kHandle].digest());
  callback();
};

Hash.prototype.update = function update(data, encoding) {
  if (this[kState][kFinalized]) throw new codes.ERR_CRYPTO_HASH_FINALIZED();
  if (typeof data === 'string') validateEncoding(data, encoding);
  else if (!isView(data)) throw new codes.ERR_INVALID_ARG_TYPE('data', DATA, data);
  if (!this[kHandle].update(data, encoding)) throw new codes.ERR_CRYPTO_HASH_UPDATE_FAILED();
  return this;
};

Hash.prototype.digest = function digest(outputEncoding) {
  const state = this[kState];
  if (state[kFinalized]) throw new codes.ERR_CRYPTO_HASH_FINALIZED();
  const result = this[kHandle].digest(outputEncoding && `${outputEncoding}`);
  state[kFinalized] = true;
  return result;
};

function Hmac(hmac, key, options) {
  if (!(this instanceof Hmac)) return new Hmac(hmac, key, options);
  validateString(hmac, 'hmac');
  const secret = require('node/crypto/secrets').secretBytes(key, stringOption(options, 'encoding'));
  this[kHandle] = new handles.Hmac(binding().hmac_new(hmac, secret));
  this[kState] = { [kFinalized]: false };
  FunctionCall(LazyTransform, this, options);
}
ObjectSetPrototypeOf(Hmac.prototype, LazyTransform.prototype);
ObjectSetPrototypeOf(Hmac, LazyTransform);

Hmac.prototype.update = Hash.prototype.update;

Hmac.prototype.digest = function digest(outputEncoding) {
  const state = this[kState];
  if (state[kFinalized]) return encodeBytes(new Uint8Array(0), outputEncoding);
  const result = this[kHandle].digest(outputEncoding && `${outputEncoding}`);
  state[kFinalized] = true;
  return result;
};

Hmac.prototype._flush = function _flush(callback) {
  this.push(this[kHandle].digest());
  this[kState][kFinalized] = true;
  callback();
};
Hmac.prototype._transform = Hash.prototype._transform;

function hash(algorithm, input, options) {
  validateString(algorithm, 'algorithm');
  if (typeof input !== 'string' && !isView(input)) {
    throw new codes.ERR_INVALID_ARG_TYPE('input', ['Buffer', 'TypedArray', 'DataView', 'string'], input);
  }
  let encoding;
  let size;
  if (typeof options === 'string') encoding = options;
  else if (options !== undefined) {
    validateObject(options, 'options');
    ({ outputLength: size, outputEncoding: encoding } = options);
  }
  encoding ??= 'hex';
  let name = encoding;
  if (name !== 'hex') {
    validateString(encoding, 'outputEncoding');
    name = normalizeEncoding(encoding);
    if (name === undefined) {
      if (StringToLowerCase(encoding) !== 'buffer') throw new codes.ERR_INVALID_ARG_VALUE('outputEncoding', encoding);
      name = 'buffer';
    }
  }
  if (size !== undefined) {
    validateUint32(size, 'outputLength');
    size += 0;
  }
  const result = binding().hash_once(algorithm, input, size, name === 'hex');
  if (size === undefined) warnOfShake(algorithm, size);
  return name === 'hex' ? result : encodeBytes(result, name);
}

module.exports = { Hash, Hmac, hash };
