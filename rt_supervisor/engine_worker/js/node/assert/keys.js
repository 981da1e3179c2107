// @ts-check
'use strict';
// Owns: equality of cryptographic keys, whose data is not among their properties.

/** Undefined if neither is a key. Does not load cryptography: a program that has not loaded it has no keys. */
function sameKeys(one, other, areEqual) {
  if (host.isLoaded('node/crypto/key_object')) {
    const { isKeyObject } = require('node/crypto/key_object');
    if (isKeyObject(one) || isKeyObject(other)) return isKeyObject(one) && isKeyObject(other) && one.equals(other);
  }
  if (host.isLoaded('web/crypto/key')) {
    const { isCryptoKey, slotsOf } = require('web/crypto/key');
    if (isCryptoKey(one) || isCryptoKey(other)) {
      if (!isCryptoKey(one) || !isCryptoKey(other)) return false;
      const { 0: first, 1: second } = [slotsOf(one), slotsOf(other)];
      return (
        first.extractable === second.extractable &&
        areEqual(one.algorithm, other.algorithm) &&
        areEqual(one.usages, other.usages) &&
        first.handle.equals(second.handle)
      );
    }
  }
  return undefined;
}

module.exports = { sameKeys };
