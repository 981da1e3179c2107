// @ts-check
'use strict';
// Owns: Web IDL conversion of the arguments of crypto.subtle, with Node's error messages.

const { bytesOf } = require('internal/bytes');
const {
  ArrayFrom,
  ArrayIncludes,
  MathTrunc,
  NumberIsFinite,
  ObjectAssign,
  TypedArraySlice,
  intact,
} = require('internal/primordials');
const { isSharedArrayBuffer } = require('internal/brands');
const { isAnyArrayBuffer, isView } = require('internal/crypto/input');
const { isCryptoKey } = require('web/crypto/key');
const { failure } = require('web/crypto/problems');

const FORMATS = ['raw', 'raw-public', 'raw-seed', 'raw-secret', 'raw-private', 'pkcs8', 'spki', 'jwk'];
const USAGES = [
  'encrypt',
  'decrypt',
  'sign',
  'verify',
  'deriveKey',
  'deriveBits',
  'wrapKey',
  'unwrapKey',
  'encapsulateKey',
  'encapsulateBits',
  'decapsulateKey',
  'decapsulateBits',
];
const ORDINALS = ['1st', '2nd', '3rd', '4th', '5th', '6th', '7th'];

const wrong = (message, code = 'ERR_INVALID_ARG_TYPE') => ObjectAssign(new TypeError(message), { code });

/** Converts the arguments of one call, in order. */
class Arguments {
  #prefix;
  #index = 0;

  constructor(method, count, required) {
    this.#prefix = `Failed to execute '${method}' on 'SubtleCrypto'`;
    if (count < required) {
      const present = count === 0 ? 'none' : count;
      const words = `${required} argument${required === 1 ? '' : 's'} required, but only ${count} present.`;
      throw wrong(`${this.#prefix}: ${words}`, present === undefined ? undefined : 'ERR_MISSING_ARGS');
    }
  }
  #context() {
    return `${this.#prefix}: ${ORDINALS[this.#index++]} argument`;
  }
  algorithm(value) {
    const context = this.#context();
    if (typeof value === 'object' && value !== null) return value;
    if (typeof value === 'function') return value;
    return text(value, context);
  }
  text(value) {
    return text(value, this.#context());
  }
  key(value) {
    const context = this.#context();
    if (!isCryptoKey(value)) throw wrong(`${context} is not of type CryptoKey.`);
    return value;
  }
  /** Returns bytes that the method must copy (`copyBytes`) after it has read its other arguments. */
  bytes(value) {
    checkBytes(value, this.#context());
    return value;
  }
  flag(value) {
    this.#index++;
    return Boolean(value);
  }
  format(value) {
    return oneOf(value, this.#context(), 'KeyFormat', FORMATS);
  }
  usages(value) {
    const context = this.#context();
    if (typeof value !== 'object' || value === null || typeof value[Symbol.iterator] !== 'function') {
      throw wrong(`${context} cannot be converted to sequence.`);
    }
    let index = 0;
    return ArrayFrom(intact(value), (each) => oneOf(each, `${context}[${index++}]`, 'KeyUsage', USAGES));
  }
  jwk(value) {
    const context = this.#context();
    if (typeof value !== 'object' && typeof value !== 'function' && value !== undefined)
      throw wrong(`${context} cannot be converted to a dictionary`);
    return { ...value };
  }
  length(value) {
    return integer(value, this.#context(), 2 ** 32 - 1);
  }
}

function text(value, context) {
  if (typeof value === 'symbol') throw wrong(`${context} is a Symbol and cannot be converted to a string.`);
  return `${value}`;
}

function oneOf(value, context, type, values) {
  const result = text(value, context);
  if (!ArrayIncludes(values, result))
    throw wrong(`${context} '${result}' is not a valid enum value of type ${type}.`, 'ERR_INVALID_ARG_VALUE');
  return result;
}

function checkBytes(value, context) {
  const buffer = isView(value) ? value.buffer : value;
  if (!isAnyArrayBuffer(buffer)) throw wrong(`${context} is not instance of ArrayBuffer, Buffer, TypedArray, or DataView.`);
  if (isSharedArrayBuffer(buffer)) throw wrong(`${context} is a view on a SharedArrayBuffer, which is not allowed.`);
}

/** "A copy of the bytes held by" a buffer or a view, which is empty if the buffer was transferred meanwhile. */
const copyBytes = (value) => TypedArraySlice(/** @type {Uint8Array} */ (bytesOf(value)));

function bytes(value, context) {
  checkBytes(value, context);
  return copyBytes(value);
}

/** Returns an integer from 0 to `most`. */
function integer(value, context, most) {
  const number = MathTrunc(Number(value));
  if (!NumberIsFinite(number)) throw wrong(`${context} is not a finite number.`);
  if (number < 0 || number > most) throw wrong(`${context} is outside the expected range of 0 to ${most}.`, 'ERR_OUT_OF_RANGE');
  return number + 0;
}

module.exports = { Arguments, USAGES, wrong, text, bytes, copyBytes, integer, failure };
