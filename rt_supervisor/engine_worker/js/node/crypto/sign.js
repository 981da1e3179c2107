'use strict';
// Owns: crypto.Sign and crypto.Verify, and the one-shot sign and verify.

const { FunctionCall, ObjectSetPrototypeOf, RegExpTest, intact } = require('internal/primordials');
const { binding, later, watch } = require('internal/crypto/binding');
const { asBuffer, bytesFrom, encodeText, isView } = require('internal/crypto/input');
const { nativeError } = require('internal/crypto/key_handle');
const { codes } = require('internal/errors/errors');
const { validateEncoding, validateFunction, validateString } = require('internal/validators');
const { openPrivate, openPublicOrPrivate } = require('node/crypto/key_input');
const { kHandle } = require('node/crypto/symbols');
const { Writable } = require('node/stream/stream');

const PSS_PADDING = 6;
const SALT_MAX_SIGN = -2;
const WITHOUT_DIGEST = /^(?:ed25519|ed448|ml-dsa|slh-dsa)/;

/** The running digest of the data to sign or verify. */
class Running {
  #number;
  #algorithm;

  constructor(name) {
    const algorithm = name === 'dss1' || name === 'DSS1' ? 'sha1' : name; // the old names of SHA-1 with DSA
    if (binding().hash_info(algorithm) === undefined) throw nativeError(TypeError, 'ERR_CRYPTO_INVALID_DIGEST', 'Invalid digest');
    this.#algorithm = algorithm;
    this.#number = binding().hash_new(algorithm);
    watch(this, 'hash_free', this.#number);
  }
  update(data, encoding) {
    binding().hash_update(this.#number, typeof data === 'string' ? encodeText(data, encoding) : data);
  }
  /** Returns [algorithm, digest]; throws on the second call. */
  finish(kind, name) {
    if (this.#number === undefined) throw nativeError(Error, 'ERR_CRYPTO_INVALID_STATE', 'Not initialised');
    if (RegExpTest(WITHOUT_DIGEST, kind))
      throw nativeError(Error, 'ERR_CRYPTO_UNSUPPORTED_OPERATION', 'Unsupported crypto operation');
    const digest = binding().hash_digest(this.#number);
    this.#number = undefined;
    return [this.#algorithm, digest];
  }
}
const handles = { Sign: class Sign extends Running {}, Verify: class Verify extends Running {} };

function intOption(name, options) {
  const value = options[name];
  if (value !== undefined && value !== value >> 0) throw new codes.ERR_INVALID_ARG_VALUE(`options.${name}`, value);
  return value;
}

/** [padding, salt length, whether the signature is r and s side by side]. */
function wayOf(options) {
  const padding = intOption('padding', options);
  let salt = intOption('saltLength', options);
  if (options.padding === PSS_PADDING && salt === undefined) salt = SALT_MAX_SIGN;
  return [padding, salt, isP1363(options)];
}

function isP1363(options) {
  if (typeof options !== 'object') return false;
  const { dsaEncoding = 'der' } = options;
  if (dsaEncoding !== 'der' && dsaEncoding !== 'ieee-p1363')
    throw new codes.ERR_INVALID_ARG_VALUE('options.dsaEncoding', dsaEncoding);
  return dsaEncoding === 'ieee-p1363';
}

function contextOf(options) {
  const context = options?.context;
  if (context !== undefined && !isView(context)) {
    throw new codes.ERR_INVALID_ARG_TYPE('options.context', ['Buffer', 'TypedArray', 'DataView'], context);
  }
  return context;
}

function begin(stream, algorithm, options, Handle) {
  validateString(algorithm, 'algorithm');
  stream[kHandle] = new Handle(algorithm);
  FunctionCall(Writable, stream, options);
}

function Sign(algorithm, options) {
  if (!(this instanceof Sign)) return new Sign(algorithm, options);
  begin(this, algorithm, options, handles.Sign);
}

function Verify(algorithm, options) {
  if (!(this instanceof Verify)) return new Verify(algorithm, options);
  begin(this, algorithm, options, handles.Verify);
}

for (const Class of intact([Sign, Verify])) {
  ObjectSetPrototypeOf(Class.prototype, Writable.prototype);
  ObjectSetPrototypeOf(Class, Writable);
}

Sign.prototype._write = function _write(chunk, encoding, callback) {
  this.update(chunk, encoding);
  callback();
};

Sign.prototype.update = function update(data, encoding) {
  if (typeof data === 'string') validateEncoding(data, encoding);
  else if (!isView(data)) throw new codes.ERR_INVALID_ARG_TYPE('data', ['string', 'Buffer', 'TypedArray', 'DataView'], data);
  this[kHandle].update(data, encoding);
  return this;
};

Sign.prototype.sign = function sign(privateKey, encoding) {
  if (!privateKey) throw new codes.ERR_CRYPTO_SIGN_KEY_REQUIRED();
  const key = openPrivate(privateKey, 'privateKey');
  const way = wayOf(privateKey);
  const signature = asBuffer(binding().sign_digest(key.number, ...intact(this[kHandle].finish(key.kind)), ...intact(way)));
  return encoding && encoding !== 'buffer' ? signature.toString(encoding) : signature;
};

Verify.prototype._write = Sign.prototype._write;
Verify.prototype.update = Sign.prototype.update;

Verify.prototype.verify = function verify(key, signature, sigEncoding) {
  const handle = openPublicOrPrivate(key, 'key');
  const way = wayOf(key);
  const bytes = bytesFrom(signature, 'signature', sigEncoding);
  const [algorithm, digest] = intact(this[kHandle].finish(handle.kind));
  return binding().verify_digest(handle.number, algorithm, digest, bytes, ...intact(way));
};

function checkCall(algorithm, callback) {
  if (algorithm != null) validateString(algorithm, 'algorithm');
  if (callback !== undefined) validateFunction(callback, 'callback');
}

/** Calls the native function `name`, on another thread if there is a callback. */
function run(name, key, args, callback, result) {
  if (!callback) return result(binding()[name](key.number, ...intact(args)));
  later(name, [key.number, ...intact(args)], (error, value) => {
    if (error) callback(error);
    else callback(null, result(value));
  });
}

function signOneShot(algorithm, data, key, callback) {
  checkCall(algorithm, callback);
  const bytes = bytesFrom(data, 'data');
  if (!key) throw new codes.ERR_CRYPTO_SIGN_KEY_REQUIRED();
  const way = wayOf(key);
  const context = contextOf(key);
  const handle = openPrivate(key);
  checkDigest(algorithm);
  return run('sign_data', handle, [algorithm ?? undefined, bytes, ...intact(way), context], callback, asBuffer);
}

function checkDigest(algorithm) {
  if (algorithm != null && binding().hash_info(algorithm) === undefined) {
    throw nativeError(TypeError, 'ERR_CRYPTO_INVALID_DIGEST', `Invalid digest: ${algorithm}`);
  }
}

function verifyOneShot(algorithm, data, key, signature, callback) {
  checkCall(algorithm, callback);
  const bytes = bytesFrom(data, 'data');
  const way = wayOf(key);
  const context = contextOf(key);
  const signed = bytesFrom(signature, 'signature');
  const handle = openPublicOrPrivate(key);
  checkDigest(algorithm);
  return run('verify_data', handle, [algorithm ?? undefined, bytes, signed, ...intact(way), context], callback, (value) => value);
}

module.exports = { Sign, Verify, sign: signOneShot, verify: verifyOneShot };
