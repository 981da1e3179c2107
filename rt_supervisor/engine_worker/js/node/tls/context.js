'use strict';
// Owns: tls.SecureContext: applies the options for certificates, keys, trust, ciphers and versions to OpenSSL.

const {
  ArrayFilter,
  ArrayIsArray,
  ArrayJoin,
  ObjectDefineProperty,
  ObjectFreeze,
  RegExpReplace,
  RegExpTest,
  StringSlice,
  StringSplit,
  StringStartsWith,
  intact,
} = require('internal/primordials');
const { binding, watch } = require('internal/crypto/binding');
const { asBuffer, isView } = require('internal/crypto/input');
const { codes } = require('internal/errors/errors');
const { nativeError } = require('internal/crypto/key_handle');
const { validateBuffer, validateInt32, validateInteger, validateObject, validateString } = require('internal/validators');
const defaults = require('node/tls/defaults');
const trust = require('node/tls/trust');

const VERSIONS = { __proto__: null, 'TLSv1': 769, 'TLSv1.1': 770, 'TLSv1.2': 771, 'TLSv1.3': 772 };
// Legacy method names for one version, or for a range up to the newest.
const METHODS = {
  __proto__: null,
  SSLv23_method: [undefined, 771],
  TLS_method: [0, 772],
  TLSv1_method: [769, 769],
  TLSv1_1_method: [770, 770],
  TLSv1_2_method: [771, 771],
};
const CIPHER_SERVER_PREFERENCE = 0x400000;

const toBytes = (value) => (typeof value === 'string' ? host.native.encodeUtf8(value) : value);

/** The native context, with the members that programs use on `context`. */
class NativeSecureContext {
  #number;

  constructor(min, max) {
    this.#number = binding().context_new(min, max);
    watch(this, 'context_free', this.#number);
  }
  /** The number of a context; throws for anything else, even an object with the same methods. */
  static numberOf(context) {
    if (!(#number in context)) throw new TypeError('Illegal invocation');
    return context.#number;
  }
  get number() {
    return NativeSecureContext.numberOf(this);
  }
  /** The number of certificates in it. */
  addCACert(pem) {
    return binding().context_trust(NativeSecureContext.numberOf(this), toBytes(pem));
  }
  addRootCerts() {
    binding().context_trust_store(NativeSecureContext.numberOf(this), trust.defaultStore());
  }
  setCert(pem) {
    binding().context_certificate(NativeSecureContext.numberOf(this), toBytes(pem));
  }
  setKey(pem, passphrase) {
    binding().context_key(NativeSecureContext.numberOf(this), toBytes(pem), passphrase == null ? undefined : toBytes(passphrase));
  }
  addCRL(pem) {
    binding().context_revoked(NativeSecureContext.numberOf(this), toBytes(pem));
  }
  loadPKCS12(data, passphrase) {
    binding().context_pfx(
      NativeSecureContext.numberOf(this),
      toBytes(data),
      passphrase === undefined ? undefined : toBytes(passphrase),
    );
  }
  set(what, list) {
    binding().context_list(NativeSecureContext.numberOf(this), what, list);
  }
  setOptions(options) {
    binding().context_options(NativeSecureContext.numberOf(this), options);
  }
  getTicketKeys() {
    return asBuffer(binding().context_ticket_keys(NativeSecureContext.numberOf(this)));
  }
  setTicketKeys(keys) {
    binding().context_ticket_keys(NativeSecureContext.numberOf(this), keys);
  }
  setSession(id, timeout) {
    binding().context_session(NativeSecureContext.numberOf(this), toBytes(id ?? ''), timeout);
  }
  /** Stands for OpenSSL's context, which programs cannot access. */
  get _external() {
    return NativeSecureContext.numberOf(this) && ObjectFreeze({ __proto__: null });
  }
  #certificates() {
    const [own, issuer] = intact(binding().context_own(NativeSecureContext.numberOf(this)));
    return { own: own && asBuffer(own), issuer: issuer && asBuffer(issuer) };
  }
  getCertificate() {
    return this.#certificates().own ?? null;
  }
  getIssuer() {
    return this.#certificates().issuer ?? null;
  }
  close() {}
}
ObjectDefineProperty(NativeSecureContext, 'name', { __proto__: null, value: 'SecureContext', configurable: true });

function versionOf(which, version, fallback) {
  const number = VERSIONS[version ?? fallback];
  if (number === undefined) throw new codes.ERR_TLS_INVALID_PROTOCOL_VERSION(version ?? fallback, which);
  return number;
}

function methodVersions(method) {
  const name = RegExpReplace(/_(?:client|server)_method$/, `${method}`, '_method');
  if (RegExpTest(/^SSLv[23]_method$/, name))
    throw nativeError(TypeError, 'ERR_TLS_INVALID_PROTOCOL_METHOD', `${StringSlice(name, 0, 5)} methods disabled`);
  if (!(name in METHODS)) throw nativeError(TypeError, 'ERR_TLS_INVALID_PROTOCOL_METHOD', `Unknown method: ${method}`);
  return METHODS[name];
}

function SecureContext(secureProtocol, secureOptions, minVersion, maxVersion) {
  if (!(this instanceof SecureContext)) return new SecureContext(secureProtocol, secureOptions, minVersion, maxVersion);
  if (secureProtocol) {
    if (minVersion != null) throw new codes.ERR_TLS_PROTOCOL_VERSION_CONFLICT(minVersion, secureProtocol);
    if (maxVersion != null) throw new codes.ERR_TLS_PROTOCOL_VERSION_CONFLICT(maxVersion, secureProtocol);
  }
  let min = versionOf('minimum', minVersion, defaults.minVersion());
  let max = versionOf('maximum', maxVersion, defaults.maxVersion());
  if (secureProtocol) [min = min, max = max] = intact(methodVersions(secureProtocol));
  this.context = new NativeSecureContext(min, max);
  if (secureOptions) {
    validateInteger(secureOptions, 'secureOptions');
    this.context.setOptions(secureOptions);
  }
}

function checkPem(name, value) {
  if (typeof value !== 'string' && !isView(value))
    throw new codes.ERR_INVALID_ARG_TYPE(name, ['string', 'Buffer', 'TypedArray', 'DataView'], value);
}

const listOf = (value) => (ArrayIsArray(value) ? value : [value]);

function setCiphers(context, ciphers) {
  if (ciphers != null) validateString(ciphers, 'options.ciphers');
  const all = ArrayFilter(StringSplit(ciphers || defaults.ciphers(), ':'), Boolean);
  const isSuite = (name) => StringStartsWith(name, 'TLS_') || StringStartsWith(name, '!TLS_');
  const suites = ArrayJoin(ArrayFilter(all, isSuite), ':');
  const list = ArrayJoin(
    ArrayFilter(all, (name) => !isSuite(name)),
    ':',
  );
  if (suites === '' && list === '')
    throw new codes.ERR_INVALID_ARG_VALUE('options.ciphers', StringSplit(`${ciphers ?? ''}`, ':'));
  if (suites !== '') context.set('ciphersuites', suites);
  if (list !== '') context.set('ciphers', list);
}

function setKeys(context, key, passphrase) {
  for (const each of intact(listOf(key))) {
    const pem = each?.pem !== undefined && ArrayIsArray(key) ? each.pem : each;
    const pass = ArrayIsArray(key) && each?.passphrase !== undefined ? each.passphrase : passphrase;
    checkPem('options.key', pem);
    if (pass != null) validateString(pass, 'options.passphrase');
    context.setKey(pem, pass);
  }
}

function checkEngines(options) {
  const { clientCertEngine, privateKeyIdentifier, privateKeyEngine, key } = options;
  if (privateKeyIdentifier != null) {
    if (privateKeyEngine == null) throw new codes.ERR_INVALID_ARG_VALUE('options.privateKeyEngine', privateKeyEngine);
    if (key) throw new codes.ERR_INVALID_ARG_VALUE('options.privateKeyIdentifier', privateKeyIdentifier);
    for (const name of intact(['privateKeyIdentifier', 'privateKeyEngine'])) {
      if (typeof options[name] !== 'string')
        throw new codes.ERR_INVALID_ARG_TYPE(`options.${name}`, ['string', 'null', 'undefined'], options[name]);
    }
    throw new codes.ERR_CRYPTO_CUSTOM_ENGINE_NOT_SUPPORTED();
  }
  if (typeof clientCertEngine === 'string') throw new codes.ERR_CRYPTO_CUSTOM_ENGINE_NOT_SUPPORTED();
  if (clientCertEngine != null)
    throw new codes.ERR_INVALID_ARG_TYPE('options.clientCertEngine', ['string', 'null', 'undefined'], clientCertEngine);
}

function configure(context, options) {
  validateObject(options, 'options');
  const {
    ca,
    cert,
    key,
    passphrase,
    pfx,
    crl,
    dhparam,
    sigalgs,
    sessionIdContext,
    sessionTimeout,
    ticketKeys,
    ecdhCurve = defaults.ecdhCurve(),
  } = options;
  setCiphers(context, options.ciphers);
  if (ca) {
    for (const each of intact(listOf(ca))) {
      checkPem('options.ca', each);
      context.addCACert(each);
    }
  } else context.addRootCerts();
  if (options.allowPartialTrustChain) binding().context_partial_chains(context.number);
  if (cert) {
    for (const each of intact(listOf(cert))) {
      checkPem('options.cert', each);
      context.setCert(each);
    }
  }
  if (key) setKeys(context, key, passphrase);
  if (sigalgs != null) {
    validateString(sigalgs, 'options.sigalgs');
    if (sigalgs === '') throw new codes.ERR_INVALID_ARG_VALUE('options.sigalgs', sigalgs);
    context.set('sigalgs', sigalgs);
  }
  checkEngines(options);
  validateString(ecdhCurve, 'options.ecdhCurve');
  context.set('groups', ecdhCurve);
  if (dhparam != null) {
    checkPem('options.dhparam', dhparam);
    if (dhparam === 'auto') binding().context_dh_auto(context.number);
    else {
      const bits = binding().context_dh(context.number, toBytes(dhparam));
      if (bits < 1024) throw nativeError(TypeError, 'ERR_INVALID_ARG_VALUE', 'DH parameter is less than 1024 bits');
      if (bits < 2048) host.emitWarning('DH parameter is less than 2048 bits', 'SecurityWarning');
    }
  }
  if (crl != null) {
    for (const each of intact(listOf(crl))) {
      checkPem('options.crl', each);
      context.addCRL(each);
    }
  }
  if (pfx != null) {
    for (const each of intact(listOf(pfx))) {
      const pass = (ArrayIsArray(pfx) && each.passphrase) || passphrase;
      context.loadPKCS12((ArrayIsArray(pfx) && each.buf) || each, pass ?? undefined);
    }
  }
  if (sessionIdContext != null) validateString(sessionIdContext, 'options.sessionIdContext');
  if (sessionTimeout != null) validateInt32(sessionTimeout, 'options.sessionTimeout', 0);
  if (sessionIdContext != null || sessionTimeout != null) context.setSession(sessionIdContext, sessionTimeout ?? undefined);
  if (ticketKeys != null) {
    validateBuffer(ticketKeys, 'options.ticketKeys');
    if (ticketKeys.byteLength !== 48)
      throw new codes.ERR_INVALID_ARG_VALUE('options.ticketKeys', ticketKeys.byteLength, 'must be exactly 48 bytes');
    context.setTicketKeys(ticketKeys);
  }
}

function createSecureContext(options) {
  options ||= {};
  let { secureOptions } = options;
  if (options.honorCipherOrder) secureOptions |= CIPHER_SERVER_PREFERENCE;
  const context = new SecureContext(options.secureProtocol, secureOptions, options.minVersion, options.maxVersion);
  configure(context.context, options);
  return context;
}

module.exports = { SecureContext, NativeSecureContext, createSecureContext };
