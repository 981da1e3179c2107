'use strict';
// Owns: the methods of buffers: copying, comparing, searching, filling, conversion from and to strings. Numbers are in
// node/buffer/numbers.js, searching in node/buffer/search.js.

const {
  ArrayBufferIsView,
  ArrayFrom,
  MathFloor,
  MathMax,
  MathMin,
  MathTrunc,
  NumberIsNaN,
  TypedArraySet,
  TypedArraySubarray,
  intact,
} = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { validateInteger } = require('internal/validators');
const { encodingOf } = require('internal/encodings');
const { compareBytes, indexOf } = require('node/buffer/search');
const { swap } = require('node/buffer/fill');
const { isUint8Array } = require('internal/brands');
const { FastBuffer, requireBytes, requireEncoding } = require('node/buffer/memory');

const integerOr = (value, fallback) => {
  value = +value;
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? MathFloor(value) : fallback;
};

const methods = {
  __proto__: null, // otherwise a frozen Object.prototype would prevent own properties of these names
  copy(target, targetStart, sourceStart, sourceEnd) {
    if (!isUint8Array(this)) throw new codes.ERR_INVALID_ARG_TYPE('source', ['Buffer', 'Uint8Array'], this);
    if (!ArrayBufferIsView(target)) throw new codes.ERR_INVALID_ARG_TYPE('target', ['Buffer', 'Uint8Array'], target);
    const bytes = isUint8Array(target) ? target : new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
    targetStart = targetStart === undefined ? 0 : integerOr(targetStart, 0);
    if (targetStart < 0) throw new codes.ERR_OUT_OF_RANGE('targetStart', '>= 0', targetStart);
    sourceStart = sourceStart === undefined ? 0 : integerOr(sourceStart, 0);
    if (sourceStart < 0 || sourceStart > this.length) {
      throw new codes.ERR_OUT_OF_RANGE('sourceStart', `>= 0 && <= ${this.length}`, sourceStart);
    }
    sourceEnd = sourceEnd === undefined ? this.length : integerOr(sourceEnd, 0);
    if (sourceEnd < 0) throw new codes.ERR_OUT_OF_RANGE('sourceEnd', '>= 0', sourceEnd);
    if (targetStart >= bytes.length || sourceStart >= sourceEnd) return 0;
    const count = MathMin(sourceEnd - sourceStart, bytes.length - targetStart, this.length - sourceStart);
    TypedArraySet(bytes, this.subarray(sourceStart, sourceStart + count), targetStart);
    return count;
  },

  toString(encoding, start, end) {
    if (arguments.length === 0) return encodingOf().text(this, 0, this.length);
    const { length } = this;
    if (start <= 0) start = 0;
    else if (start >= length) return '';
    else start = MathTrunc(start) || 0;
    if (end === undefined || end > length) end = length;
    else end = MathTrunc(end) || 0;
    if (end <= start) return '';
    return (encoding === undefined ? encodingOf() : requireEncoding(`${encoding}`)).text(this, start, end);
  },

  equals(other) {
    requireBytes(other, 'otherBuffer');
    return this === other || (this.byteLength === other.byteLength && compareBytes(this, other) === 0);
  },

  compare(target, targetStart, targetEnd, sourceStart, sourceEnd) {
    requireBytes(target, 'target');
    if (arguments.length === 1) return compareBytes(this, target);
    const bound = (value, name, fallback, most) => {
      if (value === undefined) return fallback;
      validateInteger(value, name, 0, most);
      return value;
    };
    targetStart = bound(targetStart, 'targetStart', 0);
    targetEnd = bound(targetEnd, 'targetEnd', target.length, target.length);
    sourceStart = bound(sourceStart, 'sourceStart', 0);
    sourceEnd = bound(sourceEnd, 'sourceEnd', this.length, this.length);
    if (sourceStart >= sourceEnd) return targetStart >= targetEnd ? 0 : -1;
    if (targetStart >= targetEnd) return 1;
    return compareBytes(TypedArraySubarray(this, sourceStart, sourceEnd), TypedArraySubarray(target, targetStart, targetEnd));
  },

  indexOf: function (value, byteOffset, encoding) {
    return indexOf(this, value, byteOffset, encoding, true);
  },

  lastIndexOf: function (value, byteOffset, encoding) {
    return indexOf(this, value, byteOffset, encoding, false);
  },

  includes: function (value, byteOffset, encoding) {
    return indexOf(this, value, byteOffset, encoding, true) !== -1;
  },

  write(text, offset, length, encoding) {
    if (typeof text !== 'string') throw new codes.ERR_INVALID_ARG_TYPE('argument', 'string', text);
    if (offset === undefined) return encodingOf().write(text, this, 0, this.length);
    if (length === undefined && typeof offset === 'string') {
      encoding = offset;
      offset = 0;
      length = this.length;
    } else {
      validateInteger(offset, 'offset', 0, this.length);
      const rest = this.length - offset;
      if (length === undefined) {
        length = rest;
      } else if (typeof length === 'string') {
        encoding = length;
        length = rest;
      } else {
        validateInteger(length, 'length', 0, this.length);
        if (length > rest) length = rest;
      }
    }
    return (encoding ? requireEncoding(encoding) : encodingOf()).write(text, this, offset, offset + length);
  },

  toJSON() {
    return { type: 'Buffer', data: ArrayFrom(intact(this)) };
  },

  subarray(start, end) {
    const { length } = this;
    const clamp = (value) => {
      value = MathTrunc(value);
      if (NumberIsNaN(value) || value === 0) return 0;
      return value < 0 ? MathMax(0, value + length) : MathMin(value, length);
    };
    start = start === undefined ? 0 : clamp(start);
    end = end === undefined ? length : clamp(end);
    return new FastBuffer(this.buffer, this.byteOffset + start, end > start ? end - start : 0);
  },

  swap16() {
    return swap(this, 2);
  },
  swap32() {
    return swap(this, 4);
  },
  swap64() {
    return swap(this, 8);
  },
};
methods.slice = function slice(start, end) {
  return TypedArraySubarray(this, start, end);
};
methods.toLocaleString = methods.toString;

/** The methods named after an encoding: utf8Slice, hexWrite …. */
for (const name of intact(['ascii', 'base64', 'base64url', 'latin1', 'hex', 'ucs2', 'utf8'])) {
  const ops = encodingOf(name);
  methods[`${name}Slice`] = function (start = 0, end = this.length) {
    return ops.text(this, start, MathMin(end, this.length));
  };
  methods[`${name}Write`] = function (text, offset = 0, length = this.length - offset) {
    if (typeof text !== 'string') throw new codes.ERR_INVALID_ARG_TYPE('argument', 'string', text);
    if (!(offset >= 0 && offset <= this.length)) throw new codes.ERR_BUFFER_OUT_OF_BOUNDS('offset');
    if (!(length >= 0 && length <= this.length - offset)) throw new codes.ERR_BUFFER_OUT_OF_BOUNDS('length');
    return ops.write(text, this, offset, offset + length);
  };
}

module.exports = { methods };
