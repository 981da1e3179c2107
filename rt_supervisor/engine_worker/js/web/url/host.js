// @ts-check
'use strict';
// Owns: parsing of URL hosts: domains, IPv4 in all its notations, IPv6, opaque hosts. Results are the serialized host, or null.

const { AnyAt, AnySlice, AnyToString } = require('internal/any_kind');
const {
  ArrayAt,
  ArrayJoin,
  ArrayMap,
  ArrayPop,
  ArrayPush,
  ArraySlice,
  ArraySome,
  MathFloor,
  RegExpExec,
  RegExpTest,
  StringCharCodeAt,
  StringIncludes,
  StringSlice,
  StringSplit,
  Uint8ArrayFrom,
  intact,
} = require('internal/primordials');
const { C0, percentDecode, percentEncode } = require('web/url/percent');
const idna = require('web/url/idna');

const FORBIDDEN_HOST = /[\0\t\n\r #/:<>?@[\\\]^|]/;
const FORBIDDEN_DOMAIN = /[\0-\x20#%/:<>?@[\\\]^|\x7f]/;
const LAST_IS_NUMBER = /(?:^|\.)(?:\d+|0[xX][0-9a-fA-F]*)\.?$/;

// a-z, 0-9 and the hyphen
const PLAIN = Uint8ArrayFrom({ length: 128 }, (_, code) =>
  (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 45 ? 1 : 0,
);

/** Returns whether a domain is already in parsed form: lower case, ASCII, not an IPv4 address, without encoding. Most are. */
function isPlainDomain(text) {
  let first = 0; // the first character of the last label so far
  let hasHyphen = false;
  for (let at = 0; at < text.length; at++) {
    const code = StringCharCodeAt(text, at);
    if (code === 46) first = 0;
    else if (code < 128 && PLAIN[code] === 1) {
      if (first === 0) first = code;
      if (code === 45) hasHyphen = true;
    } else return false;
  }
  return first >= 97 && !(hasHyphen && StringIncludes(text, 'xn--'));
}

const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const PLAIN_IPV4 = new RegExp(`^(?:${OCTET}\\.){3}${OCTET}$`);

/** Returns whether the host of a special URL is already in parsed form: a plain domain, or four decimal octets. */
const isPlainHost = (text) => isPlainDomain(text) || RegExpTest(PLAIN_IPV4, text);

function parseHost(input, isSpecial) {
  if (input[0] === '[') {
    if (AnyAt(input, -1) !== ']') return null;
    const pieces = parseIPv6(AnySlice(input, 1, -1));
    return pieces === null ? null : `[${serializeIPv6(pieces)}]`;
  }
  if (isSpecial && isPlainHost(input)) return input;
  if (!isSpecial) return RegExpTest(FORBIDDEN_HOST, input) ? null : percentEncode(input, C0);
  const domain = idna.toASCII(percentDecode(input));
  if (domain === null || domain === '' || RegExpTest(FORBIDDEN_DOMAIN, domain)) return null;
  if (!RegExpTest(LAST_IS_NUMBER, domain)) return domain;
  const address = parseIPv4(domain);
  return address === null ? null : serializeIPv4(address);
}

function parseIPv4(domain) {
  const parts = StringSplit(domain, '.');
  if (ArrayAt(parts, -1) === '' && parts.length > 1) ArrayPop(parts);
  if (parts.length > 4) return null;
  const numbers = [];
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index];
    const number = parseIPv4Number(part);
    if (number === null) return null;
    ArrayPush(numbers, number);
  }
  const last = ArrayPop(numbers);
  if (ArraySome(numbers, (number) => number > 255) || last >= 256 ** (4 - numbers.length)) return null;
  let address = last;
  for (let index = 0; index < numbers.length; index++) address += numbers[index] * 256 ** (3 - index);
  return address;
}

function parseIPv4Number(text) {
  if (text === '') return null;
  let radix = 10;
  if (RegExpTest(/^0[xX]/, text)) {
    radix = 16;
    text = StringSlice(text, 2);
  } else if (text.length > 1 && text[0] === '0') {
    radix = 8;
    text = StringSlice(text, 1);
  }
  if (text === '') return 0;
  const digits = radix === 10 ? /^\d+$/ : radix === 16 ? /^[0-9a-fA-F]+$/ : /^[0-7]+$/;
  return RegExpTest(digits, text) ? parseInt(text, radix) : null;
}

const serializeIPv4 = (address) =>
  ArrayJoin(
    ArrayMap([24, 16, 8, 0], (shift) => MathFloor(address / 2 ** shift) % 256),
    '.',
  );

/** Returns eight 16-bit pieces, or null. */
function parseIPv6(text) {
  const halves = StringSplit(text, '::');
  if (halves.length > 2) return null;
  const head = parsePieces(halves[0], halves.length === 1);
  const tail = halves.length === 2 ? parsePieces(halves[1], true) : [];
  if (head === null || tail === null) return null;
  const count = head.length + tail.length;
  if (halves.length === 1) return count === 8 ? head : null;
  return count > 7 ? null : [...intact(head), ...intact(Array(8 - count).fill(0)), ...intact(tail)];
}

function parsePieces(text, mayEndInIPv4) {
  if (text === '') return [];
  const pieces = [];
  const parts = StringSplit(text, ':');
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i];
    if (i === parts.length - 1 && mayEndInIPv4 && StringIncludes(part, '.')) {
      const match = RegExpExec(/^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/, part);
      if (match === null) return null;
      const bytes = ArrayMap(ArraySlice(match, 1), Number);
      if (
        ArraySome(bytes, (byte) => byte > 255) ||
        ArraySome(ArraySlice(match, 1), (digits) => digits.length > 1 && digits[0] === '0')
      )
        return null;
      ArrayPush(pieces, bytes[0] * 256 + bytes[1], bytes[2] * 256 + bytes[3]);
    } else if (RegExpTest(/^[0-9a-fA-F]{1,4}$/, part)) {
      ArrayPush(pieces, parseInt(part, 16));
    } else {
      return null;
    }
  }
  return pieces;
}

function serializeIPv6(pieces) {
  // Compresses the longest run of at least two zeros, the first one of equal length.
  let best = { start: -1, length: 1 };
  for (let i = 0; i < 8; i++) {
    let length = 0;
    while (i + length < 8 && pieces[i + length] === 0) length++;
    if (length > best.length) best = { start: i, length };
    if (length > 0) i += length - 1;
  }
  const hex = (part) =>
    ArrayJoin(
      ArrayMap(part, (piece) => AnyToString(piece, 16)),
      ':',
    );
  if (best.start === -1) return hex(pieces);
  return `${hex(ArraySlice(pieces, 0, best.start))}::${hex(ArraySlice(pieces, best.start + best.length))}`;
}

module.exports = { isPlainHost, parseHost };
