// @ts-check
'use strict';
// Owns: the capabilities of this OpenSSL (digests, ciphers, curves) and its state: FIPS, engines, the secure heap.

const { setOf } = require('internal/collections');
const { ArrayMap, ArraySort, ObjectDefineProperty, StringToLowerCase, intact } = require('internal/primordials');
const { binding } = require('internal/crypto/binding');
const { codes } = require('internal/errors/errors');
const { validateNumber, validateString } = require('internal/validators');

/** A function that returns a copy of a list computed once. */
function once(make) {
  let list;
  return () => [...intact((list ??= make()))];
}

const distinct = (names) => ArraySort([...intact(setOf(names))]);

const getHashes = once(() => distinct(binding().digest_names()));
const getCiphers = once(() => distinct(ArrayMap(binding().cipher_names(), (name) => StringToLowerCase(name))));
const getCurves = once(() => distinct(binding().curves()));
const getMacs = once(() => []);
for (const list of intact([getHashes, getCiphers, getCurves, getMacs]))
  ObjectDefineProperty(list, 'name', { __proto__: null, value: '', configurable: true });

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
  require('node/crypto/hash').forgetMethods();
}

module.exports = { getHashes, getCiphers, getCurves, getMacs, setEngine, secureHeapUsed, getFips, setFips };
