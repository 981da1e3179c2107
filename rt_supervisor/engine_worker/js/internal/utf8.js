// @ts-check
'use strict';
// Owns: UTF-8 encoding and decoding of byte arrays. Uses the host's routines (host.utf8) for long input if present; the code
// here is complete without them. Invalid input becomes U+FFFD, one for each maximal subpart, as the
// Encoding standard requires.

const {
  ArrayPush,
  MathMin,
  ReflectApply,
  StringCharCodeAt,
  StringFromCharCode,
  StringIncludes,
  TypedArraySubarray,
} = require('internal/primordials');

// Below these lengths a call into the host costs more than the loop.
const LONG = 8;
const LONG_TEXT = 24;
const LONG_ENCODED = 64; // V8 allocates an array of this size with its object, which is faster than memory from the host
const CHUNK = 4096;
const MAX_STRING_LENGTH = 536870888;

function byteLength(text) {
  if (text.length > LONG_TEXT && host.utf8 !== undefined) return host.utf8.byteLength(text);
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = StringCharCodeAt(text, i);
    if (unit < 0x80) length += 1;
    else if (unit < 0x800) length += 2;
    else if (unit >= 0xd800 && unit < 0xdc00 && isLow(StringCharCodeAt(text, i + 1))) {
      length += 4;
      i++;
    } else length += 3;
  }
  return length;
}

const isLow = (unit) => unit >= 0xdc00 && unit < 0xe000;

const readUnits = new Uint32Array(1);

/** Writes whole characters while they fit. Returns { read: UTF-16 units, written: bytes }. */
function encodeInto(text, bytes, offset = 0, end = bytes.length) {
  if (text.length > LONG_TEXT && host.utf8 !== undefined) {
    const written = host.utf8.write(text, bytes, offset, end, readUnits);
    return { read: readUnits[0], written };
  }
  return encodeHere(text, bytes, offset, end);
}

function encodeHere(text, bytes, offset, end) {
  let at = offset;
  let i = 0;
  for (; i < text.length; i++) {
    let point = StringCharCodeAt(text, i);
    if (point < 0x80) {
      if (at >= end) break;
      bytes[at++] = point;
      continue;
    }
    if (point < 0x800) {
      if (at + 2 > end) break;
      bytes[at++] = 0xc0 | (point >> 6);
      bytes[at++] = 0x80 | (point & 0x3f);
      continue;
    }
    if (point >= 0xd800 && point < 0xe000) {
      const low = StringCharCodeAt(text, i + 1);
      if (point < 0xdc00 && isLow(low)) {
        if (at + 4 > end) break;
        point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00);
        bytes[at++] = 0xf0 | (point >> 18);
        bytes[at++] = 0x80 | ((point >> 12) & 0x3f);
        bytes[at++] = 0x80 | ((point >> 6) & 0x3f);
        bytes[at++] = 0x80 | (point & 0x3f);
        i++;
        continue;
      }
      point = 0xfffd;
    }
    if (at + 3 > end) break;
    bytes[at++] = 0xe0 | (point >> 12);
    bytes[at++] = 0x80 | ((point >> 6) & 0x3f);
    bytes[at++] = 0x80 | (point & 0x3f);
  }
  return { read: i, written: at - offset };
}

function encode(text) {
  if (text.length > LONG_ENCODED && host.utf8 !== undefined) return host.utf8.encode(text);
  const bytes = new Uint8Array(byteLength(text));
  encodeHere(text, bytes, 0, bytes.length);
  return bytes;
}

/**
 * Reads one character at `at`: { point, length, isCut }; point is -1 for `length` invalid bytes, isCut if the input ends within
 * a character.
 */
function readPoint(bytes, at, end) {
  const first = bytes[at];
  let need;
  let low = 0x80;
  let high = 0xbf;
  let point;
  if (first >= 0xc2 && first <= 0xdf) {
    need = 1;
    point = first & 0x1f;
  } else if (first >= 0xe0 && first <= 0xef) {
    need = 2;
    point = first & 0x0f;
    if (first === 0xe0) low = 0xa0;
    else if (first === 0xed) high = 0x9f;
  } else if (first >= 0xf0 && first <= 0xf4) {
    need = 3;
    point = first & 0x07;
    if (first === 0xf0) low = 0x90;
    else if (first === 0xf4) high = 0x8f;
  } else {
    return { point: -1, length: 1, isCut: false };
  }
  for (let i = 1; i <= need; i++) {
    if (at + i >= end) return { point: -1, length: i, isCut: true };
    const byte = bytes[at + i];
    if (byte < low || byte > high) return { point: -1, length: i, isCut: false };
    low = 0x80;
    high = 0xbf;
    point = (point << 6) | (byte & 0x3f);
  }
  return { point, length: need + 1, isCut: false };
}

function isAsciiChunk(bytes, start, end) {
  for (let i = start; i < end; i++) if (bytes[i] >= 0x80) return false;
  return true;
}

/**
 * Decodes bytes[start, end). `onInvalid` is called before each U+FFFD that replaces invalid input; it may throw.
 * @param {Uint8Array} bytes
 * @param {number} [start]
 * @param {number} [end]
 * @param {() => void} [onInvalid]
 */
function decode(bytes, start = 0, end = bytes.length, onInvalid = undefined) {
  if (end - start > LONG && host.utf8 !== undefined) {
    const text = decodeLong(bytes, start, end);
    // U+FFFD may also be in the input; only the loop below decides.
    if (onInvalid === undefined || !StringIncludes(text, '\ufffd')) return text;
  }
  let text = '';
  let at = start;
  while (at < end) {
    const limit = MathMin(at + CHUNK, end);
    if (isAsciiChunk(bytes, at, limit)) {
      text += ReflectApply(StringFromCharCode, null, TypedArraySubarray(bytes, at, limit));
      at = limit;
      continue;
    }
    const units = [];
    while (at < limit) {
      if (bytes[at] < 0x80) {
        ArrayPush(units, bytes[at++]);
        continue;
      }
      const { point, length } = readPoint(bytes, at, end);
      at += length;
      if (point === -1) {
        if (onInvalid !== undefined) onInvalid();
        ArrayPush(units, 0xfffd);
      } else if (point > 0xffff) {
        ArrayPush(units, 0xd800 + ((point - 0x10000) >> 10), 0xdc00 + ((point - 0x10000) & 0x3ff));
      } else {
        ArrayPush(units, point);
      }
    }
    text += ReflectApply(StringFromCharCode, null, units);
  }
  return text;
}

const tooLong = () => new (require('internal/errors/errors').codes.ERR_STRING_TOO_LONG)(MAX_STRING_LENGTH);

/** Decodes with the host. The text may be shorter than the bytes, so only the attempt shows whether it is too long. */
function decodeLong(bytes, start, end) {
  if (end - start <= MAX_STRING_LENGTH) return host.utf8.decode(bytes, start, end);
  try {
    return host.utf8.decode(bytes, start, end);
  } catch {
    throw tooLong();
  }
}

/** Decodes a complete body: without the byte order mark, by the host at any length. */
function bodyText(bytes) {
  const hasMark = bytes.length >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const rest = hasMark ? TypedArraySubarray(bytes, 3) : bytes;
  try {
    return host.native.decodeUtf8(rest);
  } catch (error) {
    throw bytes.length > MAX_STRING_LENGTH ? tooLong() : error;
  }
}

/** Returns how many bytes at the end begin an incomplete character: 0 to 3. */
function cutLength(bytes, start, end) {
  for (let back = 1; back <= 3 && end - back >= start; back++) {
    const byte = bytes[end - back];
    if ((byte & 0xc0) === 0x80) continue;
    if (byte < 0xc2) return 0;
    const { isCut, length } = readPoint(bytes, end - back, end);
    return isCut && length === back ? back : 0;
  }
  return 0;
}

module.exports = { MAX_STRING_LENGTH, tooLong, byteLength, encodeInto, encode, decode, bodyText, cutLength };
