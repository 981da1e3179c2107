'use strict';
// Owns: X509Certificate, and the legacy form of certificates returned by `getPeerCertificate` of TLS sockets.

const { RegExpMatchAll } = require('internal/patterns');
const {
  ArrayAt,
  ArrayIsArray,
  ArrayMap,
  ArrayPush,
  ArrayReduceRight,
  ArraySlice,
  JSONParse,
  StringStartsWith,
  SymbolFor,
  TypedArrayIncludes,
  intact,
} = require('internal/primordials');
const { binding, watch } = require('internal/crypto/binding');
const { asBuffer, isView } = require('internal/crypto/input');
const { KeyObjectHandle } = require('internal/crypto/key_handle');
const { codes } = require('internal/errors/errors');
const { validateBoolean, validateObject, validateString } = require('internal/validators');
const { PublicKeyObject, handleOf, isKeyObject } = require('node/crypto/key_object');
const { inspectNamed } = require('internal/inspect/named');

const customInspect = SymbolFor('nodejs.util.inspect.custom');
const FLAGS = {
  alwaysCheckSubject: 0x1,
  noWildcards: 0x2,
  noPartialWildcards: 0x4,
  multiLabelWildcards: 0x8,
  singleLabelSubdomains: 0x10,
};
const NEVER_CHECK_SUBJECT = 0x20;

function hostFlags(options = {}) {
  validateObject(options, 'options');
  const {
    subject = 'default',
    wildcards = true,
    partialWildcards = true,
    multiLabelWildcards = false,
    singleLabelSubdomains = false,
  } = options;
  validateString(subject, 'options.subject');
  validateBoolean(wildcards, 'options.wildcards');
  validateBoolean(partialWildcards, 'options.partialWildcards');
  validateBoolean(multiLabelWildcards, 'options.multiLabelWildcards');
  validateBoolean(singleLabelSubdomains, 'options.singleLabelSubdomains');
  let flags = 0;
  if (subject === 'always') flags |= FLAGS.alwaysCheckSubject;
  else if (subject === 'never') flags |= NEVER_CHECK_SUBJECT;
  else if (subject !== 'default') throw new codes.ERR_INVALID_ARG_VALUE('options.subject', subject);
  if (!wildcards) flags |= FLAGS.noWildcards;
  if (!partialWildcards) flags |= FLAGS.noPartialWildcards;
  if (multiLabelWildcards) flags |= FLAGS.multiLabelWildcards;
  if (singleLabelSubdomains) flags |= FLAGS.singleLabelSubdomains;
  return flags;
}

class X509Handle {
  number;
  #facts;

  constructor(number) {
    this.number = number;
    watch(this, 'cert_free', number);
  }
  get facts() {
    return (this.#facts ??= binding().cert_facts(this.number));
  }
}

let handleIn;
let isX509;
class X509Certificate {
  #handle;
  #issuer;
  #publicKey;

  constructor(buffer) {
    if (buffer instanceof X509Handle) {
      this.#issuer = arguments[1];
      this.#handle = buffer;
      return;
    }
    if (typeof buffer === 'string') buffer = host.native.encodeUtf8(buffer);
    if (!isView(buffer)) throw new codes.ERR_INVALID_ARG_TYPE('buffer', ['string', 'Buffer', 'TypedArray', 'DataView'], buffer);
    this.#handle = new X509Handle(binding().cert_parse(buffer));
  }
  static {
    isX509 = (value) => typeof value === 'object' && value !== null && #handle in value;
    handleIn = (certificate) => certificate.#handle;
  }

  [customInspect](depth, options, inspect) {
    if (depth < 0) return this;
    const {
      subject,
      subjectAltName,
      issuer,
      infoAccess,
      validFrom,
      validTo,
      validFromDate,
      validToDate,
      fingerprint,
      fingerprint256,
      fingerprint512,
      keyUsage,
      serialNumber,
      signatureAlgorithm,
      signatureAlgorithmOid,
    } = this;
    const fields = {
      subject,
      subjectAltName,
      issuer,
      infoAccess,
      validFrom,
      validTo,
      validFromDate,
      validToDate,
      fingerprint,
      fingerprint256,
      fingerprint512,
      keyUsage,
      serialNumber,
      signatureAlgorithm,
      signatureAlgorithmOid,
    };
    return inspectNamed('X509Certificate', fields, options, inspect);
  }
  get subject() {
    return this.#handle.facts.subject || undefined;
  }
  get subjectAltName() {
    return this.#handle.facts.subjectAltName;
  }
  get issuer() {
    return this.#handle.facts.issuer || undefined;
  }
  get issuerCertificate() {
    return this.#issuer;
  }
  get infoAccess() {
    return this.#handle.facts.infoAccess;
  }
  get validFrom() {
    return this.#handle.facts.validFrom;
  }
  get validTo() {
    return this.#handle.facts.validTo;
  }
  get validFromDate() {
    return new Date(this.#handle.facts.validFromSeconds * 1000);
  }
  get validToDate() {
    return new Date(this.#handle.facts.validToSeconds * 1000);
  }
  get fingerprint() {
    return this.#handle.facts.sha1;
  }
  get fingerprint256() {
    return this.#handle.facts.sha256;
  }
  get fingerprint512() {
    return this.#handle.facts.sha512;
  }
  get keyUsage() {
    return this.#handle.facts.keyUsage;
  }
  get serialNumber() {
    return this.#handle.facts.serialNumber;
  }
  get signatureAlgorithm() {
    return this.#handle.facts.signatureAlgorithm;
  }
  get signatureAlgorithmOid() {
    return this.#handle.facts.signatureAlgorithmOid;
  }
  get raw() {
    return asBuffer(this.#handle.facts.raw);
  }
  get publicKey() {
    return (this.#publicKey ??= new PublicKeyObject(
      new KeyObjectHandle(binding().cert_public_key(this.#handle.number), 'public'),
    ));
  }
  toString() {
    return asBuffer(binding().cert_pem(this.#handle.number)).toString('latin1');
  }
  toJSON() {
    return this.toString();
  }
  get ca() {
    return this.#handle.facts.ca;
  }
  #match(what, name, flags) {
    return binding().cert_match(this.#handle.number, what, name, flags);
  }
  checkHost(name, options) {
    validateString(name, 'name');
    return this.#match('host', name, hostFlags(options));
  }
  checkEmail(email, options) {
    validateString(email, 'email');
    return this.#match('email', email, hostFlags(options));
  }
  checkIP(ip, options) {
    validateString(ip, 'ip');
    if (options !== undefined) hostFlags(options);
    return this.#match('ip', ip, 0);
  }
  checkIssued(otherCert) {
    if (!isX509(otherCert)) throw new codes.ERR_INVALID_ARG_TYPE('otherCert', 'X509Certificate', otherCert);
    return binding().cert_test(this.#handle.number, 'issued', otherCert.#handle.number);
  }
  checkPrivateKey(pkey) {
    if (!isKeyObject(pkey)) throw new codes.ERR_INVALID_ARG_TYPE('pkey', 'KeyObject', pkey);
    if (pkey.type !== 'private') throw new codes.ERR_INVALID_ARG_VALUE('pkey', pkey);
    return binding().cert_test(this.#handle.number, 'private', handleOf(pkey).number);
  }
  verify(pkey) {
    if (!isKeyObject(pkey)) throw new codes.ERR_INVALID_ARG_TYPE('pkey', 'KeyObject', pkey);
    if (pkey.type !== 'public') throw new codes.ERR_INVALID_ARG_VALUE('pkey', pkey);
    return binding().cert_test(this.#handle.number, 'verify', handleOf(pkey).number);
  }
  toLegacyObject() {
    return legacyCertificate(this.#handle);
  }
}

/** The parts of a name by short name; repeated ones as an array. */
function nameObject(parts) {
  const object = { __proto__: null };
  for (const { 0: key, 1: value } of intact(parts)) {
    if (!(key in object)) object[key] = value;
    else if (ArrayIsArray(object[key])) ArrayPush(object[key], value);
    else object[key] = [object[key], value];
  }
  return object;
}

function accessObject(text) {
  const object = { __proto__: null };
  for (const { 1: key, 2: value } of intact(RegExpMatchAll(/([^\n:]*):([^\n]*)(?:\n|$)/g, text))) {
    ArrayPush((object[key] ??= []), StringStartsWith(value, '"') ? JSONParse(value) : value);
  }
  return object;
}

/** A certificate in the form of getPeerCertificate. */
function legacyCertificate(handle) {
  const { facts } = handle;
  return {
    subject: nameObject(facts.subjectParts),
    issuer: nameObject(facts.issuerParts),
    subjectaltname: facts.subjectAltName,
    infoAccess: facts.infoAccess === undefined ? undefined : accessObject(facts.infoAccess),
    ca: facts.ca,
    modulus: facts.modulus,
    exponent: facts.exponent,
    pubkey: facts.pubkey && asBuffer(facts.pubkey),
    bits: facts.bits,
    valid_from: facts.validFrom,
    valid_to: facts.validTo,
    fingerprint: facts.sha1,
    fingerprint256: facts.sha256,
    fingerprint512: facts.sha512,
    ext_key_usage: facts.keyUsage,
    serialNumber: facts.serialNumber,
    raw: asBuffer(facts.raw),
    asn1Curve: facts.asn1Curve,
    nistCurve: facts.nistCurve,
  };
}

/** The certificates of `numbers` (each issued by the next) as linked objects; a self-signed last one is its own issuer. */
function legacyChain(numbers, isDetailed) {
  const handles = ArrayMap(numbers, (number) => new X509Handle(number));
  if (handles.length === 0) return {};
  const first = legacyCertificate(handles[0]);
  if (!isDetailed) return first;
  let last = first;
  for (const handle of intact(ArraySlice(handles, 1))) {
    last.issuerCertificate = legacyCertificate(handle);
    last = last.issuerCertificate;
  }
  const final = ArrayAt(handles, -1);
  if (binding().cert_test(final.number, 'issued', final.number)) last.issuerCertificate = last;
  return first;
}

const wrapX509 = (number) => new X509Certificate(new X509Handle(number));
/** The first certificate of `numbers`; each has the next one as `issuerCertificate`. */
const wrapChain = (numbers) =>
  ArrayReduceRight(numbers, (issuer, number) => new X509Certificate(new X509Handle(number), issuer), undefined);

function parsePKCS12(bundle, options = {}) {
  const { bytesFrom, isBytes } = require('internal/crypto/input');
  if (!isBytes(bundle))
    throw new codes.ERR_INVALID_ARG_TYPE('bundle', ['ArrayBuffer', 'TypedArray', 'DataView', 'Buffer'], bundle);
  validateObject(options, 'options');
  const { passphrase } = options;
  const pass = passphrase === undefined ? undefined : bytesFrom(passphrase, 'options.passphrase', 'utf8');
  if (pass !== undefined && TypedArrayIncludes(new Uint8Array(pass.buffer ?? pass, pass.byteOffset ?? 0, pass.byteLength), 0)) {
    throw new codes.ERR_INVALID_ARG_VALUE('options.passphrase', passphrase, 'must not contain null bytes');
  }
  const [key, own, others] = intact(binding().pkcs12_parse(bundle, pass));
  const { PrivateKeyObject } = require('node/crypto/key_object');
  return {
    privateKey: key === undefined ? null : new PrivateKeyObject(new KeyObjectHandle(key, 'private')),
    certificate: own === undefined ? null : wrapX509(own),
    additionalCertificates: ArrayMap(others, wrapX509),
  };
}

require('internal/cloneable').registerSerializable(
  isX509,
  (certificate) => certificate,
  'X509Certificate',
  (certificate) => certificate.raw,
);

/** Recreates a certificate received from another thread. */
const unpack = (kind, { facts }) => new X509Certificate(facts);

module.exports = {
  X509Certificate,
  X509Handle,
  legacyCertificate,
  legacyChain,
  wrapChain,
  wrapX509,
  handleIn,
  parsePKCS12,
  unpack,
};
