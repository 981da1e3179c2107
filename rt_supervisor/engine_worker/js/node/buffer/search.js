// @ts-check
'use strict';
// Owns: comparing byte arrays and searching them for bytes, strings and buffers, with Node's rules for offsets.

const { FunctionCall, MathMin, MathTrunc, NumberIsNaN, TypedArraySubarray } = require('internal/primordials');
const { isUint8Array } = require('internal/brands');
const { codes } = require('internal/errors/errors');
const { validateBuffer } = require('internal/validators');
const { encodingOf, normalizeEncoding } = require('internal/encodings');

const LARGEST_OFFSET = 0x7fffffff;
const LONG = 64; // below this, a host call costs more than the loop

function compareBytes(one, other) {
  const length = MathMin(one.length, other.length);
  if (length > LONG && host.compareBytes !== undefined) return host.compareBytes(one, other);
  for (let i = 0; i < length; i++) if (one[i] !== other[i]) return one[i] < other[i] ? -1 : 1;
  if (one.length === other.length) return 0;
  return one.length < other.length ? -1 : 1;
}

/** The index at which a search starts, or -1 if nothing can be found from `offset`. */
function startOf(length, offset, needleLength, isForward) {
  if (offset < 0) {
    if (offset + length >= 0) return length + offset;
    return isForward || needleLength === 0 ? 0 : -1;
  }
  if (offset + needleLength <= length) return offset;
  if (needleLength === 0) return length;
  return isForward ? -1 : length - 1;
}

function findNumber(buffer, value, offset, isForward) {
  const start = startOf(buffer.length, offset, 1, isForward);
  if (start <= -1 || buffer.length === 0) return -1;
  const { prototype } = Uint8Array;
  return isForward
    ? FunctionCall(prototype.indexOf, buffer, value, start)
    : FunctionCall(prototype.lastIndexOf, buffer, value, start);
}

/** `step` is 2 for UTF-16, whose code units are at even offsets. */
function findBytes(buffer, needle, offset, isForward, step) {
  const start = startOf(buffer.length, offset, needle.length, isForward);
  if (needle.length === 0) return step === 2 && offset >= buffer.length ? start & ~1 : start;
  if (buffer.length === 0 || start <= -1 || (isForward && needle.length + start > buffer.length) || needle.length > buffer.length)
    return -1;
  if (step === 2 && (buffer.length < 2 || needle.length < 2)) return -1;
  if (step === 1 && buffer.length > LONG && host.findBytes !== undefined) return host.findBytes(buffer, needle, start, isForward);
  const last = buffer.length - needle.length;
  const first = step === 2 ? start & ~1 : start;
  for (
    let i = isForward ? first : MathMin(first, step === 2 ? last & ~1 : last);
    i >= 0 && i <= last;
    i += isForward ? step : -step
  ) {
    let matched = 0;
    while (matched < needle.length && buffer[i + matched] === needle[matched]) matched++;
    if (matched === needle.length) return i;
  }
  return -1;
}

function indexOf(buffer, value, byteOffset, encoding, isForward) {
  validateBuffer(buffer);
  if (typeof byteOffset === 'string') {
    encoding = byteOffset;
    byteOffset = undefined;
  } else if (byteOffset > LARGEST_OFFSET) {
    byteOffset = LARGEST_OFFSET;
  } else if (byteOffset < -LARGEST_OFFSET - 1) {
    byteOffset = -LARGEST_OFFSET - 1;
  }
  byteOffset = +byteOffset;
  if (NumberIsNaN(byteOffset)) byteOffset = isForward ? 0 : buffer.length;
  byteOffset = MathTrunc(byteOffset);
  if (typeof value === 'number') return findNumber(buffer, (value >>> 0) & 255, byteOffset, isForward);
  if (typeof value === 'string') {
    const ops = encodingOf(encoding);
    if (ops === undefined) throw new codes.ERR_UNKNOWN_ENCODING(encoding);
    const bytes = new Uint8Array(ops.byteLength(value));
    const needle = TypedArraySubarray(bytes, 0, ops.write(value, bytes, 0, bytes.length));
    return findBytes(buffer, needle, byteOffset, isForward, normalizeEncoding(encoding) === 'utf16le' ? 2 : 1);
  }
  if (isUint8Array(value)) {
    return findBytes(buffer, value, byteOffset, isForward, normalizeEncoding(encoding) === 'utf16le' ? 2 : 1);
  }
  throw new codes.ERR_INVALID_ARG_TYPE('value', ['number', 'string', 'Buffer', 'Uint8Array'], value);
}

module.exports = { compareBytes, indexOf };
