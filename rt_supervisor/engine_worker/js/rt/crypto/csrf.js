'use strict';
// Owns: RT.CSRF: tokens that a server issues with its forms and verifies on submission. A token contains the time, 16 random
// bytes and its lifetime, signed with the secret and, if given, the session.

const { AnySubarray } = require('internal/any_kind');
const {
  DataViewSetUint32,
  DateNow,
  MathFloor,
  StringReplace,
  StringToLowerCase,
  TypedArraySet,
} = require('internal/primordials');
const { codes, wrongType } = require('internal/errors/errors');

const native = host.native;
const DAY = 24 * 60 * 60 * 1000;
const HEAD = 32; // bytes: 8 for the time, 16 random ones, 8 for the lifetime
const LIFE = 24;
const WORD = 2 ** 32;
const ENCODINGS = { __proto__: null, base64: true, base64url: true, hex: true };
const ALGORITHMS = {
  __proto__: null,
  sha256: 'sha256',
  sha384: 'sha384',
  sha512: 'sha512',
  'sha512-256': 'sha512-256',
  blake2b256: 'blake2b256',
  blake2b512: 'blake2b512',
};

let ownSecret;

function textOf(value, name, fallback) {
  if (value === undefined || value === null) return fallback();
  if (typeof value !== 'string') throw wrongType(`${name} must be a string`);
  if (value === '') throw wrongType(`${StringReplace(name, /^.*\./, '')} must be a non-empty string`);
  return value;
}

/** Returns the given secret; programs that do not provide one use a random one for this process. */
const secretOf = (value) => {
  if (value === '') throw wrongType('Secret must be a non-empty string');
  return textOf(value, 'secret', () => (ownSecret ??= native.rt_randomBytes(32)));
};

function timeOf(options, group, name, fallback) {
  const value = options[name];
  if (value === undefined || value === null) return fallback;
  if (typeof value !== 'number') throw new codes.ERR_INVALID_ARG_TYPE(`${group}.${name}`, 'number', value);
  if (!(value >= 0 && value <= Number.MAX_SAFE_INTEGER))
    throw new codes.ERR_OUT_OF_RANGE(`${group}.${name}`, `>= 0 && <= ${Number.MAX_SAFE_INTEGER}`, value);
  return MathFloor(value);
}

function settingsOf(options, group) {
  const settings = options !== null && typeof options === 'object' ? options : {};
  const encoding = settings.encoding ?? 'base64url';
  if (ENCODINGS[encoding] === undefined) throw wrongType("Invalid format: must be 'base64', 'base64url', or 'hex'");
  const algorithm = ALGORITHMS[StringReplace(StringToLowerCase(`${settings.algorithm ?? 'sha256'}`), /^sha-/, 'sha')];
  if (algorithm === undefined) throw wrongType('Algorithm not supported');
  const sessionId = textOf(settings.sessionId, `${group}.sessionId`, () => '');
  return { given: settings, encoding, algorithm, sessionId };
}

function signature(head, secret, { algorithm, sessionId }) {
  const { CryptoHasher } = require('rt/crypto/digests');
  const hasher = new CryptoHasher(algorithm, secret);
  hasher.update(head);
  hasher.update(sessionId);
  return hasher.digest();
}

function putTime(view, offset, ms) {
  DataViewSetUint32(view, offset, MathFloor(ms / WORD));
  DataViewSetUint32(view, offset + 4, ms % WORD);
}

const timeAt = (buffer, offset) => buffer.readUInt32BE(offset) * WORD + buffer.readUInt32BE(offset + 4);

function generate(secret = undefined, options = undefined) {
  const key = secretOf(secret);
  const settings = settingsOf(options, 'CSRFGenerateOptions');
  const life = timeOf(settings.given, 'CSRFGenerateOptions', 'expiresIn', DAY);
  const head = new Uint8Array(HEAD);
  const view = new DataView(head.buffer);
  putTime(view, 0, DateNow());
  TypedArraySet(head, native.rt_randomBytes(16), 8);
  putTime(view, LIFE, life);
  const { Buffer } = require('node/buffer/buffer');
  return Buffer.concat([head, signature(head, key, settings)]).toString(settings.encoding);
}

function verify(token, options = undefined) {
  if (token === '') throw wrongType('Token must be a non-empty string');
  if (typeof token !== 'string') throw wrongType('token must be a string');
  const settings = settingsOf(options, 'CSRFVerifyOptions');
  const key = secretOf(settings.given.secret);
  const longest = timeOf(settings.given, 'CSRFVerifyOptions', 'maxAge', DAY);
  const { Buffer } = require('node/buffer/buffer');
  const whole = Buffer.from(token, settings.encoding);
  if (whole.length <= HEAD) return false;
  const head = AnySubarray(whole, 0, HEAD);
  const signed = AnySubarray(whole, HEAD);
  const expected = signature(head, key, settings);
  if (signed.length !== expected.length) return false;
  if (!require('node/crypto/crypto').timingSafeEqual(signed, expected)) return false;
  const age = DateNow() - timeAt(whole, 0);
  const life = timeAt(whole, LIFE);
  return (life === 0 || age <= life) && (longest === 0 || age <= longest);
}

module.exports = { CSRF: { generate, verify } };
