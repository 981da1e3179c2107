// @ts-check
'use strict';
// Owns: conversion of keys to and from JSON Web Keys.

const {
  ArrayFind,
  ArrayMap,
  ObjectKeys,
  RegExpReplace,
  RegExpTest,
  StringAt,
  StringReplaceAll,
  StringSlice,
  StringStartsWith,
  StringToLowerCase,
  StringToUpperCase,
  TypedArraySome,
  Uint8ArrayFromBase64,
  intact,
} = require('internal/primordials');
const { binding } = require('internal/crypto/binding');
const { KeyObjectHandle, nativeError } = require('internal/crypto/key_handle');

const CURVES = {
  __proto__: null,
  'P-256': ['prime256v1', 32],
  'secp256k1': ['secp256k1', 32],
  'P-384': ['secp384r1', 48],
  'P-521': ['secp521r1', 66],
};
const OKP = { __proto__: null, Ed25519: 'ed25519', Ed448: 'ed448', X25519: 'x25519', X448: 'x448' };
const OKP_NAMES = { __proto__: null, ed25519: 'Ed25519', ed448: 'Ed448', x25519: 'X25519', x448: 'X448' };
const RSA_PRIVATE = ['d', 'p', 'q', 'dp', 'dq', 'qi'];

const toBase64Url = (bytes) => bytes.toBase64({ alphabet: 'base64url', omitPadding: true });

/** Decodes base64url. Accepts base64 as well and skips other characters, as Buffer does. */
function fromBase64Url(text) {
  const { Buffer } = require('internal/late_classes').late;
  if (Buffer !== undefined) return Buffer.from(text, 'base64url');
  return Uint8ArrayFromBase64(RegExpReplace(/[^\w-]/g, StringReplaceAll(StringReplaceAll(text, '+', '-'), '/', '_'), ''), {
    alphabet: 'base64url',
    lastChunkHandling: 'loose',
  });
}

const invalid = (message) => nativeError(TypeError, 'ERR_CRYPTO_INVALID_JWK', message);

function exportJwk(handle) {
  if (handle.type === 'secret') return { kty: 'oct', k: toBase64Url(handle.bytes()) };
  const { kind } = handle;
  if (kind === 'rsa') {
    const parts = binding().key_parts(handle.number);
    const jwk = { kty: 'RSA' };
    for (const name in parts) jwk[name] = toBase64Url(parts[name]);
    return jwk;
  }
  if (kind === 'ec') {
    const { namedCurve } = binding().key_details(handle.number);
    const crv = ArrayFind(ObjectKeys(CURVES), (name) => CURVES[name][0] === namedCurve);
    if (crv === undefined)
      throw nativeError(Error, 'ERR_CRYPTO_JWK_UNSUPPORTED_CURVE', `Unsupported JWK EC curve: ${namedCurve}.`);
    const { x, y, d } = binding().key_parts(handle.number);
    const jwk = { kty: 'EC', x: toBase64Url(x), y: toBase64Url(y), crv };
    if (d !== undefined) jwk.d = toBase64Url(d);
    return jwk;
  }
  if (kind in OKP_NAMES) {
    const jwk = { kty: 'OKP', crv: OKP_NAMES[kind], x: toBase64Url(handle.raw('public')) };
    if (handle.type === 'private') jwk.d = toBase64Url(handle.raw('private'));
    return jwk;
  }
  if (RegExpTest(/^(?:ml|slh)-/, kind)) return exportAkp(handle, kind);
  throw nativeError(Error, 'ERR_CRYPTO_JWK_UNSUPPORTED_KEY_TYPE', 'Unsupported JWK Key Type.');
}

/** Exports a key of type AKP: `priv` is the seed of an ML-DSA or ML-KEM key, and the private key of SLH-DSA. */
function exportAkp(handle, kind) {
  const alg = StringStartsWith(kind, 'slh')
    ? `${StringToUpperCase(StringSlice(kind, 0, -1))}${StringAt(kind, -1)}`
    : StringToUpperCase(kind);
  const jwk = { kty: 'AKP', alg, pub: toBase64Url(handle.raw('public')) };
  if (handle.type === 'private') {
    const secret = handle.raw(StringStartsWith(kind, 'ml') ? 'seed' : 'private');
    if (secret === undefined) throw nativeError(Error, 'ERR_CRYPTO_OPERATION_FAILED', 'key does not have an available seed');
    jwk.priv = toBase64Url(secret);
  }
  return jwk;
}

const isText = (value) => typeof value === 'string';
const isMissing = (value) => value === undefined;

function importRsa(jwk) {
  const bad = () => invalid('Invalid JWK RSA key');
  const isPrivate = !isMissing(jwk.d);
  const names = isPrivate ? ['n', 'e', ...intact(RSA_PRIVATE)] : ['n', 'e'];
  for (const name of intact(names)) if (!isText(jwk[name])) throw bad();
  const number = binding().key_from_rsa_parts(...intact(ArrayMap(names, (name) => fromBase64Url(jwk[name]))));
  if (number === undefined) throw bad();
  return new KeyObjectHandle(number, isPrivate ? 'private' : 'public');
}

function importEc(jwk) {
  const bad = () => invalid('Invalid JWK EC key');
  if (!isText(jwk.crv)) throw bad();
  const curve = CURVES[jwk.crv];
  if (curve === undefined) throw nativeError(TypeError, 'ERR_CRYPTO_INVALID_CURVE', 'Invalid EC curve name');
  if (!isText(jwk.x) || !isText(jwk.y) || (!isMissing(jwk.d) && !isText(jwk.d))) throw bad();
  const { 0: x, 1: y } = [fromBase64Url(jwk.x), fromBase64Url(jwk.y)];
  if (x.length !== curve[1] || y.length !== curve[1]) throw bad();
  const d = isMissing(jwk.d) ? undefined : fromBase64Url(jwk.d);
  const number = binding().key_from_ec_parts(curve[0], x, y, d);
  if (number === undefined) throw bad();
  return new KeyObjectHandle(number, d === undefined ? 'public' : 'private');
}

function importRaw(kind, jwk, publicPart, privatePart, privateForm, message) {
  if (!isText(publicPart) || (!isMissing(privatePart) && !isText(privatePart))) throw invalid(message);
  const isPrivate = !isMissing(privatePart);
  const publicBytes = fromBase64Url(publicPart);
  const number = isPrivate
    ? binding().key_import_raw(kind, privateForm, fromBase64Url(privatePart))
    : binding().key_import_raw(kind, 'public', publicBytes);
  if (number === undefined) throw invalid(message);
  const handle = new KeyObjectHandle(number, isPrivate ? 'private' : 'public');
  const own = handle.raw('public');
  if (own.length !== publicBytes.length || TypedArraySome(own, (byte, i) => byte !== publicBytes[i])) throw invalid(message);
  return handle;
}

function importAkp(jwk) {
  const message = 'Invalid JWK AKP key';
  if (!isText(jwk.alg) || !RegExpTest(/^(?:ML-(?:DSA|KEM)|SLH-DSA)-/, jwk.alg)) throw invalid(message);
  return importRaw(
    StringToLowerCase(jwk.alg),
    jwk,
    jwk.pub,
    jwk.priv,
    StringStartsWith(jwk.alg, 'ML') ? 'seed' : 'private',
    message,
  );
}

/** Returns a handle of an asymmetric key; `wantsPrivate` rejects public keys. */
function importJwk(jwk, wantsPrivate) {
  if (!isText(jwk.kty)) throw invalid('Invalid JWK format');
  let handle;
  switch (jwk.kty) {
    case 'RSA':
      handle = importRsa(jwk);
      break;
    case 'EC':
      handle = importEc(jwk);
      break;
    case 'OKP':
      if (!(jwk.crv in OKP)) throw invalid('Invalid JWK OKP key');
      handle = importRaw(OKP[jwk.crv], jwk, jwk.x, jwk.d, 'private', 'Invalid JWK OKP key');
      break;
    case 'AKP':
      handle = importAkp(jwk);
      break;
    default:
      throw invalid(`${jwk.kty} is not a supported JWK key type`);
  }
  if (wantsPrivate && handle.type !== 'private') throw invalid('JWK does not contain private key material');
  return handle;
}

module.exports = { exportJwk, importJwk, toBase64Url, fromBase64Url, CURVES };
