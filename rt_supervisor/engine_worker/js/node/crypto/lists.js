'use strict';
// Owns: what this OpenSSL has (digests, ciphers, curves) and its state: FIPS, engines, the secure heap.

const { binding } = require('internal/crypto/binding');
const { codes } = require('internal/errors/errors');
const { validateNumber, validateString } = require('internal/validators');

/** A function that answers with a copy of a list made once. */
function once(make) {
  let list;
  return () => [...(list ??= make())];
}

const distinct = (names) => [...new Set(names)].sort();

const getHashes = once(() => distinct(binding().digest_names()));
const getCiphers = once(() =>
  distinct(
    binding()
      .cipher_names()
      .map((name) => name.toLowerCase()),
  ),
);
const getCurves = once(() => distinct(binding().curves()));
const getMacs = once(() => []);
for (const list of [getHashes, getCiphers, getCurves, getMacs])
  Object.defineProperty(list, 'name', { __proto__: null, value: '', configurable: true });

/** OpenSSL's engines are not built in, so none is ever found. */
function setEngine(id, flags) {
  validateString(id, 'id');
  if (flags) validateNumber(flags, 'flags');
  throw new codes.ERR_CRYPTO_ENGINE_UNKNOWN(id);
}

function secureHeapUsed() {
  return { total: 0, used: 0, utilization: NaN, min: 2 };
}

function getFips() {
  return binding().fips_is_on() ? 1 : 0;
}
function setFips(val) {
  binding().fips_turn(!!val);
}

module.exports = { getHashes, getCiphers, getCurves, getMacs, setEngine, secureHeapUsed, getFips, setFips };
