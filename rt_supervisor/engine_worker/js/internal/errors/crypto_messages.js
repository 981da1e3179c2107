// @ts-check
'use strict';
// Owns: Node's error codes of node:crypto and node:tls, which `internal/errors/messages` includes.

const { ArrayJoin, JSONStringify } = require('internal/primordials');
const messages = {
  ERR_CRYPTO_ARGON2_NOT_SUPPORTED: ['Error', 'Argon2 algorithm not supported'],
  ERR_CRYPTO_CUSTOM_ENGINE_NOT_SUPPORTED: ['Error', 'Custom engines not supported by this OpenSSL'],
  ERR_CRYPTO_ECDH_INVALID_FORMAT: ['TypeError', (format) => `Invalid ECDH format: ${format}`],
  ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY: ['Error', 'Public key is not valid for specified curve'],
  ERR_CRYPTO_ENGINE_UNKNOWN: ['Error', (id) => `Engine "${id}" was not found`],
  ERR_CRYPTO_HASH_FINALIZED: ['Error', 'Digest already called'],
  ERR_CRYPTO_HASH_UPDATE_FAILED: ['Error', 'Hash update failed'],
  ERR_CRYPTO_INCOMPATIBLE_KEY: ['Error', (what, why) => `Incompatible ${what}: ${why}`],
  ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS: ['Error', (encoding, why) => `The selected key encoding ${encoding} ${why}.`],
  ERR_CRYPTO_INVALID_DIGEST: [
    'TypeError',
    (digest, prefix) => (prefix ? `Invalid ${prefix} digest: ${digest}` : `Invalid digest: ${digest}`),
  ],
  ERR_CRYPTO_INVALID_JWK: ['TypeError', 'Invalid JWK data'],
  ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE: ['TypeError', (type, expected) => `Invalid key object type ${type}, expected ${expected}.`],
  ERR_CRYPTO_INVALID_MAC: ['TypeError', (name) => `Invalid MAC: ${name}`],
  ERR_CRYPTO_INVALID_STATE: ['Error', (operation) => `Invalid state for operation ${operation}`],
  ERR_CRYPTO_KEM_NOT_SUPPORTED: ['Error', 'KEM is not supported'],
  ERR_CRYPTO_MAC_FINALIZED: ['Error', 'MAC already finalized'],
  ERR_CRYPTO_MAC_NOT_SUPPORTED: ['Error', 'MAC is not supported'],
  ERR_CRYPTO_SIGN_KEY_REQUIRED: ['Error', 'No key provided to sign'],
  ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH: ['RangeError', 'Input buffers must have the same byte length'],

  ERR_TLS_ALPN_CALLBACK_INVALID_RESULT: [
    'TypeError',
    (value, protocols) =>
      `ALPN callback returned a value (${value}) that did not match any of the client's offered protocols (${ArrayJoin(protocols, ', ')})`,
  ],
  ERR_TLS_ALPN_CALLBACK_WITH_PROTOCOLS: ['TypeError', 'The ALPNCallback and ALPNProtocols TLS options are mutually exclusive'],
  ERR_TLS_CERT_ALTNAME_FORMAT: ['SyntaxError', 'Invalid subject alternative name string'],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'Error',
    function (reason, host, cert) {
      this.reason = reason;
      this.host = host;
      this.cert = cert;
      return `Hostname/IP does not match certificate's altnames: ${reason}`;
    },
  ],
  ERR_TLS_DH_PARAM_SIZE: ['Error', (size) => `DH parameter size ${size} is less than 2048`],
  ERR_TLS_HANDSHAKE_TIMEOUT: ['Error', 'TLS handshake timeout'],
  ERR_TLS_INVALID_CONTEXT: ['TypeError', (name) => `${name} must be a SecureContext`],
  ERR_TLS_INVALID_PROTOCOL_VERSION: [
    'TypeError',
    (version, which) => `${JSONStringify(version)} is not a valid ${which} TLS protocol version`,
  ],
  ERR_TLS_INVALID_STATE: ['Error', 'TLS socket connection must be securely established'],
  ERR_TLS_PROTOCOL_VERSION_CONFLICT: [
    'TypeError',
    (version, method) => `TLS protocol version ${JSONStringify(version)} conflicts with secureProtocol ${JSONStringify(method)}`,
  ],
  ERR_TLS_RENEGOTIATION_DISABLED: ['Error', 'TLS session renegotiation disabled for this socket'],
  ERR_TLS_REQUIRED_SERVER_NAME: ['Error', '"servername" is required parameter for Server.addContext'],
  ERR_TLS_SESSION_ATTACK: ['Error', 'TLS session renegotiation attack detected'],
  ERR_TLS_SNI_FROM_SERVER: ['Error', 'Cannot issue SNI from a TLS server-side socket'],
};

module.exports = { messages };
