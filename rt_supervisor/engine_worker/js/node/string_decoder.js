// @ts-check
'use strict';
// Owns: StringDecoder: decodes chunks of bytes and joins characters that are split between chunks.

const { AnySlice } = require('internal/any_kind');
const { ArrayBufferIsView, ObjectDefineProperties, ObjectDefineProperty, TypedArraySet } = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { encodingOf, normalizeEncoding } = require('internal/encodings');
const { decode } = require('internal/utf8');

const EMPTY = new Uint8Array(0);
const LONGEST_REST = 4;

/**
 * The number of bytes of an incomplete character at the end. The length of a character follows from its first byte alone, as
 * in Node: bytes that cannot become a valid character are held back too.
 */
function incompleteLength(bytes) {
  for (let count = 1; count <= LONGEST_REST && count <= bytes.length; count++) {
    const byte = bytes[bytes.length - count];
    if ((byte & 0xc0) === 0x80) continue;
    const total = (byte & 0xe0) === 0xc0 ? 2 : (byte & 0xf0) === 0xe0 ? 3 : (byte & 0xf8) === 0xf0 ? 4 : 0;
    return count < total ? count : 0;
  }
  return 0;
}

/** The number of bytes at the end of a chunk that must wait for the next one. */
const restLengths = {
  __proto__: null,
  utf8: incompleteLength,
  utf16le(bytes, waited) {
    // If half of a surrogate pair is already buffered, one more byte waits too.
    if (bytes.length === 3 && waited === 2) return 3;
    if (bytes.length % 2 === 1) return 1;
    return bytes.length >= 2 && (bytes[bytes.length - 1] & 0xfc) === 0xd8 ? 2 : 0;
  },
  base64: (bytes) => bytes.length % 3,
  base64url: (bytes) => bytes.length % 3,
};

function StringDecoder(encoding) {
  this.encoding = normalizeEncoding(encoding);
  if (this.encoding === undefined) throw new codes.ERR_UNKNOWN_ENCODING(encoding);
  ObjectDefineProperty(this, 'rest', { __proto__: null, value: EMPTY, writable: true, configurable: true, enumerable: false });
}

StringDecoder.prototype.write = function write(chunk) {
  if (this?.encoding === undefined) throw new codes.ERR_INVALID_THIS('StringDecoder');
  if (typeof chunk === 'string') return chunk;
  if (!ArrayBufferIsView(chunk)) throw new codes.ERR_INVALID_ARG_TYPE('buf', ['Buffer', 'TypedArray', 'DataView'], chunk);
  let bytes = new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  const restLength = restLengths[this.encoding];
  if (restLength === undefined) return encodingOf(this.encoding).text(bytes, 0, bytes.length);
  if (this.rest.length > 0) {
    const joined = new Uint8Array(this.rest.length + bytes.length);
    TypedArraySet(joined, this.rest);
    TypedArraySet(joined, bytes, this.rest.length);
    bytes = joined;
  }
  const rest = restLength(bytes, this.rest.length);
  const end = bytes.length - rest;
  this.rest = rest === 0 ? EMPTY : AnySlice(bytes, end);
  return this.encoding === 'utf8' ? decode(bytes, 0, end) : encodingOf(this.encoding).text(bytes, 0, end);
};

StringDecoder.prototype.end = function end(chunk) {
  let text = chunk === undefined ? '' : this.write(chunk);
  const { rest } = this;
  this.rest = EMPTY;
  if (rest.length > 0) text += this.encoding === 'utf8' ? decode(rest) : encodingOf(this.encoding).text(rest, 0, rest.length);
  return text;
};

StringDecoder.prototype.text = function text(chunk, offset) {
  this.rest = EMPTY;
  return this.write(chunk.subarray(offset));
};

/** The bytes of a split character that have arrived and that it needs; streams and older packages read them. */
ObjectDefineProperties(StringDecoder.prototype, {
  lastChar: {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() {
      const bytes = require('node/buffer/buffer').Buffer.alloc(LONGEST_REST);
      TypedArraySet(bytes, this.rest);
      return bytes;
    },
  },
  lastNeed: {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() {
      return this.rest.length === 0 ? 0 : this.lastTotal - this.rest.length;
    },
  },
  lastTotal: {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() {
      if (this.rest.length === 0) return 0;
      if (this.encoding === 'utf8') return this.rest[0] >= 0xf0 ? 4 : this.rest[0] >= 0xe0 ? 3 : 2;
      if (this.encoding === 'utf16le') return this.rest.length >= 2 ? 4 : 2;
      return 3;
    },
  },
});

module.exports = { StringDecoder };
