// @ts-check
'use strict';
// Owns: the exports of node:tls.

const { setOf } = require('internal/collections');
const {
  ArrayBufferIsView,
  ArrayFlatMap,
  ArrayMap,
  ArraySort,
  ObjectAssign,
  ObjectDefineProperty,
  StringToLowerCase,
  intact,
} = require('internal/primordials');

require('node/buffer/buffer');
const { binding } = require('internal/crypto/binding');
const { codes } = require('internal/errors/errors');
const { validateArray, validateString } = require('internal/validators');
const context = require('node/tls/context');
const defaults = require('node/tls/defaults');
const trust = require('node/tls/trust');
const identity = require('node/tls/identity');

exports.CLIENT_RENEG_LIMIT = 3;
exports.CLIENT_RENEG_WINDOW = 600;
ObjectAssign(exports, defaults.values);
defaults.follow(exports);

// The suites of TLS 1.3; OpenSSL does not offer all of them by default.
const SUITES = [
  'tls_aes_256_gcm_sha384',
  'tls_chacha20_poly1305_sha256',
  'tls_aes_128_gcm_sha256',
  'tls_aes_128_ccm_8_sha256',
  'tls_aes_128_ccm_sha256',
];
let ciphers;
exports.getCiphers = () => {
  ciphers ??= ArraySort([
    ...intact(setOf(ArrayMap([...intact(binding().tls_ciphers()), ...intact(SUITES)], (name) => StringToLowerCase(name)))),
  ]);
  return [...intact(ciphers)];
};
// Certificate compression needs libraries that this OpenSSL is built without.
exports.getCertificateCompressionAlgorithms = () => [];
for (const name of intact(['getCiphers', 'getCertificateCompressionAlgorithms']))
  ObjectDefineProperty(exports[name], 'name', { __proto__: null, value: '', configurable: true });
ObjectDefineProperty(exports, 'rootCertificates', {
  __proto__: null,
  configurable: false,
  enumerable: true,
  get: trust.rootCertificates,
});

exports.getCACertificates = function getCACertificates(type = 'default') {
  validateString(type, 'type');
  switch (type) {
    case 'default':
      return trust.defaultCertificates();
    case 'bundled':
      return trust.rootCertificates();
    case 'extra':
      return trust.extraCertificates();
    case 'system':
      return trust.systemCertificates();
    default:
      throw new codes.ERR_INVALID_ARG_VALUE('type', type);
  }
};
exports.setDefaultCACertificates = function setDefaultCACertificates(certs) {
  validateArray(certs, 'certs');
  const pems = ArrayFlatMap(certs, (each, index) => {
    if (typeof each !== 'string' && !ArrayBufferIsView(each))
      throw new codes.ERR_INVALID_ARG_TYPE(`certs[${index}]`, ['string', 'ArrayBufferView'], each);
    const bytes =
      typeof each === 'string' ? host.native.encodeUtf8(each) : new Uint8Array(each.buffer, each.byteOffset, each.byteLength);
    return trust.readAll(bytes);
  });
  if (pems.length === 0 && certs.length > 0) {
    throw ObjectAssign(new Error('No valid certificates found in the provided array'), { code: 'ERR_CRYPTO_OPERATION_FAILED' });
  }
  trust.setDefault(pems);
};

exports.convertALPNProtocols = identity.convertALPNProtocols;
exports.checkServerIdentity = identity.checkServerIdentity;
exports.createSecureContext = context.createSecureContext;
exports.SecureContext = context.SecureContext;
exports.TLSSocket = require('node/tls/socket').TLSSocket;
exports.Server = require('node/tls/server').Server;
exports.createServer = require('node/tls/server').createServer;
exports.connect = require('node/tls/connect').connect;
