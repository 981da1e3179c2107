// @ts-check
'use strict';
// Owns: the Web's Crypto: random values, UUIDs and `subtle`.

const { ArrayBufferIsView, ObjectDefineProperty, RegExpTest, TypedArrayTag, intact } = require('internal/primordials');
const { isDataView } = require('internal/brands');
const { codes } = require('internal/errors/errors');

const MOST_BYTES = 65536;
const FORBIDDEN = Symbol('no constructor');
let allowed;

const isIntegers = (value) =>
  ArrayBufferIsView(value) &&
  !isDataView(value) &&
  RegExpTest(/^(?:Big)?(?:Ui|I)nt(?:8|16|32|64)(?:Clamped)?Array$/, TypedArrayTag(value));

class Crypto {
  #brand = true;

  constructor() {
    if (allowed !== FORBIDDEN) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
  }
  static #check(crypto) {
    if (typeof crypto !== 'object' || crypto === null || !(#brand in crypto)) throw new codes.ERR_INVALID_THIS('Crypto');
  }

  get subtle() {
    Crypto.#check(this);
    return require('web/crypto/subtle').subtle;
  }
  getRandomValues(typedArray) {
    Crypto.#check(this);
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('typedArray');
    const { DOMException } = require('internal/dom_exception');
    if (!isIntegers(typedArray)) {
      throw new DOMException('The data argument must be an integer-type TypedArray', 'TypeMismatchError');
    }
    if (typedArray.byteLength > MOST_BYTES) {
      const { QuotaExceededError } = require('internal/quota_exceeded');
      throw new QuotaExceededError('The requested length exceeds 65,536 bytes');
    }
    require('internal/crypto/random').fill(typedArray, 0, typedArray.byteLength);
    return typedArray;
  }
  randomUUID(options = undefined) {
    Crypto.#check(this);
    return require('internal/crypto/random').randomUUID(options);
  }
}
ObjectDefineProperty(Crypto.prototype, Symbol.toStringTag, { __proto__: null, value: 'Crypto', configurable: true });
for (const name of intact(['subtle', 'getRandomValues', 'randomUUID']))
  ObjectDefineProperty(Crypto.prototype, name, { __proto__: null, enumerable: true });

allowed = FORBIDDEN;
const crypto = new Crypto();
allowed = undefined;

module.exports = { Crypto, crypto };
