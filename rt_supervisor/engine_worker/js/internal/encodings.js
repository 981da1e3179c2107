// @ts-check
'use strict';
// Owns: Buffer's encodings: their names and, for each, the byte length of a string, and writing and reading one.

const { AnySubarray } = require('internal/any_kind');
const utf8 = require('internal/utf8');
const base64 = require('internal/base64');
const {
  ArrayFrom,
  ArrayPush,
  MathCeil,
  MathMin,
  NumberToString,
  ReflectApply,
  StringCharCodeAt,
  StringFromCharCode,
  StringPadStart,
  StringToLowerCase,
  TypedArrayMap,
  TypedArraySubarray,
} = require('internal/primordials');

const CHUNK = 4096;
const LONG = 16; // below this length a call into the host costs more than the loop
// The numbers of the encodings for host.textOf.
const LATIN1 = 0;
const ASCII = 1;
const HEXADECIMAL = 2;
const BASE64 = 3;
const BASE64URL = 4;
const UTF16LE = 5;
const NAMES = {
  __proto__: null,
  utf8: 'utf8',
  'utf-8': 'utf8',
  ucs2: 'utf16le',
  'ucs-2': 'utf16le',
  utf16le: 'utf16le',
  'utf-16le': 'utf16le',
  latin1: 'latin1',
  binary: 'latin1',
  ascii: 'ascii',
  hex: 'hex',
  base64: 'base64',
  base64url: 'base64url',
};

/** Returns the canonical name, or undefined for an unknown encoding; undefined, null and '' mean utf8. */
function normalizeEncoding(encoding) {
  if (encoding == null || encoding === '') return 'utf8';
  return NAMES[encoding] ?? NAMES[StringToLowerCase(`${encoding}`)];
}

/**
 * Returns a function that decodes bytes[start, end). It throws if the result exceeds the maximum string length, and delegates
 * long ranges to the host. `textLength(count)` is the length of the string for `count` bytes.
 */
const reader = (number, textLength, read) => (bytes, start, end) => {
  const count = end - start;
  if (!(count > LONG)) return read(bytes, start, end);
  if (textLength(count) > utf8.MAX_STRING_LENGTH) throw utf8.tooLong();
  if (host.textOf === undefined) return read(bytes, start, end);
  return host.textOf(start === 0 && end === bytes.length ? bytes : TypedArraySubarray(bytes, start, end), number);
};

/**
 * Returns a function that writes a string to bytes[offset, end) and delegates long strings to the host. It returns the number
 * of bytes written.
 */
const writer = (number, write) => (text, bytes, offset, end) =>
  text.length > LONG && host.writeText !== undefined
    ? host.writeText(text, bytes, offset, end, number)
    : write(text, bytes, offset, end);

const same = (count) => count;

/** `mask` is 0x7f for ascii, which clears the highest bit, and 0xff for latin1. */
function singleByteText(bytes, start, end, mask) {
  let text = '';
  for (let i = start; i < end; i += CHUNK) {
    const part = AnySubarray(bytes, i, MathMin(i + CHUNK, end));
    text += ReflectApply(StringFromCharCode, null, mask === 0xff ? part : TypedArrayMap(part, (byte) => byte & mask));
  }
  return text;
}

const latin1Text = reader(LATIN1, same, (bytes, start, end) => singleByteText(bytes, start, end, 0xff));

const writeLatin1 = writer(LATIN1, (text, bytes, offset, end) => {
  const count = MathMin(text.length, end - offset);
  for (let i = 0; i < count; i++) bytes[offset + i] = StringCharCodeAt(text, i);
  return count;
});

const HEX = ArrayFrom({ length: 256 }, (_, byte) => StringPadStart(NumberToString(byte, 16), 2, '0'));

const hexValue = (code) => {
  if (code >= 48 && code <= 57) return code - 48;
  if (code >= 97 && code <= 102) return code - 87;
  if (code >= 65 && code <= 70) return code - 55;
  return -1;
};

const writeBase64 = writer(BASE64, base64.decodeInto);

const encodings = {
  __proto__: null,
  utf8: {
    byteLength: utf8.byteLength,
    write: (text, bytes, offset, end) => utf8.encodeInto(text, bytes, offset, end).written,
    text: utf8.decode,
  },
  utf16le: {
    byteLength: (text) => text.length * 2,
    write: writer(UTF16LE, (text, bytes, offset, end) => {
      const count = MathMin(text.length, (end - offset) >> 1);
      for (let i = 0; i < count; i++) {
        const unit = StringCharCodeAt(text, i);
        bytes[offset + 2 * i] = unit;
        bytes[offset + 2 * i + 1] = unit >> 8;
      }
      return count * 2;
    }),
    text: reader(
      UTF16LE,
      (count) => count >> 1,
      (bytes, start, end) => {
        let text = '';
        const last = start + ((end - start) & ~1);
        for (let i = start; i < last; i += 2 * CHUNK) {
          const units = [];
          const stop = MathMin(i + 2 * CHUNK, last);
          for (let j = i; j < stop; j += 2) ArrayPush(units, bytes[j] | (bytes[j + 1] << 8));
          text += ReflectApply(StringFromCharCode, null, units);
        }
        return text;
      },
    ),
  },
  latin1: { byteLength: (text) => text.length, write: writeLatin1, text: latin1Text },
  ascii: {
    byteLength: (text) => text.length,
    write: writeLatin1,
    text: reader(ASCII, same, (bytes, start, end) => singleByteText(bytes, start, end, 0x7f)),
  },
  hex: {
    byteLength: (text) => text.length >>> 1,
    write: writer(HEXADECIMAL, (text, bytes, offset, end) => {
      const count = MathMin(text.length >>> 1, end - offset);
      for (let i = 0; i < count; i++) {
        const high = hexValue(StringCharCodeAt(text, 2 * i));
        const low = hexValue(StringCharCodeAt(text, 2 * i + 1));
        if (high < 0 || low < 0) return i;
        bytes[offset + i] = (high << 4) | low;
      }
      return count;
    }),
    text: reader(
      HEXADECIMAL,
      (count) => count * 2,
      (bytes, start, end) => {
        let text = '';
        for (let i = start; i < end; i++) text += HEX[bytes[i]];
        return text;
      },
    ),
  },
  base64: {
    byteLength: base64.decodedLength,
    write: writeBase64,
    text: reader(
      BASE64,
      (count) => MathCeil(count / 3) * 4,
      (bytes, start, end) => base64.encode(bytes, start, end, false),
    ),
  },
  base64url: {
    byteLength: base64.decodedLength,
    write: writeBase64,
    text: reader(
      BASE64URL,
      (count) => MathCeil((count * 4) / 3),
      (bytes, start, end) => base64.encode(bytes, start, end, true),
    ),
  },
};

/**
 * Returns the operations of an encoding: { byteLength(text), write(text, bytes, offset, end) -> bytes, text(bytes, start, end)
 * }.
 */
const encodingOf = (name) => encodings[normalizeEncoding(name)];

module.exports = { normalizeEncoding, encodingOf, latin1Text };
