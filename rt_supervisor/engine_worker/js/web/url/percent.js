// @ts-check
'use strict';
// Owns: percent-encoding and -decoding with the sets of the URL standard, and application/x-www-form-urlencoded.

const {
  ArrayFrom,
  ArrayPush,
  NumberToString,
  RegExpTest,
  StringCharCodeAt,
  StringFromCharCode,
  StringIncludes,
  StringIndexOf,
  StringSlice,
  StringSplit,
  StringToUpperCase,
  StringToWellFormed,
  TypedArraySubarray,
  Uint8ArrayFrom,
  intact,
} = require('internal/primordials');
const utf8 = require('internal/utf8');

const set = (characters, base) => {
  const table = base === undefined ? new Uint8Array(128) : Uint8ArrayFrom(intact(base));
  if (base === undefined) for (let i = 0; i < 128; i++) if (i < 0x20 || i === 0x7f) table[i] = 1;
  for (const character of intact(characters)) table[StringCharCodeAt(character, 0)] = 1;
  return table;
};

// 1 marks a character that is encoded; everything above ASCII always is.
const C0 = set('');
const FRAGMENT = set(' "<>`', C0);
const QUERY = set(' "#<>', C0);
const SPECIAL_QUERY = set("'", QUERY);
const PATH = set('?^`{}', QUERY);
const USERINFO = set('/:;=@[\\]|', PATH);
const FORM = Uint8ArrayFrom({ length: 128 }, (_, i) => (RegExpTest(/[A-Za-z0-9*\-._]/, StringFromCharCode(i)) ? 0 : 1));

const HEX = ArrayFrom({ length: 256 }, (_, byte) => `%${byte < 16 ? '0' : ''}${StringToUpperCase(NumberToString(byte, 16))}`);

function percentEncode(text, table, spaceIsPlus = false) {
  let result = '';
  let plain = 0; // start of the current run that needs no encoding
  for (let i = 0; i < text.length; i++) {
    const code = StringCharCodeAt(text, i);
    if (code < 128 && table[code] === 0) continue;
    result += StringSlice(text, plain, i);
    if (code < 128) {
      result += spaceIsPlus && code === 32 ? '+' : HEX[code];
    } else {
      const isPair = code >= 0xd800 && code < 0xdc00 && (StringCharCodeAt(text, i + 1) & 0xfc00) === 0xdc00;
      const bytes = new Uint8Array(4);
      const { written } = utf8.encodeInto(StringSlice(text, i, i + (isPair ? 2 : 1)), bytes);
      for (let j = 0; j < written; j++) result += HEX[bytes[j]];
      if (isPair) i++;
    }
    plain = i + 1;
  }
  return plain === 0 ? text : result + StringSlice(text, plain);
}

const hexValue = (code) => {
  if (code >= 48 && code <= 57) return code - 48;
  const lower = code | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
};

/** Decodes %XX in the text to bytes; with `plusIsSpace`, also + to a space. */
function percentDecodeBytes(text, plusIsSpace = false) {
  const bytes = utf8.encode(text);
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    let byte = bytes[i];
    if (byte === 37 && i + 2 < bytes.length) {
      const high = hexValue(bytes[i + 1]);
      const low = hexValue(bytes[i + 2]);
      if (high >= 0 && low >= 0) {
        byte = (high << 4) | low;
        i += 2;
      }
    } else if (plusIsSpace && byte === 43) {
      byte = 32;
    }
    bytes[length++] = byte;
  }
  return TypedArraySubarray(bytes, 0, length);
}

const percentDecode = (text) => (StringIncludes(text, '%') ? utf8.decode(percentDecodeBytes(text)) : StringToWellFormed(text));

function decodeForm(text) {
  if (!StringIncludes(text, '%') && !StringIncludes(text, '+')) return StringToWellFormed(text);
  return decodeAscii(text) ?? utf8.decode(percentDecodeBytes(text, true));
}

/** Like `decodeForm`, but returns undefined if the result is not ASCII, in which case bytes must be combined. */
function decodeAscii(text) {
  let result = '';
  let plain = 0; // start of the current literal run
  for (let i = 0; i < text.length; i++) {
    let code = StringCharCodeAt(text, i);
    if (code >= 128) return undefined;
    if (code !== 37 && code !== 43) continue;
    const start = i;
    if (code === 43) {
      code = 32;
    } else {
      if (i + 2 >= text.length) continue;
      const high = hexValue(StringCharCodeAt(text, i + 1));
      const low = hexValue(StringCharCodeAt(text, i + 2));
      if (high < 0 || low < 0) continue;
      if (high > 7) return undefined;
      code = (high << 4) | low;
      i += 2;
    }
    result += StringSlice(text, plain, start) + StringFromCharCode(code);
    plain = i + 1;
  }
  return result + StringSlice(text, plain);
}

/** Returns the pairs of a form-encoded string. */
function parseForm(text) {
  const pairs = [];
  for (let index = 0, list = StringSplit(text, '&'); index < list.length; index++) {
    const part = list[index];
    if (part === '') continue;
    const at = StringIndexOf(part, '=');
    ArrayPush(
      pairs,
      at === -1 ? [decodeForm(part), ''] : [decodeForm(StringSlice(part, 0, at)), decodeForm(StringSlice(part, at + 1))],
    );
  }
  return pairs;
}

function serializeForm(pairs) {
  let text = '';
  for (let index = 0; index < pairs.length; index++) {
    const { 0: name, 1: value } = pairs[index];
    text += `${text === '' ? '' : '&'}${percentEncode(name, FORM, true)}=${percentEncode(value, FORM, true)}`;
  }
  return text;
}

module.exports = {
  C0,
  FRAGMENT,
  QUERY,
  SPECIAL_QUERY,
  PATH,
  USERINFO,
  percentEncode,
  percentDecode,
  percentDecodeBytes,
  parseForm,
  serializeForm,
};
