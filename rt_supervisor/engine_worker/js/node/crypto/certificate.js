'use strict';
// Owns: crypto.Certificate: signed public keys with challenges (SPKAC).

const { ObjectAssign, intact } = require('internal/primordials');
const { binding } = require('internal/crypto/binding');
const { asBuffer, bytesFrom } = require('internal/crypto/input');

const LONGEST = 2 ** 31 - 1;
const toBytes = (bytes) => (bytes === undefined ? '' : asBuffer(bytes));

function input(spkac, encoding) {
  const bytes = bytesFrom(spkac, 'spkac', encoding);
  if (bytes.byteLength > LONGEST) throw ObjectAssign(new RangeError('spkac is too large'), { code: 'ERR_OUT_OF_RANGE' });
  return bytes;
}

function verifySpkac(spkac, encoding) {
  return binding().spkac_verify(input(spkac, encoding));
}
function exportPublicKey(spkac, encoding) {
  return toBytes(binding().spkac_public_key(input(spkac, encoding)));
}
function exportChallenge(spkac, encoding) {
  return toBytes(binding().spkac_challenge(input(spkac, encoding)));
}

function Certificate() {
  if (!(this instanceof Certificate)) return new Certificate();
}
for (const holder of intact([Certificate.prototype, Certificate]))
  ObjectAssign(holder, { verifySpkac, exportPublicKey, exportChallenge });

module.exports = { Certificate };
