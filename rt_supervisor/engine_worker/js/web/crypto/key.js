// @ts-check
'use strict';
// Owns: CryptoKey: a key of the native module with its algorithm and usages.

const { AnySlice } = require('internal/any_kind');
const { ObjectDefineProperty, SymbolFor, intact } = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { inspectNamed } = require('internal/inspect/named');

const customInspect = SymbolFor('nodejs.util.inspect.custom');
let makeKey;
let slotsOf;
let isCryptoKey;

class CryptoKey {
  #slots;

  constructor(token, slots) {
    if (token !== makeKey) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
    this.#slots = slots;
  }
  static {
    isCryptoKey = (value) => typeof value === 'object' && value !== null && #slots in value;
    slotsOf = (key) => {
      if (!isCryptoKey(key)) throw new codes.ERR_INVALID_THIS('CryptoKey');
      return key.#slots;
    };
  }

  get type() {
    return slotsOf(this).handle.type;
  }
  get extractable() {
    return slotsOf(this).extractable;
  }
  get algorithm() {
    const slots = slotsOf(this);
    return (slots.shownAlgorithm ??= copyAlgorithm(slots.algorithm));
  }
  get usages() {
    const slots = slotsOf(this);
    return (slots.shownUsages ??= [...intact(slots.usages)]);
  }
  [customInspect](depth, options, inspect) {
    if (depth < 0) return this;
    const { type, extractable } = this;
    const { algorithm, usages } = slotsOf(this); // not what the program may have changed
    return inspectNamed('CryptoKey', { type, extractable, algorithm, usages }, options, inspect);
  }
}
/** Copies the algorithm, so that a program's changes do not affect the key. */
function copyAlgorithm(algorithm) {
  const copy = { ...algorithm };
  if (copy.hash !== undefined) copy.hash = { ...copy.hash };
  if (copy.publicExponent !== undefined) copy.publicExponent = AnySlice(copy.publicExponent);
  return copy;
}
for (const name of intact(['type', 'extractable', 'algorithm', 'usages']))
  ObjectDefineProperty(CryptoKey.prototype, name, { __proto__: null, enumerable: true });
ObjectDefineProperty(CryptoKey.prototype, Symbol.toStringTag, { __proto__: null, value: 'CryptoKey', configurable: true });

makeKey = Symbol('makes a CryptoKey');
/** Wraps `handle` with an algorithm and the allowed usages in canonical order. */
const cryptoKey = (handle, algorithm, extractable, usages) => new CryptoKey(makeKey, { handle, algorithm, extractable, usages });
require('internal/cloneable').registerSerializable(
  isCryptoKey,
  (key) => {
    const { handle, algorithm, extractable, usages } = slotsOf(key);
    return cryptoKey(handle, algorithm, extractable, usages);
  },
  'CryptoKey',
  (key) => {
    const { handle, algorithm, extractable, usages } = slotsOf(key);
    return { key: require('internal/crypto/key_transfer').factsOf(handle), algorithm, extractable, usages };
  },
);
ObjectDefineProperty(CryptoKey, 'length', { __proto__: null, value: 0, configurable: true });

/** Recreates a key that another thread sent. */
const unpack = (name, { facts: { key, algorithm, extractable, usages } }) =>
  cryptoKey(require('internal/crypto/key_transfer').handleOf(key), algorithm, extractable, usages);

module.exports = { unpack, CryptoKey, cryptoKey, isCryptoKey, slotsOf };
