// @ts-check
'use strict';
// Owns: base64 and base64url encoding and decoding, strict (atob) and lenient (Buffer), and the globals atob and btoa.

const { MathFloor, StringCharCodeAt, StringSlice, TypedArrayFill } = require('internal/primordials');

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const URL_ALPHABET = `${StringSlice(ALPHABET, 0, 62)}-_`;
const SKIP = 64;

// Both alphabets share one decoding table; other characters are skipped.
const values = TypedArrayFill(new Uint8Array(128), SKIP);
for (let i = 0; i < 64; i++) values[StringCharCodeAt(ALPHABET, i)] = values[StringCharCodeAt(URL_ALPHABET, i)] = i;

function encode(bytes, start, end, isUrl) {
  const alphabet = isUrl ? URL_ALPHABET : ALPHABET;
  let text = '';
  let i = start;
  for (; i + 2 < end; i += 3) {
    const three = (bytes[i] << 16) | (bytes[i + 1] << 8) | bytes[i + 2];
    text += alphabet[three >> 18] + alphabet[(three >> 12) & 63] + alphabet[(three >> 6) & 63] + alphabet[three & 63];
  }
  if (i + 1 === end) {
    text += alphabet[bytes[i] >> 2] + alphabet[(bytes[i] & 3) << 4] + (isUrl ? '' : '==');
  } else if (i + 2 === end) {
    const two = (bytes[i] << 8) | bytes[i + 1];
    text += alphabet[two >> 10] + alphabet[(two >> 4) & 63] + alphabet[(two & 15) << 2] + (isUrl ? '' : '=');
  }
  return text;
}

/** Returns the maximum decoded length of the text: the size that a Buffer of it allocates. */
function decodedLength(text) {
  let length = text.length;
  if (length > 0 && text[length - 1] === '=') length--;
  if (length > 1 && text[length - 1] === '=') length--;
  return MathFloor((length * 3) / 4);
}

/**
 * Decodes into bytes[offset, end) up to the first '=', skipping characters outside the alphabet. Returns the number of bytes
 * written.
 */
function decodeInto(text, bytes, offset, end) {
  let at = offset;
  let bits = 0;
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const code = StringCharCodeAt(text, i) & 0xff; // Node decodes the low byte of each UTF-16 unit
    if (code === 61) break;
    const value = code < 128 ? values[code] : SKIP;
    if (value === SKIP) continue;
    bits = (bits << 6) | value;
    count += 6;
    if (count >= 8) {
      if (at >= end) break;
      count -= 8;
      bytes[at++] = (bits >> count) & 0xff;
    }
  }
  return at - offset;
}

const invalidCharacter = (message) => new (require('internal/dom_exception').DOMException)(message, 'InvalidCharacterError');

function atob(input) {
  if (arguments.length === 0) throw new (require('internal/errors/errors').codes.ERR_MISSING_ARGS)('input');
  const decoded = host.native.fromBase64(`${input}`);
  if (typeof decoded === 'string') return decoded;
  throw invalidCharacter(decoded === false ? 'Invalid character' : 'The string to be decoded is not correctly encoded.');
}

function btoa(input) {
  if (arguments.length === 0) throw new (require('internal/errors/errors').codes.ERR_MISSING_ARGS)('input');
  const encoded = host.native.toBase64(`${input}`);
  if (encoded === undefined) throw invalidCharacter('Invalid character');
  return encoded;
}

module.exports = { encode, decodedLength, decodeInto, atob, btoa };
