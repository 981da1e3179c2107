// @ts-check
'use strict';
// Owns: filling a buffer with numbers, strings and other buffers, and swapping the bytes of its words.

const { AnySubarray } = require('internal/any_kind');
const { ArrayBufferIsView, MathMin, TypedArrayCopyWithin, TypedArrayFill, TypedArraySet } = require('internal/primordials');
const { codes } = require('internal/errors/errors');
const { validateInteger, validateString } = require('internal/validators');
const { encodingOf } = require('internal/encodings');

function swap(buffer, size) {
  if (buffer.length % size !== 0) throw new codes.ERR_INVALID_BUFFER_SIZE(`${size * 8}-bits`);
  for (let start = 0; start < buffer.length; start += size) {
    for (let low = start, high = start + size - 1; low < high; low++, high--) {
      const byte = buffer[low];
      buffer[low] = buffer[high];
      buffer[high] = byte;
    }
  }
  return buffer;
}

const makeFill = (fromString, maxLength) =>
  function fillBuffer(buffer, value, offset, end, encoding) {
    if (typeof value === 'string') {
      if (offset === undefined || typeof offset === 'string') {
        encoding = offset;
        offset = undefined;
      } else if (typeof end === 'string') {
        encoding = end;
        end = buffer.length;
      }
      if (encodingOf(encoding) === undefined) {
        validateString(encoding, 'encoding');
        throw new codes.ERR_UNKNOWN_ENCODING(encoding);
      }
      if (value.length === 0) value = 0;
    }
    if (offset === undefined) {
      offset = 0;
      end = buffer.length;
    } else {
      validateInteger(offset, 'offset', 0, maxLength);
      if (end === undefined) end = buffer.length;
      else validateInteger(end, 'end', 0, buffer.length);
      if (offset >= end) return buffer;
    }
    if (typeof value === 'string') {
      fillWith(buffer, fromString(value, encoding), value, offset, end);
    } else if (ArrayBufferIsView(value)) {
      fillWith(buffer, new Uint8Array(value.buffer, value.byteOffset, value.byteLength), value, offset, end);
    } else {
      TypedArrayFill(buffer, (typeof value === 'boolean' ? +value : Number(value) || 0) & 255, offset, end);
    }
    return buffer;
  };

function fillWith(buffer, pattern, value, offset, end) {
  if (pattern.length === 0) throw new codes.ERR_INVALID_ARG_VALUE('value', value);
  if (pattern.length === 1) {
    TypedArrayFill(buffer, pattern[0], offset, end);
    return;
  }
  if (end - offset <= pattern.length) {
    TypedArraySet(buffer, AnySubarray(pattern, 0, end - offset), offset);
    return;
  }
  TypedArraySet(buffer, pattern, offset);
  // The filled part, a whole number of patterns, is copied behind itself: it doubles each time.
  for (let filled = pattern.length; filled < end - offset; filled *= 2) {
    TypedArrayCopyWithin(buffer, offset + filled, offset, offset + MathMin(filled, end - offset - filled));
  }
}

module.exports = { makeFill, swap };
