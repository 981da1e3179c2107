'use strict';
// Owns: crypto.Hash and crypto.Hmac, which are also streams, and the one-shot crypto.hash.

const { AnySlice } = require('internal/any_kind');
const {
  FunctionCall,
  ObjectCreate,
  ObjectGetOwnPropertyDescriptors,
  ObjectSetPrototypeOf,
  RegExpTest,
  SetAdd,
  SetClear,
  SetHas,
  StringToLowerCase,
  TypedArrayLength,
  TypedArraySet,
  TypedArrayTag,
  Uint8ArrayFromHex,
  intact,
} = require('internal/primordials');
const { binding, watch } = require('internal/crypto/binding');
const { copyBytes, encodeText, encodeBytes, isView, stringOption } = require('internal/crypto/input');
const { codes } = require('internal/errors/errors');
const { normalizeEncoding } = require('internal/encodings');
const { late } = require('internal/late_classes');
const { validateEncoding, validateObject, validateString, validateUint32 } = require('internal/validators');
const LazyTransform = require('node/crypto/lazy_transform');
const { kHandle, kState, kFinalized } = require('node/crypto/symbols');

const DATA = ['string', 'Buffer', 'TypedArray', 'DataView'];

// The native functions encode strings as UTF-8 themselves.
const textInput = (text, encoding) => (encoding === undefined || encoding === 'utf8' ? text : encodeText(text, encoding));

const MOST_COPIED_BYTES = 1024; // copying more takes longer than a native object

/** Returns whether a view has bytes, and copying them is cheap. */
function isSmall(view) {
  if (TypedArrayTag(view) !== 'Uint8Array') return false;
  const length = TypedArrayLength(view);
  return length > 0 && length <= MOST_COPIED_BYTES;
}

/** Returns a copy in Buffer's pool: V8 moves the bytes of a small array of its own when native code first reads them. */
function copyOf(view) {
  const copy = late.Buffer.allocUnsafe(TypedArrayLength(view));
  TypedArraySet(copy, view);
  return copy;
}

/**
 * A digest, or an HMAC if there is a secret. One of a known method that receives one text or a few bytes is computed by one native
 * function when it ends; others have a native object.
 */
class Running {
  #number; // of the native object, if there is one
  #algorithm; // otherwise
  #secret;
  #data; // before the native object is created
  #result; // once it is known

  constructor(number, algorithm = undefined, secret = undefined) {
    if (number === undefined) {
      this.#algorithm = algorithm;
      this.#secret = secret;
    } else this.#hold(number);
  }
  #hold(number) {
    this.#number = number;
    watch(this, 'hash_free', number);
  }
  get number() {
    if (this.#number === undefined) {
      const { hash_new, hmac_new, hash_update } = binding();
      this.#hold(this.#secret === undefined ? hash_new(this.#algorithm) : hmac_new(this.#algorithm, this.#secret));
      if (this.#data !== undefined) hash_update(this.#number, this.#data);
      this.#data = this.#secret = undefined;
    }
    return this.#number;
  }
  /** Returns false once the digest has been computed. */
  update(data, encoding) {
    if (this.#result !== undefined) return false;
    if (typeof data === 'string') data = textInput(data, encoding);
    if (this.#number === undefined && this.#data === undefined && (typeof data === 'string' || isSmall(data))) {
      this.#data = typeof data === 'string' ? data : copyOf(data);
      return true;
    }
    return binding().hash_update(this.number, data);
  }
  /** Returns the digest; `isLast` says that it will not be requested again. */
  digest(encoding = undefined, isLast = false) {
    if (this.#result === undefined) {
      const isHex = encoding === 'hex';
      this.#result = this.#number === undefined ? this.#compute(isHex) : binding().hash_digest(this.#number, isHex);
      if (isHex) return this.#result;
    } else if (typeof this.#result === 'string') {
      this.#result = Uint8ArrayFromHex(this.#result);
    }
    return encodeBytes(isLast ? this.#result : AnySlice(this.#result), encoding);
  }
  #compute(isHex) {
    const data = this.#data ?? '';
    const secret = this.#secret;
    this.#data = this.#secret = undefined;
    if (secret === undefined) return binding().hash_once(this.#algorithm, data, undefined, isHex);
    return binding().hmac_once(this.#algorithm, secret, data, isHex);
  }
}
/** Methods that have been used before, and are available until the providers change. */
const known = { __proto__: null, digests: new Set(), macs: new Set() };
function forgetMethods() {
  SetClear(known.digests);
  SetClear(known.macs);
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
  } else if (size === undefined && SetHas(known.digests, algorithm)) {
    this[kHandle] = new handles.Hash(undefined, algorithm);
  } else {
    const number = binding().hash_new(algorithm, size);
    warnOfShake(algorithm, size);
    if (size === undefined) SetAdd(known.digests, algorithm);
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
  const result = this[kHandle].digest(outputEncoding && `${outputEncoding}`, true);
  state[kFinalized] = true;
  return result;
};

function Hmac(hmac, key, options) {
  if (!(this instanceof Hmac)) return new Hmac(hmac, key, options);
  validateString(hmac, 'hmac');
  const secret = require('node/crypto/secrets').secretBytes(key, stringOption(options, 'encoding'));
  const isFixed = typeof key === 'string' || secret.byteLength <= MOST_COPIED_BYTES;
  if (isFixed && SetHas(known.macs, hmac)) {
    this[kHandle] = new handles.Hmac(undefined, hmac, typeof key === 'string' ? secret : copyBytes(secret));
  } else {
    this[kHandle] = new handles.Hmac(binding().hmac_new(hmac, secret));
    SetAdd(known.macs, hmac);
  }
  this[kState] = { [kFinalized]: false };
  FunctionCall(LazyTransform, this, options);
}
ObjectSetPrototypeOf(Hmac.prototype, LazyTransform.prototype);
ObjectSetPrototypeOf(Hmac, LazyTransform);

Hmac.prototype.update = Hash.prototype.update;

Hmac.prototype.digest = function digest(outputEncoding) {
  const state = this[kState];
  if (state[kFinalized]) return encodeBytes(new Uint8Array(0), outputEncoding);
  const result = this[kHandle].digest(outputEncoding && `${outputEncoding}`, true);
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

module.exports = { Hash, Hmac, hash, forgetMethods };
