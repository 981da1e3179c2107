'use strict';
// Owns: read-only prototype methods of tls.TLSSocket: certificates, cipher, session, keys.

const { asBuffer } = require('internal/crypto/input');
const { codes } = require('internal/errors/errors');
const { validateBuffer, validateString, validateUint32 } = require('internal/validators');
const { legacyChain, wrapChain, wrapX509 } = require('node/crypto/x509');

const fact = (socket, what) => socket._handle?.fact?.(what);
function bytes(socket, what) {
  const value = fact(socket, what);
  return value && asBuffer(value);
}
/**
 * Returns whether there is a connection or one is being made: unknown properties are then undefined, otherwise null.
 */
const isThere = (socket) => socket._handle !== null || socket.connecting;

module.exports = {
  getSession() {
    return this._handle?.getSession?.();
  },
  getPeerCertificate(detailed) {
    return this._handle ? legacyChain(fact(this, 'peer') ?? [], Boolean(detailed)) : null;
  },
  getCertificate() {
    if (!this._handle) return null;
    const own = fact(this, 'own');
    return own === undefined ? {} : legacyChain([own], false);
  },
  getPeerX509Certificate() {
    const chain = fact(this, 'peer') ?? [];
    return chain.length === 0 ? undefined : wrapChain(chain);
  },
  getX509Certificate() {
    const own = fact(this, 'own');
    return own === undefined ? undefined : wrapX509(own);
  },
  getCipher() {
    if (!this._handle) return null;
    return this._handle.getCipher?.();
  },
  getEphemeralKeyInfo() {
    if (!this._handle || this._tlsOptions.isServer) return null;
    return this._handle.getEphemeralKeyInfo?.();
  },
  getFinished() {
    return isThere(this) ? bytes(this, 'finished') : null;
  },
  getPeerFinished() {
    return isThere(this) ? bytes(this, 'peerFinished') : null;
  },
  getProtocol() {
    return this._handle ? fact(this, 'protocol') : null;
  },
  getSharedSigalgs() {
    return this._handle ? fact(this, 'sigalgs') : null;
  },
  getTLSTicket() {
    return this._handle ? bytes(this, 'ticket') : null;
  },
  isSessionReused() {
    return this._handle ? fact(this, 'reused') : null;
  },
  exportKeyingMaterial(length, label, context) {
    validateUint32(length, 'length', true);
    validateString(label, 'label');
    if (context !== undefined) validateBuffer(context, 'context');
    if (!this._secureEstablished) throw new codes.ERR_TLS_INVALID_STATE();
    return asBuffer(this._handle.call('tls_export', length, label, context));
  },
};
