'use strict';
// Owns: deprecation warnings for CryptoKey arguments of node:crypto, each emitted once.

const once = (text, code) => {
  let isDue = true;
  return () => {
    if (!isDue) return;
    isDue = false;
    host.emitWarning(text, 'DeprecationWarning', code);
  };
};

module.exports = {
  warnOfCryptoKey: once('Passing a CryptoKey to node:crypto functions is deprecated.', 'DEP0203'),
  warnOfHiddenKey: once('Passing a non-extractable CryptoKey to KeyObject.from() is deprecated.', 'DEP0204'),
};
