// @ts-check
'use strict';
// Owns: defaults that are set by flags and that programs may change on the exports of node:tls.

const startValues = require('internal/start_values');
let exported = {};
const values = {
  DEFAULT_CIPHERS: require('node/crypto/constants').constants.defaultCipherList,
  DEFAULT_ECDH_CURVE: 'auto',
  DEFAULT_MIN_VERSION: startValues.tls?.tlsMin ?? 'TLSv1.2',
  DEFAULT_MAX_VERSION: startValues.tls?.tlsMax ?? 'TLSv1.3',
};

module.exports = {
  values,
  /** Reads the defaults from `exports` from now on, where programs change them. */
  follow: (exports) => {
    exported = exports;
  },
  ciphers: () => exported.DEFAULT_CIPHERS ?? values.DEFAULT_CIPHERS,
  ecdhCurve: () => exported.DEFAULT_ECDH_CURVE || 'auto',
  minVersion: () => exported.DEFAULT_MIN_VERSION ?? values.DEFAULT_MIN_VERSION,
  maxVersion: () => exported.DEFAULT_MAX_VERSION ?? values.DEFAULT_MAX_VERSION,
};
